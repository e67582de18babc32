import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import * as api from './index.ts';

const run = promisify(execFile);

it('exports only its documented API', () => {
  expect(Object.keys(api).sort()).toEqual([
    'PatternLibrary',
    'SchemaRefused',
    'SchemaValidator',
    'compileSchema',
    'createValueChecker',
    'examineSchema',
  ]);
});

it('runs the example', async () => {
  const example = fileURLToPath(new URL('../examples/invoice.mjs', import.meta.url));
  const { stdout } = await run(process.execPath, [example]);
  expect(stdout.split('\n')).toEqual([
    expect.stringMatching(/^\d+ rules, 0 keywords left to validation$/),
    '/number must match pattern "^INV-\\d{4}$"',
    '/total must be >= 0',
    'may be invented: /number, /total',
    'may vanish: /due',
    'required in the repaired schema: number, total, due',
    'unsatisfiable at /properties/a',
    '',
  ]);
});
