import { spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyMigratedTemplate } from '../../testing/migrated-template.ts';
import { npmCommand, runNpm } from '../run-npm.ts';
import { linkTree } from './link-tree.ts';
import { copySourceFiles, repositoryRoot } from './source-tree.ts';
import { startServer } from './start-server.ts';
import { TemporaryFolder } from './temporary-folder.ts';

const unprivileged = 65_534;
const ordinaryUserIsHad = process.getuid?.() === 0 && runsAs(unprivileged);

describe('a clean clone', () => {
  const folder = new TemporaryFolder();
  const clone = folder.at('clone');

  beforeAll(() => {
    copySourceFiles(clone);
    mkdirSync(folder.at('home'));
  });

  afterAll(() => folder[Symbol.dispose]());

  it('has a lock file that "npm ci" takes', async () => {
    const npm = await runNpm(clone, ['ci', '--ignore-scripts', '--dry-run']);
    expect(npm.complaints).not.toContain('npm error');
    expect(npm.succeeded).toBe(true);
  });

  describe('with its packages', () => {
    beforeAll(async () => {
      await copyMigratedTemplate(join(clone, 'data'));
      if (ordinaryUserIsHad) giveTo(unprivileged, folder.path);
      await copyMigratedTemplate(folder.at('data'));
      // Linked, not installed: "npm ci" fetches what the tests themselves run on.
      linkTree(realpathSync(join(repositoryRoot, 'node_modules')), join(clone, 'node_modules'));
    });

    it.runIf(ordinaryUserIsHad)('is built and served by "npm start" of an ordinary user', async () => {
      await expectToServe({ userId: unprivileged });
    });

    it('is built if it was not, and served by "npm start"', async () => {
      const builtMs = builtAtMs();
      await expectToServe({ environment: { STACKGATE_DATA: folder.at('data') } });
      expect(builtAtMs()).toBe(builtMs ?? expect.any(Number));
    });
  });

  async function expectToServe({
    userId,
    environment = {},
  }: {
    readonly userId?: number;
    readonly environment?: Readonly<Record<string, string>>;
  }): Promise<void> {
    await using server = await startServer({
      command: [...npmCommand(), 'start', `--prefix=${clone}`],
      cwd: clone,
      environment: { HOME: folder.at('home'), npm_config_update_notifier: 'false', ...environment },
      userId,
    });
    const path = /^Your API key is in (\S+)\. /m.exec(server.output())?.[1] ?? '';
    const key = readFileSync(path, 'utf8').trim();
    const listed = await fetch(`${server.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
    expect(listed.status).toBe(200);
    await server.interrupt();
    await expect(fetch(server.url)).rejects.toThrow();
  }

  function builtAtMs(): number | undefined {
    return statSync(join(clone, 'dist', '.built'), { throwIfNoEntry: false })?.mtimeMs;
  }
});

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
