import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeChosenModel } from './chosen-model.ts';
import type { Config } from './config.ts';
import { loadConfig } from './load-config.ts';
import type { Environment } from './process-environment.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stackgate-config-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

async function write(name: string, text: string | Buffer): Promise<string> {
  await writeFile(join(folder, name), text);
  return name;
}

function load(
  options: { readonly configFlag?: string; readonly environment?: Environment } = {},
): Promise<Config> {
  return loadConfig({ environment: {}, workingDirectory: folder, ...options });
}

describe('the file', () => {
  test('is the one of --config, else of STACKGATE_CONFIG, else ./stackgate.yaml, else none', async () => {
    const environment = { STACKGATE_CONFIG: await write('variable.yaml', 'server: { port: 2 }') };
    const configFlag = await write('flag.yaml', 'server: { port: 1 }');
    expect((await load()).file).toBeUndefined();
    await write('stackgate.yaml', 'server: { port: 3 }');
    expect(await load({ configFlag, environment })).toMatchObject({
      file: join(folder, 'flag.yaml'),
      server: { port: 1 },
    });
    expect((await load({ environment })).server.port).toBe(2);
    expect((await load({ environment: { STACKGATE_CONFIG: '' } })).server.port).toBe(3);
    expect(await load()).toMatchObject({ file: join(folder, 'stackgate.yaml') });
  });

  test('must be there when it is named', async () => {
    await expect(load({ configFlag: 'no.yaml', environment: { STACKGATE_PORT: 'x' } })).rejects.toThrow(
      /^no\.yaml: the file does not exist \(named by --config\)\nenvironment: STACKGATE_PORT: .*$/,
    );
    await expect(load({ environment: { STACKGATE_CONFIG: 'a/no.yaml' } })).rejects.toThrow(
      /^a\/no\.yaml: the file does not exist \(named by STACKGATE_CONFIG\)$/,
    );
  });

  test('must be a readable text file of a sane size', async () => {
    await mkdir(join(folder, 'stackgate.yaml'));
    await expect(load()).rejects.toThrow(/^stackgate\.yaml: expected a file, got a folder$/);
    await write('latin.yaml', Buffer.from([0x61, 0x3a, 0x20, 0xe9]));
    await expect(load({ configFlag: 'latin.yaml' })).rejects.toThrow(
      'latin.yaml: the file is not UTF-8 text',
    );
    await write('large.yaml', `# ${'x'.repeat(1024 * 1024)}`);
    await expect(load({ configFlag: 'large.yaml' })).rejects.toThrow(
      'large.yaml: the file is larger than 1048576 bytes',
    );
    await expect(load({ configFlag: 'latin.yaml/x' })).rejects.toThrow(
      'latin.yaml/x: the file cannot be read (ENOTDIR)',
    );
    await expect(load({ configFlag: '/dev/zero' })).rejects.toThrow('/dev/zero: the file is larger than');
  });

  test.skipIf(process.getuid?.() === 0)('must be one this user may read', async () => {
    await write('stackgate.yaml', '');
    await chmod(join(folder, 'stackgate.yaml'), 0o000);
    await expect(load()).rejects.toThrow(/^stackgate\.yaml: the file may not be read by this user$/);
  });

  test.each([
    ['empty', ''],
    ['only a comment', '# nothing\n'],
    ['with a byte order mark', '\uFEFFserver:\n'],
    [
      'full of blank sections',
      'server:\nlog:\nretention:\ntelemetry:\ndatabase:\nblobs:\nplans:\n  go:\nstacks:\nengines:\n  text:\n  image: {}\n  ocr:\n',
    ],
  ])('that is %s means the defaults', async (_, text) => {
    const defaults = await load();
    await write('stackgate.yaml', text);
    expect(await load()).toEqual({ ...defaults, file: join(folder, 'stackgate.yaml') });
  });
});

test('the defaults embed everything', async () => {
  const noLimits = { extraction: {}, pdf: {}, images: {} };
  expect(await load()).toEqual({
    server: {
      host: '127.0.0.1',
      port: 8080,
      trustProxy: false,
      drainDelaySeconds: 5,
      cors: { origins: [] },
      bodyMemory: 'auto',
      maxConnections: 10_000,
      maxConnectionsPerAddress: 1_000,
      sharedReads: true,
    },
    dataDir: join(folder, 'data'),
    log: { level: 'info' },
    retention: { imagesDays: 30, filesDays: 30, responsesDays: 30, usageDays: 400 },
    files: { maxBytes: 52_428_800 },
    extraction: { hints: false },
    console: { enabled: 'auto' },
    telemetry: { sampleRatio: 0.1 },
    prices: { currency: 'EUR', models: {} },
    budgets: { accounts: {} },
    engines: {
      text: {
        local: {
          kind: 'llama',
          model: 'smollm2-135m-instruct',
          isModelNamed: false,
          threads: 1,
          sequences: 2,
          contextWindow: 16384,
          idlePauseMinutes: 15,
          extraction: 'grounded',
          adapter: 'built-in',
        },
      },
      image: { painter: { kind: 'diffusion', threads: 1, idlePauseMinutes: 15 } },
      ocr: { kind: 'embedded', model: 'pp-ocrv6-small', threads: 1 },
      pdf: { kind: 'chromium', sandbox: 'preferred', maxInFlight: 4, timeoutSeconds: 60, memoryMb: 1500 },
      embeddings: { kind: 'embedded' },
      search: { kind: 'embedded', memoryBytes: 1_073_741_824 },
    },
    plans: { go: noLimits, pro: noLimits, max: noLimits, enterprise: noLimits },
    stacks: [],
    usesDefaultStack: true,
  });
});

