import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { runCli } from '../../testing/cli-run.ts';

it('quotes a key that a shell would read otherwise', async () => {
  const key = `sk-'"$HOME\`id\`\\!`;
  const { out } = await runCli(['connect', 'openai', '--key', key]);
  const exports = out.split('\n').filter((line) => line.startsWith('export'));
  const script = `${exports.join('\n')}\nprintf %s "$OPENAI_API_KEY"`;
  expect(execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' })).toBe(key);
});
