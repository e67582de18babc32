import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FakeUpstream, startFakeUpstream } from '../testing/fake-upstream/fake-upstream.mjs';
import { realPostgresAvailable } from '../testing/real-postgres/postgres-binaries.ts';
import { startRealPostgres } from '../testing/real-postgres/real-postgres.ts';
import { eventually } from './eventually.ts';
import { type GatewayProcess, startGateway } from './gateway-process.ts';
import { runForJson } from './run-command.ts';
import { WorkFolder } from './work-folder.ts';

const KEY = 'sk-e2e-responses-0123456789';
const PATH = '/v1/responses';
type Fields = Readonly<Record<string, unknown>>;

let folder: WorkFolder;
let upstream: FakeUpstream;
beforeAll(async () => {
  upstream = await startFakeUpstream({});
  folder = await WorkFolder.withDatabase();
  folder.configure(configuration());
});
afterAll(async () => {
  folder?.[Symbol.dispose]();
  await upstream?.close();
});

const configuration = () => `server: { port: 0, drain_delay_seconds: 0 }
engines:
  text: { gpu: { kind: openai, base_url: ${upstream.url}/v1, model: tiny } }
stacks:
  - { id: shop, account: acme, plan: go, keys: [{ id: web, secret: ${KEY} }] }
`;

async function create(gateway: GatewayProcess, fields: Fields): Promise<Fields> {
  const body = JSON.stringify({ model: 'tiny', input: 'Hello', ...fields });
  const headers = { 'content-type': 'application/json' };
  // The engine needs a moment after the start.
  return await eventually('a response', async () => {
    const { status, json } = await gateway.request(PATH, { method: 'POST', key: KEY, headers, body });
    if (status === 503) return undefined;
    expect(status).toBe(200);
    return json() as Fields;
  });
}

it('responses outlive the process, also those in the background, and operators can erase them', async () => {
  let first: Fields;
  {
    await using gateway = await startGateway(folder);
    first = await create(gateway, {});
    await gateway.kill();
  }
  await using gateway = await startGateway(folder);
  const read = await gateway.request(`${PATH}/${first.id}`, { key: KEY });
  expect(read.json()).toEqual(first);
  const queued = await create(gateway, { background: true, previous_response_id: first.id });
  expect(queued.status).toBe('queued');
  const done = await eventually('the response is complete', async () => {
    const answer = await gateway.request(`${PATH}/${queued.id}`, { key: KEY });
    const { status, output } = answer.json() as Fields;
    return status === 'completed' ? output : undefined;
  });
  expect(done).toHaveLength(1);
  const { body } = upstream.requests.at(-1) ?? {};
  expect(body).toMatchObject({ messages: [{ role: 'user' }, { role: 'assistant' }, { role: 'user' }] });
  expect(await gateway.stop()).toEqual({ code: 0, signal: null });
  const erased = await runForJson(gateway.command(['responses', 'erase', '--key', 'shop/web']));
  expect(erased).toMatchObject({ responses: 2, conversations: 0, scope: 'key' });
});

it.runIf(realPostgresAvailable)('another replica makes a response whose replica was killed', async () => {
  await using server = await startRealPostgres();
  using first = WorkFolder.empty();
  using second = WorkFolder.empty();
  for (const each of [first, second]) each.configure(configuration());
  const environment = { DATABASE_URL: await server.createDatabase() };
  await using doomed = await startGateway(first, environment);
  let asked = 0;
  // The model says nothing to the replica that is killed.
  upstream.script(({ path }) => {
    if (path !== '/v1/chat/completions') return undefined;
    asked += 1;
    return asked === 1 ? new Promise(() => {}) : { text: 'Made by the other one.' };
  });
  const queued = await create(doomed, { background: true });
  await eventually('the first replica makes it', () => asked === 1 || undefined);
  await using survivor = await startGateway(second, environment);
  await doomed.kill();
  const done = await eventually('the other one has made it', async () => {
    const { json } = await survivor.request(`${PATH}/${queued.id}`, { key: KEY });
    const { status, output } = json() as Fields;
    return status === 'completed' ? output : undefined;
  });
  expect(done).toMatchObject([{ content: [{ text: 'Made by the other one.' }] }]);
  expect(asked).toBe(2);
});
