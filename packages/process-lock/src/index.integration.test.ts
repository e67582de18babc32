import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import * as api from './index.ts';

const run = promisify(execFile);

it('offers this and nothing else', () => {
  expect(Object.keys(api)).toEqual(['takeProcessLock']);
});

it('works as its example shows', async () => {
  const example = fileURLToPath(new URL('../examples/one-at-a-time.mjs', import.meta.url));
  const { stdout } = await run(process.execPath, [example]);
  expect(stdout).toBe('while the first process runs: held\nafter it was killed: free\n');
});
