import {
  chmod,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeBlobStore } from '../../testing/describe-blob-store.ts';
import { listBlobs } from '../../testing/list-blobs.ts';
import { parseBlobKey } from './blob-key.ts';
import { DiskBlobStore } from './disk-blob-store.ts';
import { StorageFull } from './storage-full.ts';
import { ABANDONED_AFTER_MS } from './temporary-folder.ts';

const never = new AbortController().signal;
const key = parseBlobKey;
/** More than Linux gives to any process. */
const NO_PID = 2 ** 22 + 1;

describeBlobStore('DiskBlobStore', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stackgate-blobs-'));
  return {
    store: await DiskBlobStore.open({ directory: join(folder, 'blobs') }),
    [Symbol.asyncDispose]: async () => {
      const temporary = await readdir(join(folder, 'blobs', '.tmp'));
      await rm(folder, { recursive: true });
      // Not covered by the contract suite: no partial files stay behind.
      expect(temporary).toEqual([]);
    },
  };
});

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
  const modeOf = async (...names: readonly string[]): Promise<string> =>
    ((await stat(join(directory, ...names))).mode & 0o777).toString(8);

  it('makes folders and files private', async () => {
    const store = await DiskBlobStore.open({ directory });
    await store.put(key('a/b/c.png'), Buffer.from('x'), never);
    expect(await modeOf()).toBe('700');
    expect(await modeOf('.tmp')).toBe('700');
    expect(await modeOf('a+', 'b+')).toBe('700');
    expect(await modeOf('a+', 'b+', 'c.png')).toBe('600');
  });

  it('makes an existing folder private', async () => {
    await mkdir(directory, { recursive: true });
    await chmod(directory, 0o755);
    await DiskBlobStore.open({ directory });
    expect(await modeOf()).toBe('700');
  });

  it('finds its blobs again after a restart', async () => {
    const first = await DiskBlobStore.open({ directory });
    await first.put(key('a/b'), Buffer.from('kept'), never);
    const second = await DiskBlobStore.open({ directory });
    expect(await second.get(key('a/b'), never)).toEqual(Buffer.from('kept'));
  });

  it('flushes the bytes before they show under their key', async () => {
    const listedAtFlush: unknown[] = [];
    const store: DiskBlobStore = await DiskBlobStore.open({
      directory,
      createFile: async (path) => {
        const file = await open(path, 'wx', 0o600);
        const sync = file.sync.bind(file);
        file.sync = async () => {
          listedAtFlush.push(await listBlobs(store), (await file.stat()).size);
          await sync();
        };
        return file;
      },
    });
    await store.put(key('a'), Buffer.from('four'), never);
    expect(listedAtFlush).toEqual([[], 4]);
    expect(await listBlobs(store)).toHaveLength(1);
  });

  it('throws StorageFull when the device has no room for the bytes, and keeps nothing', async () => {
    // Every write to this device fails with the system's own ENOSPC.
    const store = await DiskBlobStore.open({ directory, createFile: () => open('/dev/full', 'w') });
    const putting = store.put(key('a/b'), Buffer.from('x'), never);
    await expect(putting).rejects.toThrow(StorageFull);
    await expect(putting).rejects.toMatchObject({ cause: { code: 'ENOSPC' } });
    await expect(store.check(never)).rejects.toThrow(StorageFull);
    expect(await listBlobs(store)).toEqual([]);
    expect(await temporaryFiles()).toEqual([]);
  });

  it('keeps files of live processes and removes abandoned ones', async () => {
    const slow = await DiskBlobStore.open({ directory });
    const source = gatedSource();
    const putting = slow.put(key('slow'), source.bytes, never);
    await source.reached;
    const [living] = await temporaryFiles();
    const host = living?.split('-')[0] ?? '';
    const endedPid = NO_PID;
    await writeFile(join(directory, '.tmp', `${host}-${endedPid}-dead`), 'x');
    await writeFile(join(directory, '.tmp', `ffffffff-${endedPid}-elsewhere`), 'x');
    await writeFile(join(directory, '.tmp', `${host}-${process.pid}-predecessor`), 'x');
    await writeFile(join(directory, '.tmp', 'unknown-old'), 'x');
    const beforeStart = new Date(Date.now() - process.uptime() * 1000 - 5_000);
    await utimes(join(directory, '.tmp', `${host}-${process.pid}-predecessor`), beforeStart, beforeStart);
    const old = new Date(Date.now() - ABANDONED_AFTER_MS - 60_000);
    await utimes(join(directory, '.tmp', 'unknown-old'), old, old);

    await DiskBlobStore.open({ directory });

    expect((await temporaryFiles()).toSorted()).toEqual(
      [living, `ffffffff-${endedPid}-elsewhere`].toSorted(),
    );
    source.proceed();
    await putting;
    expect(await slow.get(key('slow'), never)).toEqual(Buffer.from('slow'));
  });

  it('follows no symbolic link out of its folder', async () => {
    const outside = join(folder, 'outside');
    await mkdir(outside);
    await writeFile(join(outside, 'secret'), 'secret');
    const store = await DiskBlobStore.open({ directory });
    await symlink(outside, join(directory, 'folder+'));
    await symlink(join(outside, 'secret'), join(directory, 'file'));

    expect(await store.get(key('folder/secret'), never)).toBeUndefined();
    expect(await store.get(key('file'), never)).toBeUndefined();
    expect(await store.delete(key('folder/secret'), never)).toBe(false);
    await expect(store.put(key('folder/new'), Buffer.from('x'), never)).rejects.toThrow('is not a folder');
    await expect(store.put(key('folder/deep/new'), Buffer.from('x'), never)).rejects.toThrow(
      'is not a folder',
    );
    expect(await listBlobs(store)).toEqual([]);
    await store.put(key('file'), Buffer.from('own'), never);
    expect(await store.get(key('file'), never)).toEqual(Buffer.from('own'));

    expect(await readdir(outside)).toEqual(['secret']);
    expect(await readFile(join(outside, 'secret'), 'utf8')).toBe('secret');
    expect(await temporaryFiles()).toEqual([]);
  });

  it('may itself be reached through a symbolic link', async () => {
    await mkdir(join(folder, 'real'));
    await symlink(join(folder, 'real'), join(folder, 'linked'));
    const store = await DiskBlobStore.open({ directory: join(folder, 'linked', 'blobs') });
    await store.put(key('a/b'), Buffer.from('x'), never);
    expect(await store.get(key('a/b'), never)).toEqual(Buffer.from('x'));
  });

  it('ignores foreign files in its folder', async () => {
    const store = await DiskBlobStore.open({ directory });
    await writeFile(join(directory, 'UPPER'), 'x');
    await mkdir(join(directory, 'unmarked'));
    await writeFile(join(directory, 'unmarked', 'x'), 'x');
    expect(await listBlobs(store)).toEqual([]);
    expect(await store.get(key('unmarked/x'), never)).toBeUndefined();
  });

  it('fails its check when the folder is gone', async () => {
    const store = await DiskBlobStore.open({ directory });
    await rm(directory, { recursive: true });
    await expect(store.check(never)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

interface GatedSource {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Resolves when the first half is written. */
  readonly reached: Promise<void>;
  proceed(): void;
}

function gatedSource(): GatedSource {
  let markReached = (): void => undefined;
  let proceed = (): void => undefined;
  const reached = new Promise<void>((resolve) => {
    markReached = resolve;
  });
  const gate = new Promise<void>((resolve) => {
    proceed = resolve;
  });
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('sl');
    markReached();
    await gate;
    yield Buffer.from('ow');
  }
  return { bytes: bytes(), reached, proceed };
}
