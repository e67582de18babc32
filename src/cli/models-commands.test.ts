import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type CliResult, runCli } from '../../testing/cli-run.ts';
import { makeDataFolder } from '../../testing/data-folder.ts';
import { type FileAnswer, ModelServer, stallAfter, status } from '../../testing/models/model-server.ts';
import { hub, pinnedEntry, testModel } from '../../testing/models/test-catalogue.ts';
import type { CatalogueEntry } from '../catalogue/catalogue-entry.ts';
import { ModelStore } from '../catalogue/model-store.ts';

const times = { stallMs: 20_000, firstPauseMs: 1, maxPauseMs: 5, lookMs: 10 };

interface Bench {
  readonly folder: string;
  readonly server: ModelServer;
  readonly run: (...argv: string[]) => Promise<CliResult>;
  readonly watch: (...argv: string[]) => Promise<CliResult>;
}

/** Runs commands in a folder of their own, with a catalogue of three models. */
async function bench(config?: string, ...script: FileAnswer[]): Promise<Bench> {
  const folder = makeDataFolder();
  if (config !== undefined) writeFileSync(join(folder, 'stackgate.yaml'), config);
  const server = await ModelServer.open(testModel, ...script);
  onTestFinished(() => server[Symbol.asyncDispose]());
  const tiny = pinnedEntry(hub(server.url));
  const catalogue: readonly CatalogueEntry[] = [
    { ...tiny, name: 'smollm2-135m-instruct' },
    { ...tiny, tried: false },
    { ...tiny, name: 'reader', kind: 'ocr' },
  ];
  const surroundings = {
    workingDirectory: folder,
    openModels: ({ dataDir }: { dataDir: string }) =>
      new ModelStore({ dataDir, environment: {}, catalogue, times }),
  };
  return {
    folder,
    server,
    run: (...argv) => runCli(argv, surroundings),
    watch: (...argv) => runCli(argv, { ...surroundings, isWatched: true }),
  };
}

describe('stackgate models list', () => {
  it('shows models, whether they are installed, and which are in use', async () => {
    const { run } = await bench();
    await run('models', 'pull', 'tiny');
    const { code, out } = await run('models', 'list');
    expect(code).toBe(0);
    expect(out).toBe(
      [
        'NAME                   KIND  SIZE    LICENCE  STATE',
        'smollm2-135m-instruct  text  300 kB  MIT      in use, adapter built-in',
        'tiny                   text  300 kB  MIT      installed, not tried',
        'reader                 ocr   300 kB  MIT      -',
        '',
      ].join('\n'),
    );
    expect(JSON.parse((await run('--json', 'models', 'list')).out)).toContainEqual(
      expect.objectContaining({
        name: 'tiny',
        installed: true,
        tried: false,
        used_by: [],
        adapters: [],
        size_bytes: 300_000,
      }),
    );
  });
});

describe('stackgate models pull', () => {
  it('installs a model, without progress output unless on a terminal', async () => {
    const { run, folder } = await bench();
    const path = join(folder, 'data', 'models', 'tiny', 'model.gguf');
    expect(await run('models', 'pull', 'tiny')).toEqual({
      code: 0,
      out: `tiny is here:\n  ${path}\n`,
      err: '',
    });
    expect(existsSync(path)).toBe(true);
  });

  it('overwrites one line on a terminal, and removes it', async () => {
    const { watch } = await bench();
    const { err } = await watch('models', 'pull', 'tiny');
    expect(err).toContain('\r\u001b[KFetching tiny  [####################] 100 %  300 of 300 kB');
    expect(err).not.toContain('\n');
    expect(err.endsWith('\r\u001b[K')).toBe(true);
  });

  it('tells why a model could not be fetched', async () => {
    const { run } = await bench(undefined, status(404));
    const { code, err } = await run('models', 'pull', 'tiny');
    expect(code).toBe(1);
    expect(err).toMatch(
      /^stackgate: The model tiny could not be fetched\. 127\.0\.0\.1:\d+: the server answered 404\.\n$/,
    );
  });

  it('takes a file of this machine', async () => {
    const { run, folder } = await bench(undefined, status(404));
    writeFileSync(join(folder, 'copy.gguf'), testModel);
    expect(await run('models', 'pull', 'tiny', '--from', join(folder, 'copy.gguf'))).toMatchObject({
      code: 0,
    });
    const missing = await run('models', 'pull', 'reader', '--from', join(folder, 'none'));
    expect(missing).toMatchObject({ code: 1 });
    expect(missing.err).toBe(`stackgate: ${join(folder, 'none')} cannot be read (ENOENT)\n`);
  });

  it('refuses a name that is not there', async () => {
    const { run } = await bench();
    expect(await run('models', 'pull', 'tinny')).toMatchObject({
      code: 3,
      err: 'stackgate: There is no model "tinny" in the catalogue; did you mean tiny?\n',
    });
  });

  it('stops cleanly at SIGINT and resumes the next time', async () => {
    const { watch, run, server } = await bench(undefined, stallAfter(100_000));
    const before = process.listenerCount('SIGINT');
    const pulling = watch('models', 'pull', 'tiny');
    await expect.poll(() => server.seen.length).toBe(1);
    process.emit('SIGINT');
    expect(await pulling).toMatchObject({ code: 3 });
    expect(process.listenerCount('SIGINT')).toBe(before);
    expect(await run('models', 'pull', 'tiny')).toMatchObject({ code: 0 });
  });
});

