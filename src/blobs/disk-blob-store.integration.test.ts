import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listBlobs } from '../../testing/list-blobs.ts';
import { parseBlobKey } from './blob-key.ts';
import { DiskBlobStore } from './disk-blob-store.ts';

const never = new AbortController().signal;
const FILL = fileURLToPath(new URL('../../testing/fixtures/fill-blob-store.mjs', import.meta.url));
const PUT_UNTIL_KILLED = fileURLToPath(
  new URL('../../testing/fixtures/put-until-killed.mjs', import.meta.url),
);

describe('DiskBlobStore', () => {
  let folder: string;
  let directory: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stackgate-blobs-'));
    directory = join(folder, 'data', 'blobs');
  });
  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  const temporaryFiles = async (): Promise<readonly string[]> => await readdir(join(directory, '.tmp'));

  const canMount = runInSmallFileSystem(tmpdir(), 'true').status === 0;
  it.skipIf(!canMount)(
    'keeps whole what fitted on a file system that ran full, and goes on after a delete',
    () => {
      const result = runInSmallFileSystem(folder, process.execPath, FILL, join(folder, 'blobs'));
      expect(result.stderr).toBe('');
      const outcome = JSON.parse(result.stdout);
      expect(outcome).toMatchObject({ name: 'StorageFull', code: 'ENOSPC', temporary: [] });
      expect(outcome.puts).toBeGreaterThan(2);
      expect(outcome.sizes).toEqual(Array.from({ length: outcome.puts }, () => 50_000));
    },
  );

  it('shows whole blobs only after a kill in the midst of puts, and sweeps the rest when opened', async () => {
    let leftovers = 0;
    const rounds = [1, 9, 30, ...Array.from({ length: 20 }, () => 5)];
    for (const [round, finishedPuts] of rounds.entries()) {
      // A kill between two puts shows nothing, and is repeated.
      if (round >= 3 && leftovers > 0) break;
      const finished = await killDuringPuts(directory, finishedPuts);
      leftovers += (await temporaryFiles()).length;
      const store = await DiskBlobStore.open({ directory });
      expect(await temporaryFiles()).toEqual([]);
      const listed = await listBlobs(store);
      expect(listed.map((entry) => entry.key)).toEqual(expect.arrayContaining([...finished]));
      for (const entry of listed) {
        const bytes = Buffer.from((await store.get(entry.key, never)) ?? []);
        expect(bytes.byteLength).toBe(entry.sizeBytes);
        expect(bytes.byteLength).toBe(8 + Number(bytes.subarray(0, 8).toString()));
      }
    }
    expect(leftovers).toBeGreaterThan(0);
  });

  it('takes a pipe in its folder for no blob', async () => {
    const store = await DiskBlobStore.open({ directory });
    expect(spawnSync('sh', ['-c', 'mkfifo "$1"', 'sh', join(directory, 'pipe')]).status).toBe(0);
    expect(await listBlobs(store)).toEqual([]);
    expect(await store.get(parseBlobKey('pipe'), never)).toBeUndefined();
  });
});

/** Runs a command with 512 KiB mounted on the folder, for it alone and gone with it; fails where that is not allowed. */
function runInSmallFileSystem(folder: string, ...command: readonly string[]): SpawnSyncReturns<string> {
  const script = `exec unshare -rm sh -c 'mount -t tmpfs -o size=512k tmpfs "$0" && exec "$@"' "$@"`;
  return spawnSync('sh', ['-c', script, 'sh', folder, ...command], { encoding: 'utf8' });
}

/** Starts a process that puts without end, kills it after some puts and returns the keys it reported. */
async function killDuringPuts(directory: string, finishedPuts: number): Promise<ReadonlySet<string>> {
  const child = spawn(process.execPath, [PUT_UNTIL_KILLED, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const finished = new Set<string>();
  let lines = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    // The pipe is read to its end: what the process said before it died holds.
    finished.add(line);
    lines += 1;
    if (lines === finishedPuts) child.kill('SIGKILL');
  }
  expect(await exited).toEqual([null, 'SIGKILL']);
  return finished;
}
