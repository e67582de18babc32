import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { makeCertificate } from '../../testing/certificates.mjs';
import { closedPort } from '../../testing/closed-port.ts';
import { makeDataFolder } from '../../testing/data-folder.ts';
import { describeOnDatabase } from '../../testing/describe-on-databases.ts';
import { startFakeUpstream } from '../../testing/fake-upstream/fake-upstream.mjs';
import { MemoryBlobStore } from '../../testing/memory-blob-store.ts';
import { operatorWork } from '../../testing/operator-work.ts';
import { parseTestConfig } from '../../testing/parse-test-config.ts';
import { FakePdfEngine } from '../../testing/pdf/fake-pdf-engine.ts';
import { type SchemaTraits, schemaScript } from '../../testing/text/schema-server.ts';
import { writeTinyModel } from '../../testing/tiny-model/tiny-model.mjs';
import { ModelStore } from '../catalogue/model-store.ts';
import type { Config } from '../config/config.ts';
import { withCredentialFiles } from '../config/credential-files.ts';
import { Fault } from '../faults/fault.ts';
import { openDatabase } from '../store/database.ts';
import { type DoctorParts, examine } from './doctor.ts';
import type { Finding } from './finding.ts';
import { createStack } from './stacks.ts';

const { signal } = new AbortController();

describeOnDatabase('doctor', (database) => {
  it('finds a database with its stacks', async () => {
    const { pool, url } = database();
    await createStack(operatorWork(pool), 'shop', {});
    const config = configWith('', url === undefined ? {} : { DATABASE_URL: url.reveal() });
    expect(await finding('database', { config, withDatabase: (work) => work(pool) })).toEqual({
      check: 'database',
      result: 'ok',
      message: `${url === undefined ? 'embedded' : 'PostgreSQL'}, 1 active stack(s)`,
    });
  });
});