describe('the environment', () => {
  test('wins over the file', async () => {
    await write(
      'stackgate.yaml',
      'server: { host: h, port: 1 }\ndata_dir: d\ndatabase: { url: "postgres://file" }\nlog: { level: warn }\n',
    );
    const config = await load({
      environment: {
        STACKGATE_HOST: '::1',
        STACKGATE_PORT: '0',
        STACKGATE_DATA: 'elsewhere',
        DATABASE_URL: 'postgresql://variable',
        STACKGATE_LOG_LEVEL: 'debug',
      },
    });
    expect(config).toMatchObject({
      server: { host: '::1', port: 0 },
      dataDir: join(folder, 'elsewhere'),
      log: { level: 'debug' },
    });
    expect(config.database?.url.reveal()).toBe('postgresql://variable');
  });

  test('that is empty leaves the file alone', async () => {
    await write('stackgate.yaml', 'server: { port: 1 }\n');
    expect((await load({ environment: { STACKGATE_PORT: '', STACKGATE_HOST: '' } })).server.port).toBe(1);
  });
});

test('paths are relative to the file, and STACKGATE_DATA to the working directory', async () => {
  await mkdir(join(folder, 'etc'));
  await write(
    'etc/gate.yaml',
    'data_dir: ../state\nengines: { pdf: { kind: chromium, executable: bin/chromium } }\nstacks: [{ id: a, plan: go, knowledge: [a.md, /b.md, ./docs/] }]\n',
  );
  const config = await load({ configFlag: 'etc/gate.yaml' });
  expect(config.dataDir).toBe(join(folder, 'state'));
  expect(config.engines.pdf.executable).toBe(join(folder, 'etc/bin/chromium'));
  expect(config.stacks[0]?.knowledge).toEqual([
    { kind: 'path', source: 'a.md', path: join(folder, 'etc/a.md'), isFolder: false },
    { kind: 'path', source: '/b.md', path: '/b.md', isFolder: false },
    { kind: 'path', source: 'docs', path: join(folder, 'etc/docs'), isFolder: true },
  ]);
  const moved = await load({ configFlag: 'etc/gate.yaml', environment: { STACKGATE_DATA: 'state' } });
  expect(moved.dataDir).toBe(join(folder, 'state'));
});

describe('the embedded model', () => {
  const modelOf = async (name = 'local') => (await load()).engines.text[name];

  test('is the one chosen by command, where the file names none', async () => {
    await writeChosenModel(join(folder, 'data'), 'qwen3-4b');
    expect(await modelOf()).toMatchObject({ model: 'qwen3-4b', isModelNamed: false });
    expect(Object.isFrozen(await modelOf())).toBe(true);
    await write('stackgate.yaml', 'engines: { text: { local: { kind: llama, model: named } } }');
    expect(await modelOf()).toMatchObject({ model: 'named', isModelNamed: true });
  });

  test('is looked for in the data folder that is really used', async () => {
    await writeChosenModel(join(folder, 'elsewhere'), 'qwen3-4b');
    expect(await modelOf()).toMatchObject({ model: 'smollm2-135m-instruct' });
    await write('stackgate.yaml', 'data_dir: ./elsewhere');
    expect(await modelOf()).toMatchObject({ model: 'qwen3-4b' });
  });

  test('may be a file beside the configuration', async () => {
    await write('stackgate.yaml', 'engines: { text: { local: { kind: llama, model: weights/own.gguf } } }');
    expect(await modelOf()).toMatchObject({ model: join(folder, 'weights/own.gguf') });
  });

  test('may have an adapter beside the configuration, or none', async () => {
    await write('stackgate.yaml', 'engines: { text: { local: { kind: llama, adapter: ours.gguf } } }');
    expect(await modelOf()).toMatchObject({ adapter: join(folder, 'ours.gguf') });
    await write('stackgate.yaml', 'engines: { text: { local: { kind: llama, adapter: none } } }');
    expect(await modelOf()).toMatchObject({ adapter: 'none' });
  });

  test('of a server keeps its name, whatever it looks like', async () => {
    await write(
      'stackgate.yaml',
      'engines: { text: { gpu: { kind: openai, base_url: "http://h/v1", model: Qwen/Qwen3.gguf } } }',
    );
    expect(await modelOf('gpu')).toMatchObject({ model: 'Qwen/Qwen3.gguf' });
  });
});
