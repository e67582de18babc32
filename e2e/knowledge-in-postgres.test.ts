import { join } from 'node:path';
import { type EmbeddedDatabase, openEmbeddedDatabase } from '@stackgate/pglite-host';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pgvectorAddress } from '../testing/knowledge/vector-database.ts';
import { copyMigratedTemplate } from '../testing/migrated-template.ts';
import { multipartBody, multipartType } from '../testing/multipart.ts';
import { eventually } from './eventually.ts';
import { type GatewayProcess, startGateway } from './gateway-process.ts';
import { runCommand, runForJson } from './run-command.ts';
import { StackgateProcess } from './stackgate-process.ts';
import { WorkFolder } from './work-folder.ts';

const key = 'sk-editor-0123456789abcdef';
/** Enough that moving all of them takes many times as long as seeing the first one moved. */
const COPIES = 300;
const moving = ['knowledge', 'reindex', '--to', 'postgres'];

describe('knowledge in PostgreSQL', () => {
  let folder: WorkFolder;
  let server: EmbeddedDatabase;
  let gateway: GatewayProcess;
  let environment: Readonly<Record<string, string>>;

  beforeAll(async () => {
    folder = WorkFolder.empty();
    const dataDir = join(folder.path, 'server');
    await copyMigratedTemplate(dataDir);
    const extensions = { vector: pgvectorAddress() };
    server = await openEmbeddedDatabase({ dataDir, log: () => {}, extensions });
    environment = { DATABASE_URL: `postgres://postgres@${encodeURIComponent(dataDir)}/postgres` };
    configure('embedded');
    gateway = await startGateway(folder, environment);
  });
  afterAll(async () => {
    await gateway?.[Symbol.asyncDispose]();
    await server?.close();
    folder?.[Symbol.dispose]();
  });

  it('is brought there while questions go on, by a command that may be interrupted', async () => {
    await add('returns.md', '# Returns\n\nShoes can be sent back within thirty days.');
    await copyDocument();
    await using interrupted = new StackgateProcess(command(...moving));
    await eventually('a document was moved', async () => ((await moved()) > 0 ? true : undefined));
    interrupted.signal('SIGINT');
    await interrupted.exited;
    const before = await moved();
    expect(before).toBeLessThan(COPIES);
    expect(await search('Within how many days can shoes be sent back?')).toContainEqual(
      expect.stringMatching(/returns\.md$/),
    );
    expect(await runForJson(command(...moving))).toEqual({ kind: 'postgres', moved: COPIES + 1 - before });
  });

  it('is searched there, as soon as a document is there and as long as it is', async () => {
    await gateway.stop();
    configure('postgres');
    gateway = await startGateway(folder, environment);
    const question = 'When does the museum open on Saturdays?';
    expect(await search(question)).not.toContain('museum.md');
    const id = await add('museum.md', '# Museum\n\nOn Saturdays the museum opens at nine.');
    expect((await search(question))[0]).toBe('museum.md');
    await gateway.request(`/v1/knowledge/${id}`, { method: 'DELETE', key });
    expect(await search(question)).not.toContain('museum.md');
  });

  it('is what doctor looks for', async () => {
    const { stdout } = await runCommand(command('doctor'));
    expect(stdout).toMatch(/PostgreSQL with pgvector \d/);
  });

  const command = (...argv: readonly string[]) => gateway.command(argv, environment);

  /** Names of documents, best passage first. */
  async function search(query: string): Promise<readonly string[]> {
    const answer = await gateway.request('/v1/knowledge/search', {
      method: 'POST',
      key,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, limit: 50 }),
    });
    expect(answer.status, answer.text).toBe(200);
    const { data } = answer.json() as { data: readonly { document: string }[] };
    return data.map(({ document }) => document);
  }

  /** Resolves with its id when it is found. */
  async function add(name: string, text: string): Promise<string> {
    const body = multipartBody([{ name: 'file', fileName: name, bytes: Buffer.from(text) }]);
    const form = { method: 'POST', key, headers: { 'content-type': multipartType }, body };
    const { data } = (await gateway.request('/v1/knowledge', form)).json() as { data: [{ id: string }] };
    const [{ id }] = data;
    return await eventually(`${name} is ready`, async () => {
      const known = (await gateway.request(`/v1/knowledge/${id}`, { key })).json() as { state: string };
      return known.state === 'ready' ? id : undefined;
    });
  }

  /** As if it had been added many times: with its passages and their vectors. */
  async function copyDocument(): Promise<void> {
    const copies = `generate_series(1, ${COPIES}) copy`;
    const changed = (table: string, members: string) =>
      `(jsonb_populate_record(null::${table}, to_jsonb(${table}) || jsonb_build_object(${members}))).*`;
    await server.pool.query(
      `insert into knowledge_documents select ${changed('knowledge_documents', "'id', 'doc_' || md5(copy::text), 'name', copy || name")} from knowledge_documents, ${copies}`,
    );
    await server.pool.query(
      `insert into knowledge_chunks select ${changed('knowledge_chunks', "'document_id', 'doc_' || md5(copy::text)")} from knowledge_chunks, ${copies}`,
    );
  }

  async function moved(): Promise<number> {
    const { rows } = await server.pool.query<{ there: string | null }>(
      `select to_regclass('knowledge_search.documents') as there`,
    );
    if (rows[0]?.there === null) return 0;
    const counted = await server.pool.query<{ count: string }>(
      'select count(*) from knowledge_search.documents where is_live',
    );
    return Number(counted.rows[0]?.count);
  }

  function configure(kind: string): void {
    folder.configure(`
engines:
  search: { kind: ${kind} }
  text: { gpu: { kind: openai, base_url: http://127.0.0.1:9/v1, model: m, context_window: 9000 } }
stacks:
  - id: shop
    account: acme
    keys: [{ id: editor, secret: ${key}, knowledge: write, retrieval: true }]
`);
  }
});