describe('doctor', () => {
  test.each([
    ['v20.11.0', 'ok', 'Node.js v20.11.0'],
    ['v24.1.0', 'ok', 'Node.js v24.1.0'],
    ['v18.20.1', 'failure', 'Node.js v18.20.1 is too old'],
  ])('judges Node.js %s: %s', async (nodeVersion, result, message) => {
    expect(await finding('node', { nodeVersion })).toMatchObject({ result, message });
  });

  it('accepts a private data folder', async () => {
    const config = configWith('');
    expect(await finding('data folder', { config })).toMatchObject({ result: 'ok', message: config.dataDir });
    expect((await finding('disk space', { config }))?.message).toMatch(/^\d+\.\d GB free$/);
  });

  it('warns of a data folder that other users can read', async () => {
    const config = configWith('');
    chmodSync(config.dataDir, 0o755);
    expect(await finding('data folder', { config })).toEqual({
      check: 'data folder',
      result: 'warning',
      message: `other users can look into ${config.dataDir}`,
      remedy: `Run: chmod 700 ${config.dataDir}`,
    });
  });

  it('fails a data folder that cannot be used', async () => {
    const file = join(makeDataFolder(), 'file');
    writeFileSync(file, '');
    const config = parseTestConfig('', { STACKGATE_DATA: join(file, 'data') });
    const found = await finding('data folder', { config });
    expect(found).toMatchObject({
      result: 'failure',
      remedy: 'Give the user that runs the gateway the folder, or set data_dir.',
    });
    expect(found?.message).toMatch(/cannot be used: ENOTDIR/);
  });

  it('fails a database that is down, with its address', async () => {
    const port = await closedPort();
    const config = configWith('', { DATABASE_URL: `postgres://user:hidden@127.0.0.1:${port}/gate` });
    const withDatabase = () =>
      openDatabase({
        url: config.database?.url,
        dataDir: config.dataDir,
        announce: () => {},
        signal: AbortSignal.timeout(50),
      }).then(() => Promise.reject(new Error('there is no such database')));
    expect(await finding('database', { config, withDatabase })).toEqual({
      check: 'database',
      result: 'failure',
      message: `PostgreSQL: the database cannot be reached: connect ECONNREFUSED 127.0.0.1:${port}`,
      remedy: 'Check database.url (or DATABASE_URL) and that the server runs.',
    });
  });

  it('fails an embedded database that cannot be opened', async () => {
    const withDatabase = () => Promise.reject(new Error('in use by process 12'));
    expect(await finding('database', { withDatabase })).toMatchObject({
      result: 'failure',
      message: 'embedded: in use by process 12',
      remedy: 'End the other process that uses the data folder, or choose another data_dir.',
    });
  });

  it.each([
    ['0.8.1', { result: 'ok', message: 'PostgreSQL with pgvector 0.8.1' }],
    ['0.7.0', { result: 'failure', remedy: expect.stringContaining('alter extension vector update') }],
    [undefined, { result: 'failure', remedy: expect.stringContaining('Install pgvector 0.8 or newer') }],
  ])('says whether the database can search: pgvector %s', async (version, expected) => {
    const rows = version === undefined ? [] : [[null, version]];
    const fields = [{ name: 'installed' }, { name: 'available' }];
    const pool = Object.assign(new pg.Pool(), { query: async () => ({ rows, fields, rowCount: 1 }) });
    const config = configWith('engines: { search: { kind: postgres } }');
    const found = await finding('knowledge search', { config, withDatabase: (work) => work(pool) });
    expect(found).toMatchObject(expected);
  });

  it('fails a blob store that cannot be written', async () => {
    const openBlobs = () => Promise.reject(new Error('no room'));
    expect(await finding('blobs', { openBlobs })).toMatchObject({ result: 'failure', message: 'no room' });
    expect(await finding('blobs', {})).toMatchObject({ result: 'ok' });
  });

  it('counts the files of folders of knowledge, and fails one that is missing', async () => {
    const folder = makeDataFolder();
    writeFileSync(join(folder, 'a.md'), '# A');
    const config = configWith(`stacks: [{ id: shop, knowledge: [${folder}/, ${folder}/none/] }]`);
    const found = (await diagnose({ config })).filter(({ check }) => check.startsWith('knowledge'));
    expect(found).toMatchObject([
      { check: `knowledge of shop: ${folder}`, result: 'ok', message: '1 file(s)' },
      { result: 'failure', message: 'it cannot be read: ENOENT' },
    ]);
  });

  it('warns while the OCR model is not installed', async () => {
    expect(await finding('ocr', {})).toMatchObject({
      result: 'warning',
      message: 'the model "pp-ocrv6-small" is not here yet; until it is, scans and pictures cannot be read',
    });
  });

  it('accepts an OCR model, and no other', async () => {
    const file = (role: 'detector' | 'recogniser' | 'weights') => ({ role, path: `/${role}`, sizeBytes: 1 });
    const found = (...roles: ('detector' | 'recogniser' | 'weights')[]) => ({
      models: { find: async (name: string) => ({ name, files: roles.map(file) }) },
    });
    expect(await finding('ocr', found('detector', 'recogniser'))).toMatchObject({ result: 'ok' });
    expect(await finding('ocr', found('weights'))).toMatchObject({ result: 'failure' });
    const find = () => Promise.reject(new Error('There is no model "x" in the catalogue'));
    expect(await finding('ocr', { models: { find } })).toMatchObject({
      result: 'failure',
      message: 'There is no model "x" in the catalogue',
    });
  });

  it('prints a page, and closes the browser again', async () => {
    const engine = new FakePdfEngine();
    expect(await finding('pdf', { openPdfEngine: async () => engine })).toEqual({
      check: 'pdf',
      result: 'ok',
      message: 'the browser printed a page (sandbox)',
    });
    expect([engine.jobs.length, engine.closings]).toEqual([1, 1]);
  });

  it('warns of a browser without its sandbox', async () => {
    const engine = new FakePdfEngine();
    engine.rung = { name: 'no sandbox', isSandboxed: false };
    expect(await finding('pdf', { openPdfEngine: async () => engine })).toMatchObject({
      result: 'warning',
      message: 'the browser printed a page (no sandbox)',
      remedy: expect.stringContaining('engines.pdf.sandbox: required'),
    });
  });

  it('says why a browser that must be sandboxed is not used', async () => {
    const engine = new FakePdfEngine();
    engine.failure = new Fault('model-not-ready', 'The PDF renderer cannot be started now.', {
      cause: new Error('the sandbox is required', { cause: new Error('No usable sandbox!') }),
    });
    expect(await finding('pdf', { openPdfEngine: async () => engine })).toMatchObject({
      result: 'failure',
      message: 'no page can be printed: the sandbox is required: No usable sandbox!',
    });
  });

  it('fails a browser that prints nothing, with the reason that callers are not told', async () => {
    const engine = new FakePdfEngine();
    engine.failure = new Fault('model-not-ready', 'The PDF renderer cannot be started now.', {
      cause: new Error('engines.pdf.executable is /none, which is no program that can be run'),
    });
    expect(await finding('pdf', { openPdfEngine: async () => engine })).toMatchObject({
      result: 'failure',
      message: 'no page can be printed: engines.pdf.executable is /none, which is no program that can be run',
    });
    expect(engine.closings).toBe(1);
  });

  it('accepts a free port', async () => {
    const port = await closedPort();
    const config = configWith('', { STACKGATE_PORT: String(port) });
    expect(await finding('port', { config })).toMatchObject({
      result: 'ok',
      message: `127.0.0.1:${port} is free`,
    });
  });

  it('fails a port that something else uses', async () => {
    const port = await serve((_, response) => response.end('hello'));
    const config = configWith('', { STACKGATE_PORT: String(port) });
    expect(await finding('port', { config })).toEqual({
      check: 'port',
      result: 'failure',
      message: `127.0.0.1:${port} cannot be listened on: EADDRINUSE`,
      remedy: 'Choose another server.port (or STACKGATE_PORT), or end what uses it.',
    });
  });

  it('accepts a port that a gateway uses', async () => {
    const port = await serve((_, response) => response.setHeader('x-request-id', 'req_1').end());
    const config = configWith('', { STACKGATE_PORT: String(port) });
    expect(await finding('port', { config })).toMatchObject({
      result: 'ok',
      message: `a gateway is running on 127.0.0.1:${port}`,
    });
  });

  it('accepts a port that a gateway with TLS uses', async () => {
    const { certificate: cert, key } = makeCertificate();
    const port = await serve((_, response) => response.setHeader('x-request-id', 'req_1').end(), {
      cert,
      key,
    });
    const tls = 'server: { tls: { certificate: a.pem, key: b.pem } }';
    const config = configWith(tls, { STACKGATE_PORT: String(port) });
    expect(await finding('port', { config })).toMatchObject({
      result: 'ok',
      message: `a gateway is running on 127.0.0.1:${port}`,
    });
  });

  it('shows servers the certificate of their engine, and says who does not trust whom', async () => {
    const [server, own] = [makeCertificate(), makeCertificate()];
    const folder = makeDataFolder();
    const files = { 'ca.pem': server.certificate, 'own.pem': own.certificate, 'own-key.pem': own.key };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const port = await serve((_, response) => response.end('{}'), {
      cert: server.certificate,
      key: server.key,
      ca: own.certificate,
      requestCert: true,
    });
    const ask = async (tls: string) => {
      const engine = `kind: openai, base_url: "https://127.0.0.1:${port}/v1", model: m`;
      const config = configWith(`engines: { text: { gpu: { ${engine}, ${tls} } } }`);
      return await finding('text engine gpu', { config: await withCredentialFiles(config) });
    };
    const ca = `ca: ${folder}/ca.pem`;
    expect(
      await ask(`tls: { ${ca}, certificate: ${folder}/own.pem, key: ${folder}/own-key.pem }`),
    ).toMatchObject({
      result: 'ok',
    });
    for (const tls of [`tls: { ${ca} }`, 'vision: false']) {
      expect(await ask(tls)).toMatchObject({
        result: 'failure',
        message: expect.stringMatching(/and the gateway do not trust each other \(\w+\)$/),
        remedy: expect.stringContaining('Check its tls'),
      });
    }
  });

  it('loads an installed embedded model, and fails one that cannot be loaded', async () => {
    const folder = makeDataFolder();
    const [good, bad] = [join(folder, 'good.gguf'), join(folder, 'bad.gguf')];
    await writeTinyModel(good);
    writeFileSync(bad, 'GGUF and nothing else');
    const resultOf = (model: string) =>
      finding('text engine local', {
        config: configWith(`engines: { text: { local: { kind: llama, model: ${model} } } }`),
      });
    expect(await resultOf(good)).toMatchObject({ result: 'ok', message: 'the model good is here and loads' });
    expect(await resultOf(bad)).toMatchObject({ result: 'failure' });
    expect(await resultOf(join(folder, 'none.gguf'))).toMatchObject({ result: 'failure' });
  });

  it('warns of embedded engines that are not installed', async () => {
    expect(await finding('text engine local', {})).toMatchObject({
      result: 'warning',
      remedy: 'Run: stackgate models pull smollm2-135m-instruct',
    });
    expect(await finding('image engine painter', {})).toMatchObject({ result: 'ok' });
  });

  test.each([
    ['answers', 200, 'ok', undefined],
    ['wants another key', 401, 'failure', 'Check its api_key.'],
    ['has no such path', 404, 'failure', 'Check its base_url.'],
  ])('asks an engine server that %s', async (_, status, result, remedy) => {
    const asked: unknown[] = [];
    const port = await serve((request, response) => {
      if (request.method === 'GET') asked.push([request.url, request.headers.authorization]);
      response.writeHead(status).end('{}');
    });
    const config = configWith(`
engines:
  text: { gpu: { kind: openai, base_url: "http://127.0.0.1:${port}/v1", api_key: sk-engine, model: m } }
  image:
    flux: { kind: openai-images, base_url: "http://127.0.0.1:${port}/v1", api_key: sk-engine, model: m }
    forge: { kind: sdapi, base_url: "http://127.0.0.1:${port}", model: m }`);
    const findings = await diagnose({ config });
    for (const check of ['text engine gpu', 'image engine flux', 'image engine forge']) {
      const found = findings.find((each) => each.check === check);
      expect({ check, result: found?.result, remedy: found?.remedy }).toEqual({ check, result, remedy });
    }
    expect(asked).toHaveLength(3);
    expect(asked).toEqual(
      expect.arrayContaining([
        ['/v1/models', 'Bearer sk-engine'],
        ['/sdapi/v1/sd-models', undefined],
      ]),
    );
  });

  it.each<[string, SchemaTraits, Finding['result'], RegExp]>([
    ['holds answers to them', { holds: ['json_schema'] }, 'ok', /holds answers to schemas \(json_schema\)/],
    [
      'takes them as older servers do',
      { holds: ['guided_json'], refuses: ['json_schema'] },
      'ok',
      /holds answers to schemas \(guided_json\)/,
    ],
    [
      'is told of them in words',
      { holds: ['json_object'], refuses: ['json_schema'] },
      'warning',
      /in words only/,
    ],
    ['ignores them', { holds: [] }, 'warning', /ignores schemas/],
    ['takes them in no form', { holds: [], refuses: ['json_schema'] }, 'warning', /in no form/],
  ])('finds out by a schema of its own whether a server %s', async (_, traits, result, message) => {
    await using upstream = await startFakeUpstream({ apiKey: 'sk-engine' });
    upstream.script(schemaScript(() => traits));
    const config = configWith(`
engines:
  text: { gpu: { kind: openai, base_url: "${upstream.url}/v1", api_key: sk-engine, model: fake-model } }`);
    const found = await finding('schemas of text engine gpu', { config });
    expect(found).toMatchObject({ result, message: expect.stringMatching(message) });
  });

  it('does not judge a server by an answer that failed or was cut off', async () => {
    await using upstream = await startFakeUpstream();
    const config = configWith(`
engines: { text: { gpu: { kind: openai, base_url: "${upstream.url}/v1", model: fake-model } } }`);
    const find = () => finding('schemas of text engine gpu', { config });
    upstream.respond({ fail: { mode: 'status', status: 404 } }, { finishReason: 'length' });
    expect((await find())?.message).toMatch(/could not be found out: it answers a chat with 404/);
    expect((await find())?.message).toMatch(/could not be found out: its answer was cut off/);
  });

  it('fails an engine of which one server is missing', async () => {
    const [alive, gone] = [await serve((_, response) => response.end('{}')), await closedPort()];
    const config = configWith(`
engines:
  text:
    gpu: { kind: openai, base_urls: ["http://127.0.0.1:${alive}/v1", "http://127.0.0.1:${gone}/v1"], model: m }`);
    expect(await finding('text engine gpu', { config })).toEqual({
      check: 'text engine gpu',
      result: 'failure',
      message: `http://127.0.0.1:${gone}/v1/models does not answer`,
      remedy: 'Start the server, or correct its base_url.',
    });
  });
});

function configWith(text: string, environment: Readonly<Record<string, string>> = {}): Config {
  return parseTestConfig(text, { STACKGATE_DATA: makeDataFolder(), STACKGATE_PORT: '0', ...environment });
}

function diagnose({ config = configWith(''), ...parts }: Partial<DoctorParts>): Promise<readonly Finding[]> {
  return examine({
    config,
    nodeVersion: process.version,
    openBlobs: async () => new MemoryBlobStore(),
    withDatabase: () => Promise.reject(new Error('not asked here')),
    models: new ModelStore({ dataDir: config.dataDir, environment: {} }),
    openPdfEngine: async () => new FakePdfEngine(),
    signal,
    ...parts,
  });
}

async function finding(check: string, parts: Partial<DoctorParts>): Promise<Finding | undefined> {
  return (await diagnose(parts)).find((found) => found.check === check);
}

/** Serves on a port of 127.0.0.1 until the test ends. */
async function serve(answer: RequestListener, tls?: ServerOptions): Promise<number> {
  const server: Server = tls === undefined ? createServer(answer) : createSecureServer(tls, answer);
  server.listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
