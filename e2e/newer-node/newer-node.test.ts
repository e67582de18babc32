import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { copyClusterTemplate } from '../../packages/pglite-host/testing/cluster-template.ts';
import { startServer } from '../packaging/start-server.ts';
import { TemporaryFolder } from '../packaging/temporary-folder.ts';
import { newerNode } from './newer-node.ts';

const run = promisify(execFile);
const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const commandBoundMs = 60_000;

describe('Node 24', async () => {
  const node = await newerNode();
  if (node === undefined) {
    it.skip('is not available on this machine');
    return;
  }

  it('is the release the lock file pins', async () => {
    const { stdout } = await run(node, ['--version'], { timeout: commandBoundMs });
    expect(stdout).toMatch(/^v24\./);
  });

  it('runs the command line', async () => {
    const { stdout } = await run(node, [program, '--help'], { timeout: commandBoundMs });
    expect(stdout).toContain('stackgate');
  });

  it('runs the server, which lists models to a holder of a key and ends at SIGTERM', async () => {
    const folder = new TemporaryFolder();
    onTestFinished(() => folder[Symbol.dispose]());
    await copyClusterTemplate(folder.at('data'));
    folder.endAtOnce();
    await using server = await startServer({ command: [node, program, 'serve'], cwd: folder.path });
    const path = /^Your API key is in (\S+)\. /m.exec(server.output())?.[1] ?? '';
    const key = readFileSync(path, 'utf8').trim();
    const listed = await fetch(`${server.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
    expect(listed.status).toBe(200);
    expect(await listed.json()).toMatchObject({ object: 'list', has_more: false });
    expect((await fetch(`${server.url}/v1/models`)).status).toBe(401);
    expect(await server.stop()).toBe(0);
    // Deprecation and experimental warnings would come with every start.
    expect(server.output()).not.toContain('Warning');
  });
});
