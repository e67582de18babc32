import { spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { copyClusterTemplate } from '../../packages/pglite-host/testing/cluster-template.ts';
import { npmCommand, runNpm } from '../run-npm.ts';
import { linkTree } from './link-tree.ts';
import { copySourceFiles, repositoryRoot } from './source-tree.ts';
import { startServer } from './start-server.ts';
import { TemporaryFolder } from './temporary-folder.ts';

const unprivileged = 65_534;
const ordinaryUserIsHad = process.getuid?.() === 0 && runsAs(unprivileged);

describe('a clean clone', () => {
  let folder: TemporaryFolder;

  beforeEach(() => {
    folder = new TemporaryFolder();
    copySourceFiles(folder.at('clone'));
    mkdirSync(folder.at('home'));
  });

  afterEach(() => folder[Symbol.dispose]());

  it('has a lock file that "npm ci" takes', async () => {
    const npm = await runNpm(folder.at('clone'), ['ci', '--ignore-scripts', '--dry-run']);
    expect(npm.complaints).not.toContain('npm error');
    expect(npm.succeeded).toBe(true);
  });

  it('is built and served by "npm start"', async () => {
    await copyClusterTemplate(folder.at('clone', 'data'));
    linkInstalledPackages(folder);
    await expectToServe(folder);
  });

  it.runIf(ordinaryUserIsHad)('is built and served by "npm start" of an ordinary user', async () => {
    giveTo(unprivileged, folder.path);
    linkInstalledPackages(folder);
    await expectToServe(folder, unprivileged);
  });
});

async function expectToServe(folder: TemporaryFolder, userId?: number): Promise<void> {
  const clone = folder.at('clone');
  await using server = await startServer({
    command: [...npmCommand(), 'start', `--prefix=${clone}`],
    cwd: clone,
    environment: { HOME: folder.at('home'), npm_config_update_notifier: 'false' },
    userId,
  });
  const path = /^Your API key is in (\S+)\. /m.exec(server.output())?.[1] ?? '';
  const key = readFileSync(path, 'utf8').trim();
  const listed = await fetch(`${server.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
  expect(listed.status).toBe(200);
  await server.interrupt();
  await expect(fetch(server.url)).rejects.toThrow();
}

/** Linked, not installed: "npm ci" fetches what the tests themselves run on. */
function linkInstalledPackages(folder: TemporaryFolder): void {
  linkTree(realpathSync(join(repositoryRoot, 'node_modules')), folder.at('clone', 'node_modules'));
}

function giveTo(userId: number, path: string): void {
  chownSync(path, userId, userId);
  for (const name of readdirSync(path, { recursive: true, encoding: 'utf8' })) {
    chownSync(join(path, name), userId, userId);
  }
}

/** Whether that user can run this Node, which may be in a folder of root. */
function runsAs(userId: number): boolean {
  return spawnSync(process.execPath, ['--version'], { uid: userId, gid: userId }).status === 0;
}
