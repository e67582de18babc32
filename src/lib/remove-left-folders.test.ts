import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeDataFolder } from '../../testing/data-folder.ts';
import { removeLeftFolders } from './remove-left-folders.ts';

// Above Linux's largest process id.
const NO_PROCESS = 2 ** 22 + 1;

it('removes what a process left that is gone, and nothing else', async () => {
  const folder = makeDataFolder();
  const kept = [`text-local-${process.pid}`, 'text-local', 'notes'];
  for (const name of [`text-local-${NO_PROCESS}`, ...kept]) {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, 'state'), 'x');
  }
  await removeLeftFolders(folder);
  expect(readdirSync(folder)).toEqual(kept.toSorted());
});

it('accepts a missing folder', async () => {
  await removeLeftFolders(join(makeDataFolder(), 'none'));
});