describe('stackgate models remove', () => {
  it('removes a model, and names the engines that need it', async () => {
    const { run } = await bench();
    await run('models', 'pull', 'smollm2-135m-instruct');
    expect((await run('models', 'remove', 'smollm2-135m-instruct')).out).toBe(
      'smollm2-135m-instruct is removed. engines.text.local will fetch it again at the next start.\n',
    );
    expect((await run('models', 'remove', 'tiny')).out).toBe('tiny was not installed.\n');
  });
});

describe('stackgate models verify', () => {
  it('tells damaged files from good ones', async () => {
    const { run, folder } = await bench();
    expect(await run('models', 'verify')).toEqual({ code: 0, out: '(none)\n', err: '' });
    await run('models', 'pull', 'tiny');
    expect(await run('models', 'verify')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^tiny .*good$/m),
    });
    writeFileSync(join(folder, 'data', 'models', 'tiny', 'model.gguf'), Buffer.alloc(testModel.length));
    const { code, out, err } = await run('models', 'verify', 'tiny');
    expect(code).toBe(3);
    expect(out).toMatch(/^tiny .*damaged$/m);
    expect(err).toContain('1 of 1 files are not what they should be');
  });
});

describe('stackgate models use', () => {
  it('switches a gateway without a configuration file', async () => {
    const { run, folder } = await bench();
    const { code, out } = await run('models', 'use', 'tiny');
    expect(code).toBe(0);
    expect(out).toBe(
      'engines.text.local: tiny, from the next start of the gateway on.\nIt is not here yet: "stackgate models pull tiny" fetches it now, the start does otherwise.\n',
    );
    expect(readFileSync(join(folder, 'data', 'default-model'), 'utf8')).toBe('tiny\n');
    expect((await run('models', 'list')).out).toMatch(/^tiny .*in use, not tried$/m);
  });

  it('prints what to change where the file names the model, and switches nothing', async () => {
    const { run, folder } = await bench(
      'engines: { text: { cpu: { kind: llama, model: smollm2-135m-instruct } } }',
    );
    const { code, out } = await run('models', 'use', 'tiny');
    expect(code).toBe(3);
    expect(out).toBe(
      `${join(folder, 'stackgate.yaml')} names the model of engines.text.cpu. To switch, change there:\nengines:\n  text:\n    cpu:\n      model: tiny\n`,
    );
    expect(existsSync(join(folder, 'data', 'default-model'))).toBe(false);
  });

  it('takes the path of a file', async () => {
    const { run, folder } = await bench();
    const path = join(folder, 'own.gguf');
    expect(await run('models', 'use', path)).toMatchObject({
      code: 3,
      err: expect.stringContaining('no GGUF file'),
    });
    writeFileSync(path, testModel);
    expect(await run('models', 'use', path)).toMatchObject({ code: 0 });
    expect(readFileSync(join(folder, 'data', 'default-model'), 'utf8')).toBe(`${path}\n`);
  });

  it.each([
    ['reader', undefined, 'reader is a model for ocr: set it as engines.ocr.model'],
    ['missing', undefined, 'There is no model "missing" in the catalogue'],
    [
      'tiny',
      'engines: { text: { gpu: { kind: openai, base_url: "http://h/v1", model: m } } }',
      'has no text engine of kind llama',
    ],
  ])('refuses %s where it makes no sense', async (model, config, reason) => {
    const { run } = await bench(config);
    const { code, err } = await run('models', 'use', model);
    expect(code).toBe(3);
    expect(err).toContain(reason);
  });
});
