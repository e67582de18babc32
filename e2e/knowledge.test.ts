import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openEmbeddedDatabase } from '@stackgate/pglite-host';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { multipartBody, multipartType } from '../testing/multipart.ts';
import { eventually } from './eventually.ts';
import { type GatewayProcess, startGateway } from './gateway-process.ts';
import { runForJson } from './run-command.ts';
import { WorkFolder } from './work-folder.ts';

const key = 'sk-editor-0123456789abcdef';
/** A model reads each document, which takes long on a busy machine. */
const SLOW_MS = 120_000;

interface Document {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly searchable: boolean;
  readonly chunks: number;
  readonly declared: boolean;
  readonly source: string | null;
}

describe('knowledge', () => {
  let folder: WorkFolder;
  let gateway: GatewayProcess;
  beforeAll(async () => {
    folder = await WorkFolder.withDatabase();
    write('handbook.md', '# Opening hours\n\nWe open at nine.');
    mkdirSync(join(folder.path, 'docs'));
    write('docs/returns.md', '# Returns\n\nWithin thirty days.');
    configure(['handbook.md', 'missing.md', 'docs/']);
    gateway = await startGateway(folder, { STACKGATE_LOG_LEVEL: 'info' });
  });
  afterAll(async () => {
    await gateway?.[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  it('brings declared files in, and says which one it cannot', async () => {
    await ready('handbook.md', { declared: true, chunks: 1 });
    const [line] = await gateway.logged('a file of the knowledge of a stack was not taken');
    expect(line).toMatchObject({ stack: 'shop', path: join(folder.path, 'missing.md'), reason: 'ENOENT' });
  });

  it('follows a folder, and shows it', async () => {
    const source = { declared: true, source: 'docs' };
    const { id } = await ready('docs/returns.md', source);
    write('docs/shipping.md', '# Shipping\n\nTwo days.');
    await ready('docs/shipping.md', source);
    rmSync(join(folder.path, 'docs/shipping.md'));
    await eventually('it is gone', async () =>
      (await find('docs/shipping.md')) === undefined ? true : undefined,
    );
    const removal = await gateway.request(`/v1/knowledge/${id}`, { method: 'DELETE', key });
    expect(removal.status).toBe(409);
    expect(await runForJson(gateway.command(['knowledge', 'folders']))).toMatchObject([
      { stack: 'shop', source: 'docs', files: 1, ready: 1, problem: null },
    ]);
  });

  it('indexes what a command adds, while it runs', async () => {
    write('prices.csv', 'item,price\ntea,2\ncoffee,3');
    const argv = ['knowledge', 'add', 'shop', 'prices.csv'];
    expect(await runForJson(gateway.command(argv))).toMatchObject([{ name: 'prices.csv', state: 'queued' }]);
    await ready('prices.csv', { declared: false });
  });

  it('goes on after kill -9 with what was taken in', async () => {
    const text = Array.from({ length: 10 }, (_, index) => `# Part ${index}\n\n${'Some words. '.repeat(30)}`);
    const answer = await gateway.request('/v1/knowledge', {
      method: 'POST',
      key,
      headers: { 'content-type': multipartType },
      body: multipartBody([{ name: 'file', fileName: 'long.md', bytes: Buffer.from(text.join('\n\n')) }]),
    });
    expect(answer.status).toBe(200);
    await eventually('it has begun', async () =>
      (await find('long.md'))?.state === 'queued' ? undefined : true,
    );
    await gateway.kill();
    await endLeases();
    gateway = await startGateway(folder, { STACKGATE_LOG_LEVEL: 'info' });
    await ready('long.md', {});
  });

  it('removes what the file does not declare any more, and what a client removes', async () => {
    configure([]);
    gateway.signal('SIGHUP');
    await eventually('they are gone', async () =>
      ((await find('handbook.md')) ?? (await find('docs/returns.md'))) ? undefined : true,
    );
    const { id = '' } = (await find('prices.csv')) ?? {};
    const removal = await gateway.request(`/v1/knowledge/${id}`, { method: 'DELETE', key });
    expect(removal.json()).toEqual({ id, object: 'knowledge.document', deleted: true });
    expect(await find('prices.csv')).toBeUndefined();
    const { text } = await gateway.request('/metrics');
    expect(text).toContain('stackgate_knowledge_documents{state="ready"} 1');
    rmSync(join(folder.path, 'prices.csv'));
  });

  const write = (name: string, text: string) => writeFileSync(join(folder.path, name), text);
  const ready = (name: string, facts: Partial<Document>) =>
    eventually(
      `${name} is ready`,
      async () => {
        const document = await find(name);
        if (document?.state !== 'ready') return undefined;
        expect(document).toMatchObject({ searchable: true, ...facts });
        return document;
      },
      SLOW_MS,
    );

  async function find(name: string): Promise<Document | undefined> {
    const list = (await gateway.request('/v1/knowledge', { key })).json() as { data: readonly Document[] };
    return list.data.find((document) => document.name === name);
  }

  /** Does at once to the tasks of a killed process what half a minute does. */
  async function endLeases(): Promise<void> {
    const { pool, close } = await openEmbeddedDatabase({ dataDir: folder.dataDir, log: () => {} });
    await pool.query('update knowledge_documents set lease_until = now() where lease_until is not null');
    await close();
  }

  function configure(knowledge: readonly string[]): void {
    folder.configure(`
engines: { text: { gpu: { kind: openai, base_url: http://127.0.0.1:9/v1, model: m, context_window: 9000 } } }
stacks:
  - id: shop
    account: acme
    knowledge: [${knowledge.join(', ')}]
    keys: [{ id: editor, secret: ${key}, knowledge: write }]
`);
  }
});
