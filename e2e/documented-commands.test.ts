import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_TEXT_MODEL } from '../src/catalogue/catalogue-data.ts';
import { ModelStore } from '../src/catalogue/model-store.ts';
import { processEnvironment } from '../src/config/process-environment.ts';
import { eventually } from './eventually.ts';
import { type GatewayProcess, startGateway } from './gateway-process.ts';
import { linkTree } from './packaging/link-tree.ts';
import { comparable, type ShellBlock, shellBlocks } from './shell-blocks.ts';
import { WorkFolder } from './work-folder.ts';

const run = promisify(execFile);
const FETCH_MS = 300_000;
const root = fileURLToPath(new URL('..', import.meta.url));
const cache = join(root, '.cache');
const readme = shellBlocks(join(root, 'README.md'));
/** The others are how to install, start and test: "a clean clone" of the packaging tests does that. */
const requests = readme.filter(({ script }) => script.includes('curl -s'));
const documents = [
  ['README.md', requests],
  ['docs/examples.md', shellBlocks(join(root, 'docs/examples.md'))],
  ['docs/admin-api.md', shellBlocks(join(root, 'docs/admin-api.md'))],
] as const;

/** The folder in which the model lies that a first start would fetch; says why where there is none. */
async function fetched(name: string, dataDir: string): Promise<string | undefined> {
  const store = new ModelStore({ dataDir, environment: processEnvironment() });
  try {
    await store.install(name, { signal: AbortSignal.timeout(FETCH_MS) });
    return join(dataDir, 'models', name);
  } catch (error) {
    console.warn(`skipped: ${name} cannot be fetched: ${error instanceof Error ? error.message : error}`);
    return undefined;
  }
}

async function hasTools(): Promise<boolean> {
  const tools = ['curl', 'jq', 'npx'].map((tool) => run(tool, ['--version']));
  const isHad = (await Promise.allSettled(tools)).every(({ status }) => status === 'fulfilled');
  if (!isHad) console.warn('skipped: the examples need curl, jq and npx');
  return isHad;
}

const textModel = await fetched(DEFAULT_TEXT_MODEL, cache);
const ocrModel = await fetched('pp-ocrv6-small', join(cache, 'ocr-models'));
const isRunnable = textModel !== undefined && ocrModel !== undefined && (await hasTools());

describe('README.md', () => {
  it('begins with the two commands that "a clean clone" and CI run', () => {
    const [first] = readme;
    expect(first?.script).toMatch(/^npm ci && npm start\b.*\nnpm ci && npm test\b/);
    expect(readFileSync(join(root, '.ci/run'), 'utf8')).toContain('npm ci && npm test');
  });
});

describe.skipIf(!isRunnable)('commands of the documents, as printed, on the built-in engines', () => {
  let folder: WorkFolder;
  let gateway: GatewayProcess;

  beforeAll(async () => {
    folder = await WorkFolder.withDatabase();
    prepare(folder);
    gateway = await startGateway(folder);
    await eventually(
      'the model is ready',
      () => gateway.stdout.includes('is ready. Ask it:') || undefined,
      180_000,
    );
  });
  afterAll(async () => {
    await gateway?.[Symbol.asyncDispose]();
    folder?.[Symbol.dispose]();
  });

  describe.each(documents)('%s', (name, blocks) => {
    let ran: Ran;
    beforeAll(async () => {
      ran = await runBlocks(blocks, { folder, url: gateway.url, name: name.replaceAll('/', '-') });
    });

    it('succeeds in every command', () => {
      expect(ran.failure).toBe('');
    });

    it.each(blocks.map((block, at) => ({ ...block, at })))(
      'prints what line $line says',
      ({ at, output }) => {
        if (output === undefined) return;
        const { printed, stated } = comparable(ran.printed(at), output);
        expect(printed).toEqual(stated);
      },
    );
  });
});

/** The files that `npm ci && npm start` leaves behind: models, the documents, `npx stackgate`. */
function prepare(folder: WorkFolder): void {
  for (const [name, path] of [
    [DEFAULT_TEXT_MODEL, textModel] as const,
    ['pp-ocrv6-small', ocrModel] as const,
  ])
    if (path !== undefined) linkTree(path, join(folder.dataDir, 'models', name));
  symlinkSync(join(root, 'docs'), join(folder.path, 'docs'));
  const commands = join(folder.path, 'node_modules', '.bin');
  mkdirSync(commands, { recursive: true });
  symlinkSync(join(root, 'dist', 'main.js'), join(commands, 'stackgate'));
  // A refusal is a failure, and says why.
  writeFileSync(join(folder.path, '.curlrc'), 'fail-with-body\nshow-error\nnoproxy = "*"\n');
}

interface Ran {
  /** Which block failed, and what it wrote; empty where none did. */
  readonly failure: string;
  printed(at: number): string;
}

/** Runs blocks in one shell, as a person would who pastes them one after the other. */
async function runBlocks(
  blocks: readonly ShellBlock[],
  { folder, url, name }: { readonly folder: WorkFolder; readonly url: string; readonly name: string },
): Promise<Ran> {
  const fileOf = (at: number) => join(folder.path, `${name}-${at}.out`);
  const script = blocks.map(
    ({ script, line }, at) => `echo 'line ${line}' >&2; exec > '${fileOf(at)}'\n${script}`,
  );
  const environment = {
    PATH: process.env.PATH,
    HOME: folder.path,
    CURL_HOME: folder.path,
    URL: url,
    STACKGATE_PORT: new URL(url).port,
  };
  const failure = await run('bash', ['-eo', 'pipefail', '-c', script.join('\n')], {
    cwd: folder.path,
    env: environment,
  }).then(
    () => '',
    (error: Error & { stderr?: string }) => `${error.stderr}`.slice(-2000),
  );
  return { failure, printed: (at) => (existsSync(fileOf(at)) ? readFileSync(fileOf(at), 'utf8') : '') };
}
