import { describe, expect, test } from 'vitest';
import { catalogueData } from '../../src/catalogue/catalogue-data.ts';
import { runCli } from '../cli-run.ts';
import { modelsDocs } from './models-docs.ts';

describe('docs/models.md', () => {
  test('is what the code says', async () => {
    await expect(modelsDocs()).toMatchFileSnapshot('../../docs/models.md');
  });

  test('has every model and says which were not tried', () => {
    for (const { name, tried } of catalogueData) {
      const row = new RegExp(
        `^\\| \`${name.replaceAll('.', '\\.')}\` .*\\| ${tried ? 'yes' : 'no'} +\\|`,
        'm',
      );
      expect(modelsDocs()).toMatch(row);
    }
  });

  test('shows commands that exist', async () => {
    const shown = [...modelsDocs().matchAll(/^stackgate models (\w+)/gm)].map(([, command]) => command ?? '');
    expect(new Set(shown)).toEqual(new Set(['list', 'pull', 'use', 'verify', 'remove']));
    for (const command of shown) {
      expect((await runCli(['models', command, '--help'])).out).toContain(
        `Usage: stackgate models ${command}`,
      );
    }
  });
});
