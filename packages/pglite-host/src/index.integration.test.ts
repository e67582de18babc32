import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { copyClusterTemplate } from '../testing/cluster-template.ts';
import { makeDataFolder } from '../testing/data-folder.ts';
import * as api from './index.ts';

const run = promisify(execFile);

it('exports only its documented API', () => {
  expect(Object.keys(api).sort()).toEqual([
    'DatabaseInUse',
    'connectToRunningServer',
    'createDatabaseFiles',
    'openEmbeddedDatabase',
  ]);
});

it('runs the example', async () => {
  const example = fileURLToPath(new URL('../examples/notes.mjs', import.meta.url));
  const dataDir = makeDataFolder();
  await copyClusterTemplate(dataDir);
  const { stdout } = await run(process.execPath, [example, dataDir]);
  expect(stdout).toBe('kept: milk, bread\nsecond owner: refused\nseen through the socket: 2\n');
});
