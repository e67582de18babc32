import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeDataFolder } from '../../testing/data-folder.ts';
import { madeModel, sha256Of } from '../../testing/models/made-files.ts';
import {
  type FileAnswer,
  ModelServer,
  otherBytes,
  stallAfter,
  status,
} from '../../testing/models/model-server.ts';
import { hub, pinnedEntry, testModel, unpinnedEntry } from '../../testing/models/test-catalogue.ts';
import type { CatalogueEntry } from './catalogue-entry.ts';
import { pathOf } from './installed-model.ts';
import type { ModelProgress } from './model-progress.ts';
import { ModelStore, type ModelStoreOptions } from './model-store.ts';

const times = { stallMs: 20_000, firstPauseMs: 1, maxPauseMs: 5, lookMs: 10 };
const { signal } = new AbortController();

async function serve(...script: FileAnswer[]): Promise<ModelServer> {
  const server = await ModelServer.open(testModel, ...script);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

function storeOf(entries: readonly CatalogueEntry[], options: Partial<ModelStoreOptions> = {}) {
  const dataDir = options.dataDir ?? makeDataFolder();
  const store = new ModelStore({ dataDir, environment: {}, catalogue: entries, times, ...options });
  return { store, dataDir, modelsDir: join(dataDir, 'models') };
}

describe('an install', () => {
  it('installs the model and leaves nothing else', async () => {
    const server = await serve();
    const { store, modelsDir } = storeOf([pinnedEntry(hub(server.url))]);
    const progress: ModelProgress[] = [];
    const model = await store.install('tiny', { signal, onProgress: (step) => progress.push(step) });
    expect(readFileSync(pathOf(model, 'weights') ?? '').equals(testModel)).toBe(true);
    expect(readdirSync(modelsDir)).toEqual(['tiny']);
    expect(readdirSync(join(modelsDir, 'tiny')).sort()).toEqual(['model.gguf', 'model.json']);
    expect(statSync(join(modelsDir, 'tiny', 'model.gguf')).mode & 0o077).toBe(0);
    expect(progress.at(-1)).toEqual({
      source: new URL(server.url).host,
      receivedBytes: testModel.length,
      totalBytes: testModel.length,
    });
    expect(await store.find('tiny')).toEqual(model);
  });

  it('makes no request when the model is installed', async () => {
    const server = await serve();
    const { store } = storeOf([pinnedEntry(hub(server.url))]);
    await store.install('tiny', { signal });
    await store.install('tiny', { signal });
    expect(server.seen).toHaveLength(1);
  });

  it('tries the sources in order, and tells the reason of each when none gives it', async () => {
    const [first, second] = [await serve(status(404), status(404)), await serve(otherBytes)];
    const entry = pinnedEntry(hub(first.url), hub(second.url));
    const { store, modelsDir } = storeOf([entry]);
    await expect(store.install('tiny', { signal })).rejects.toThrow(
      /^The model tiny could not be fetched\. 127\.0\.0\.1:\d+: the server answered 404\. 127\.0\.0\.1:\d+: the bytes are not the expected ones/,
    );
    expect(readdirSync(modelsDir)).toEqual([]);
    await store.install('tiny', { signal });
    expect(second.seen).toHaveLength(2);
  });

  it('that is aborted keeps its part, and the next one resumes', async () => {
    const server = await serve(stallAfter(100_000));
    const { store, modelsDir } = storeOf([pinnedEntry(hub(server.url))]);
    const stop = new AbortController();
    const onProgress = () => {
      if (statSync(join(modelsDir, 'tiny.part', 'model.gguf.part')).size > 0) stop.abort();
    };
    await expect(store.install('tiny', { signal: stop.signal, onProgress })).rejects.toThrow('aborted');
    expect(existsSync(join(modelsDir, 'tiny.lock'))).toBe(false);
    await store.install('tiny', { signal });
    expect(server.seen[1]?.range).toMatch(/^bytes=[1-9]/);
  });

  it('is refused before anything is fetched when the disk has no room', async () => {
    const server = await serve();
    const entry = pinnedEntry(hub(server.url));
    const { store, modelsDir } = storeOf([entry], { freeBytes: async () => 64_000_000 });
    await expect(store.install('tiny', { signal })).rejects.toThrow(
      `The model tiny needs 64 MB in ${modelsDir}, where 64 MB are free. Make room, or set data_dir to a larger disk.`,
    );
    expect(server.seen).toEqual([]);
  });

  it('clears away what killed fetches left, old partial files of other models too', async () => {
    const server = await serve();
    const entries = [pinnedEntry(hub(server.url)), unpinnedEntry(hub(server.url))];
    const { store, modelsDir } = storeOf(entries);
    mkdirSync(join(modelsDir, 'tiny.part', 'packages-x', '0'), { recursive: true });
    writeFileSync(join(modelsDir, 'tiny.part', 'packages-x', '0', 'half.whl'), 'half');
    mkdirSync(join(modelsDir, 'loose.part'));
    writeFileSync(join(modelsDir, 'loose.part', 'model.gguf.part'), 'old');
    const longAgo = new Date('2020-01-01');
    utimesSync(join(modelsDir, 'loose.part', 'model.gguf.part'), longAgo, longAgo);
    utimesSync(join(modelsDir, 'loose.part'), longAgo, longAgo);
    await store.install('tiny', { signal });
    expect(readdirSync(modelsDir)).toEqual(['tiny']);
  });

  it('refuses a name that the catalogue does not have, with the nearest', async () => {
    const { store } = storeOf([pinnedEntry()]);
    await expect(store.install('tinny', { signal })).rejects.toThrow(
      'There is no model "tinny" in the catalogue; did you mean tiny?',
    );
    await expect(store.find('../etc')).resolves.toBeUndefined();
  });

  it('from a path of this machine copies and verifies', async () => {
    const { store, dataDir } = storeOf([pinnedEntry()]);
    const [good, bad] = [join(dataDir, 'good.gguf'), join(dataDir, 'bad.gguf')];
    writeFileSync(good, testModel);
    writeFileSync(bad, madeModel(300_000, 'other'));
    await expect(store.install('tiny', { signal, from: bad })).rejects.toThrow(
      'is not the file of the catalogue',
    );
    expect(await store.find('tiny')).toBeUndefined();
    const model = await store.install('tiny', { signal, from: good });
    expect(readFileSync(pathOf(model, 'weights') ?? '').equals(testModel)).toBe(true);
    expect(existsSync(good)).toBe(true);
  });
});

describe('a model that the catalogue cannot pin', () => {
  it('is held to the hash of its first download', async () => {
    const server = await serve();
    const { store, modelsDir } = storeOf([unpinnedEntry(hub(server.url))]);
    const model = await store.install('loose', { signal });
    expect(model.files[0]?.sha256).toBe(sha256Of(testModel));
    writeFileSync(join(modelsDir, 'loose', 'model.gguf'), madeModel(300_000, 'other'));
    expect(await store.find('loose')).toBeUndefined();
    server.content = madeModel(300_000, 'other');
    await expect(store.install('loose', { signal })).rejects.toThrow('the bytes are not the expected ones');
    await store.remove('loose', signal);
    await store.install('loose', { signal });
    expect((await store.find('loose'))?.files[0]?.sha256).toBe(sha256Of(server.content));
  });

  it('ignores a file without a manifest', async () => {
    const { store, modelsDir } = storeOf([unpinnedEntry()]);
    mkdirSync(join(modelsDir, 'loose'), { recursive: true });
    writeFileSync(join(modelsDir, 'loose', 'model.gguf'), testModel);
    expect(await store.find('loose')).toBeUndefined();
  });
});

describe('what is on the disk', () => {
  it('may be copied by hand if the hash is right', async () => {
    const { store, modelsDir } = storeOf([pinnedEntry()]);
    mkdirSync(join(modelsDir, 'tiny'), { recursive: true });
    const path = join(modelsDir, 'tiny', 'model.gguf');
    writeFileSync(path, testModel.subarray(0, 1000));
    expect(await store.find('tiny')).toBeUndefined();
    writeFileSync(path, madeModel(300_000, 'other'));
    expect(await store.find('tiny')).toBeUndefined();
    writeFileSync(path, testModel);
    expect(await store.find('tiny')).toMatchObject({ name: 'tiny', files: [{ path }] });
  });

  it('is hashed again only when it changed, and by verify', async () => {
    const server = await serve();
    const { store, modelsDir } = storeOf([pinnedEntry(hub(server.url))]);
    await store.install('tiny', { signal });
    const path = join(modelsDir, 'tiny', 'model.gguf');
    const { mtime } = statSync(path);
    const damaged = Buffer.from(testModel);
    damaged[1000] = (damaged[1000] ?? 0) ^ 1;
    writeFileSync(path, damaged);
    utimesSync(path, mtime, mtime);
    writeFileSync(path.replace('model.gguf', 'model.json'), manifestWithTime(path));
    expect(await store.find('tiny')).toBeDefined();
    expect((await store.verify('tiny')).map(({ health }) => health)).toEqual(['damaged']);
    utimesSync(path, new Date(), new Date());
    expect(await store.find('tiny')).toBeUndefined();
    await store.install('tiny', { signal });
    expect((await store.verify('tiny')).map(({ health }) => health)).toEqual(['good']);
  });

  it('can be removed', async () => {
    const server = await serve();
    const { store, modelsDir } = storeOf([pinnedEntry(hub(server.url))]);
    await store.install('tiny', { signal });
    expect(await store.remove('tiny', signal)).toBe(true);
    expect(await store.remove('tiny', signal)).toBe(false);
    expect(readdirSync(modelsDir)).toEqual([]);
    expect((await store.verify('tiny')).map(({ health }) => health)).toEqual(['missing']);
  });

  it('may be a file of the operator, by its path', async () => {
    const { store, dataDir } = storeOf([]);
    const path = join(dataDir, 'Own-Model.gguf');
    expect(await store.find(path)).toBeUndefined();
    writeFileSync(path, 'no model');
    expect(await store.find(path)).toBeUndefined();
    writeFileSync(path, testModel);
    expect(await store.find(path)).toEqual({
      name: 'Own-Model',
      files: [{ role: 'weights', path, sizeBytes: testModel.length }],
    });
  });
});

function manifestWithTime(path: string): string {
  const { size, mtimeMs } = statSync(path);
  const file = { name: 'model.gguf', sizeBytes: size, sha256: sha256Of(testModel), modifiedMs: mtimeMs };
  return JSON.stringify({ source: 'a test', files: [file] });
}
