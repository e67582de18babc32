import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type FakeUpstream,
  type RecordedRequest,
  startFakeUpstream,
} from '../testing/fake-upstream/fake-upstream.mjs';
import { makePng } from '../testing/fake-upstream/make-png.mjs';
import { realPostgresAvailable } from '../testing/real-postgres/postgres-binaries.ts';
import { type RealPostgres, startRealPostgres } from '../testing/real-postgres/real-postgres.ts';
import { eventually } from './eventually.ts';
import { type GatewayProcess, startGateway } from './gateway-process.ts';
import { ask, type HttpAnswer } from './http-answer.ts';
import { RoundRobin } from './round-robin.ts';
import { WorkFolder } from './work-folder.ts';

const RATE = 12;
const PLACES = 3;
const BUDGET = 2_000;
const TOKENS_PER_CALL = 100;
const keyOf = (stack: string) => `sk-replicas-${stack}-0123456789`;
const stack = (id: string, limits: string) =>
  `  - { id: ${id}, account: acme, plan: max, image_plan: true, limits: ${limits}, keys: [{ id: web, secret: ${keyOf(id)} }] }`;

describe.runIf(realPostgresAvailable)('two replicas behind one address', () => {
  let server: RealPostgres;
  let upstream: FakeUpstream;
  let address: RoundRobin;
  let replicas: readonly GatewayProcess[];
  const folders = [WorkFolder.empty(), WorkFolder.empty()];
  const shared = WorkFolder.empty();

  beforeAll(async () => {
    server = await startRealPostgres();
    upstream = await startFakeUpstream();
    const environment = { DATABASE_URL: await server.createDatabase(), PATH: '/nowhere' };
    for (const folder of folders) {
      folder.configure(configuration(upstream.url));
      mkdirSync(folder.dataDir, { mode: 0o700 });
      symlinkSync(shared.path, join(folder.dataDir, 'blobs'));
    }
    replicas = await Promise.all(folders.map((folder) => startGateway(folder, environment)));
    address = await RoundRobin.start(replicas.map(({ url }) => url));
  });
  afterAll(async () => {
    await address?.[Symbol.asyncDispose]();
    for (const replica of replicas ?? []) await replica.kill();
    await upstream?.close();
    await server?.[Symbol.asyncDispose]();
    for (const folder of [...folders, shared]) folder[Symbol.dispose]();
  });

  const send = (path: string, id: string, body?: unknown): Promise<HttpAnswer> =>
    ask(address.url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${keyOf(id)}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const chat = (id: string) =>
    send('/v1/chat/completions', id, { model: 'fake-model', messages: [{ role: 'user', content: 'Hello' }] });
  const statuses = (answers: readonly HttpAnswer[]) => answers.map(({ status }) => status);
  const count = (list: readonly number[], status: number) => list.filter((each) => each === status).length;
  // Rendered once: the model server is not under test.
  const image = makePng({ width: 1024, height: 1024, seed: 1 });
  const held = new Set<RecordedRequest>();
  /** The model server does not answer until the returned function is called. */
  const hold = (): (() => void) => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    upstream.script(async (request) => {
      if (request.method !== 'POST') return undefined;
      held.add(request);
      request.ended.then(() => held.delete(request)).catch(() => {});
      await released;
      return { image };
    });
    return release;
  };
  /** Held requests whose client still waits. */
  const working = () => held.size;

  it('admit no more requests per minute than one would', async () => {
    const answers = await Promise.all(Array.from({ length: 4 * RATE }, () => send('/v1/models', 'rate')));
    const admitted = count(statuses(answers), 200);
    expect(count(statuses(answers), 429)).toBe(4 * RATE - admitted);
    expect(admitted).toBeLessThanOrEqual(RATE);
    // One replica may hold a share that it does not need.
    expect(admitted).toBeGreaterThanOrEqual(RATE / 2);
  });

  it('serve no more requests at the same time than one would', async () => {
    const release = hold();
    let refused = 0;
    const asked = Array.from({ length: 4 * PLACES }, async () => {
      const answer = await chat('places');
      if (answer.status === 429) refused += 1;
      return answer;
    });
    await eventually('as many as allowed are being served', () => working() === PLACES || undefined);
    await eventually('all others are refused', () => refused === 3 * PLACES || undefined);
    release();
    const list = statuses(await Promise.all(asked));
    expect([count(list, 200), count(list, 429)]).toEqual([PLACES, 3 * PLACES]);
  });

  it('spend no more tokens a day than one would', async () => {
    upstream.script(({ path }) =>
      path === '/v1/chat/completions'
        ? { usage: { prompt_tokens: 60, completion_tokens: 40, total_tokens: TOKENS_PER_CALL } }
        : undefined,
    );
    let spent = 0;
    const overdrawn = await eventually('the budget is spent', async () => {
      const answer = await chat('budget');
      if (answer.status === 200) spent += TOKENS_PER_CALL;
      else expect(answer.status).toBe(429);
      return answer.status === 429 && spent >= BUDGET ? answer : undefined;
    });
    expect(overdrawn.headers).toMatchObject({ 'x-should-retry': 'false', 'retry-after': '59' });
    // Each replica may let one call exceed the budget.
    spent += TOKENS_PER_CALL * count(statuses([await chat('budget'), await chat('budget')]), 200);
    expect(spent).toBeLessThanOrEqual(BUDGET + 2 * TOKENS_PER_CALL);
    expect(statuses(await Promise.all([chat('budget'), chat('budget')]))).toEqual([429, 429]);
  });

  it('paint one image of a stack after the other, and show what the other painted', async () => {
    const release = hold();
    const before = upstream.totalRequests;
    const painted = [1, 2, 3].map((seed) => send('/v1/images/generations', 'art', { prompt: 'a fox', seed }));
    for (const each of painted) each.catch(() => {});
    await eventually('one is being painted', () => working() === 1 || undefined);
    expect((await send('/v1/images/generations', 'art', { prompt: 'one too many' })).status).toBe(429);
    release();
    expect(statuses(await Promise.all(painted))).toEqual([200, 200, 200]);
    expect(upstream.totalRequests).toBeGreaterThanOrEqual(before + 3);
    for (const replica of replicas) {
      const list = await replica.request('/v1/images', { key: keyOf('art') });
      const { data } = list.json() as { data: readonly { id: string }[] };
      expect(data).toHaveLength(3);
      for (const { id } of data) {
        expect((await replica.request(`/v1/images/${id}`, { key: keyOf('art') })).status).toBe(200);
      }
    }
  });

  it('serve tools and their links, each request at another one', async () => {
    upstream.script(({ method }) => (method === 'POST' ? { image } : undefined));
    const call = async (name: string, given: object) => {
      const params = { name, arguments: given };
      const { text } = await send('/mcp', 'tools', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      const [, message = '{}'] = /^data: (.*)$/m.exec(text) ?? [];
      return JSON.parse(message).result;
    };
    const { structuredContent: upload } = await call('upload_file', { name: 'fox.png', size: image.length });
    expect((await ask(upload.url, { method: 'PUT', body: image })).status).toBe(200);
    const edited = await call('edit_image', { prompt: 'winter', images: [upload.id] });
    expect(edited.content[0].text).toMatch(/^Image img_\w+, 1024x1024/);
    const link: string = edited.content.at(-1).uri;
    expect(statuses([await ask(link), await ask(link), await ask(`${link}0`)])).toEqual([200, 200, 403]);
  });

  const namedChat = (replica: GatewayProcess | undefined, name: string) => {
    if (replica === undefined) throw new Error('there are two');
    return replica.request('/v1/chat/completions', {
      method: 'POST',
      key: keyOf('tools'),
      headers: { 'content-type': 'application/json', 'idempotency-key': name },
      body: JSON.stringify({ model: 'fake-model', messages: [{ role: 'user', content: 'Hello' }] }),
    });
  };

  it('run a request with an Idempotency-Key once, while it runs and after', async () => {
    const release = hold();
    const asked = [0, 1, 0, 1].map((index) => namedChat(replicas[index], 'once'));
    await eventually('one is being served', () => working() === 1 || undefined);
    release();
    const answers = [...(await Promise.all(asked)), await namedChat(replicas[1], 'once')];
    expect(statuses(answers)).toEqual([200, 200, 200, 200, 200]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const replayed = answers.map(({ headers }) => headers['idempotent-replayed']);
    expect(replayed.filter((each) => each === 'true')).toHaveLength(4);
  });
});

function configuration(upstreamUrl: string): string {
  return `
server: { port: 0 }
engines:
  text:
    gpu: { kind: openai, base_url: ${upstreamUrl}/v1, model: fake-model, context_window: 32768 }
  image:
    flux: { kind: openai-images, base_url: ${upstreamUrl}/v1, model: flux }
stacks:
${stack('rate', `{ requests_per_minute: ${RATE} }`)}
${stack('places', `{ concurrent_requests: ${PLACES} }`)}
${stack('budget', `{ tokens_per_day: ${BUDGET} }`)}
${stack('tools', '{}')}
${stack('art', '{ images: { submissions_per_minute: 100, in_flight: 3, rendering: 1 } }')}
`;
}
