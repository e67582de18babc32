import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeDataFolder } from '../../../../testing/data-folder.ts';
import { BrowserHome } from './browser-home.ts';

it('is private, holds profiles, and goes away whole', async () => {
  const dataDir = makeDataFolder();
  const home = await BrowserHome.open({ dataDir, isRoot: false });
  const profile = await home.newProfile(undefined);
  writeFileSync(join(profile, 'file'), 'x');
  const other = await BrowserHome.open({ dataDir, isRoot: false });
  expect(readdirSync(join(dataDir, 'pdf', 'run'))).toHaveLength(2);
  await home.remove();
  await other.remove();
  expect(readdirSync(join(dataDir, 'pdf', 'run'))).toEqual([]);
});

it('removes the homes of processes that are gone, and of no others', async () => {
  const dataDir = makeDataFolder();
  const first = await BrowserHome.open({ dataDir, isRoot: false });
  const run = join(dataDir, 'pdf', 'run');
  const [name = ''] = readdirSync(run);
  const host = name.slice(0, 8);
  const gone = spawnSync('/bin/true').pid;
  mkdirSync(join(run, `${host}-${gone}-x`));
  mkdirSync(join(run, `${host}-1-x`));
  mkdirSync(join(run, `00000000-${gone}-x`));
  const second = await BrowserHome.open({ dataDir, isRoot: false });
  const left = readdirSync(run);
  expect(left).toHaveLength(4);
  expect(left).not.toContain(`${host}-${gone}-x`);
  expect(left).toEqual(expect.arrayContaining([name, `${host}-1-x`, `00000000-${gone}-x`]));
  await Promise.all([first.remove(), second.remove()]);
});
