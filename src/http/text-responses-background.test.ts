import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeCallerDirectory, makeCaller } from '../../testing/fake-callers.ts';
import { jsonCall, requestBytes } from '../../testing/http-call.ts';
import { HttpGateway } from '../../testing/http-gateway.ts';
import { FakeTextEngine, textAnswer } from '../../testing/text/fake-text-engine.ts';
import { hold } from '../../testing/text/held.ts';
import { memoryStored } from '../../testing/text/response-sources.ts';
import { parseResponseStream, rebuildOutput } from '../../testing/text/response-stream.ts';
import { Fault } from '../faults/fault.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import type { HostedTool } from '../text/hosted-tool.ts';
import type { TextEvent } from '../text/text-event.ts';

const PATH = '/v1/responses';
type Fields = Readonly<Record<string, unknown>>;

/** Every wait is short. */
const quickClock: Clock = { nowMs: systemClock.nowMs, after: (_, run) => systemClock.after(1, run) };

let engine: FakeTextEngine;
let stored: ReturnType<typeof memoryStored>;
let isKeyValid: boolean;
/** Paints as soon as `paints` resolves, and stops when its caller does. */
let paints: Promise<void>;
let painterState: 'idle' | 'painting' | 'stopped';
const painter: HostedTool = {
  kind: 'image-generation',
  scope: 'images',
  isForReaders: false,
  isOpenTo: () => true,
  run: async (_caller, { arguments: { prompt } }, { signal }) => {
    painterState = 'painting';
    signal.addEventListener('abort', () => {
      painterState = 'stopped';
    });
    await paints;
    signal.throwIfAborted();
    const outcome = { type: 'painted', base64: 'UE5H', prompt: String(prompt), size: '1024x1024' } as const;
    return { outcome, told: 'Painted.' };
  },
};
/** Two replicas with one store. */
let gateways: readonly [HttpGateway, HttpGateway];

beforeEach(async () => {
  engine = new FakeTextEngine();
  stored = memoryStored();
  isKeyValid = true;
  paints = Promise.resolve();
  painterState = 'idle';
  const directory = new FakeCallerDirectory();
  directory.add('sk-a', makeCaller());
  const start = () =>
    HttpGateway.start({
      directory,
      engines: [['gpu', engine]],
      responses: stored,
      keys: {
        findKey: async () => (isKeyValid ? { caller: makeCaller(), expiresAt: undefined } : undefined),
      },
      hostedTools: [painter],
      timers: quickClock,
    });
  gateways = [await start(), await start()];
});
afterEach(async () => {
  for (const gateway of gateways) await gateway[Symbol.asyncDispose]();
});

async function send(bytes: Buffer, replica: 0 | 1): Promise<{ status: number; body: string; json: Fields }> {
  await using client = await gateways[replica].connect();
  await client.send(bytes);
  const { status, body } = await client.answer();
  return { status, body, json: body.startsWith('{') ? JSON.parse(body) : {} };
}
const create = (fields: Fields = {}, replica: 0 | 1 = 0) => {
  const body = JSON.stringify({ model: 'tiny', input: 'Hello', background: true, ...fields });
  return send(requestBytes(jsonCall(PATH, 'sk-a', body)), replica);
};
const get = (path: string, replica: 0 | 1 = 0, method = 'GET') =>
  send(requestBytes({ method, path: `${PATH}/${path}`, key: 'sk-a' }), replica);
const statusOf = async (id: unknown) => (await get(String(id), 1)).json.status;
const eventsFrom = (stream: string, after: number) =>
  stream
    .split('\n\n')
    .filter((event) => event !== '' && !event.startsWith(':'))
    .map((event): Fields => JSON.parse(event.slice(event.indexOf('data: ') + 'data: '.length)))
    .filter(({ sequence_number }) => Number(sequence_number) > after);

/** Makes the engine wait. */
function holdEngine(): () => void {
  let release = () => {};
  engine.hold = new Promise((resolve) => {
    release = resolve;
  });
  return () => {
    engine.hold = undefined;
    release();
  };
}

describe('a response in the background', () => {
  it('is queued, and completed while its client is away', async () => {
    const release = holdEngine();
    const { status, json } = await create();
    expect([status, json.status, json.background, json.output]).toEqual([200, 'queued', true, []]);
    await expect.poll(() => statusOf(json.id)).toBe('in_progress');
    release();
    await expect.poll(() => statusOf(json.id)).toBe('completed');
    const { json: done } = await get(String(json.id));
    expect(done).toMatchObject({
      id: json.id,
      created_at: json.created_at,
      output: [{ content: [{ text: 'Hello' }] }],
      usage: { input_tokens: 10 },
    });
    const used = [...gateways[0].usage.ended, ...gateways[1].usage.ended];
    expect(used).toContainEqual(expect.objectContaining({ endpoint: PATH, outcome: 'ok', promptTokens: 10 }));
    const follow = await create({ background: false, previous_response_id: json.id });
    expect(follow.json.status).toBe('completed');
  });

  it('streams its events, which another replica continues without a gap or a repeat', async () => {
    const { body } = await create({ stream: true });
    const events = parseResponseStream(body);
    expect(events.slice(0, 3).map(({ type }) => type)).toEqual([
      'response.created',
      'response.queued',
      'response.in_progress',
    ]);
    const { response } = (events.at(-1) ?? {}) as { response?: Fields };
    expect(response).toMatchObject({ status: 'completed' });
    expect(rebuildOutput(events.filter(({ type }) => type !== 'response.queued'))).toEqual(response?.output);
    for (const after of [0, 3, events.length - 2]) {
      const rest = await get(`${response?.id}?stream=true&starting_after=${after}`, 1);
      expect(eventsFrom(rest.body, -1)).toEqual(events.slice(after + 1));
    }
    const over = await get(`${response?.id}?stream=true&starting_after=${events.length}`, 1);
    expect([over.status, over.body]).toEqual([200, '']);
    expect((await get(`${response?.id}?starting_after=x`)).status).toBe(400);
  });

  it('can be followed on another replica while it is made', async () => {
    const release = holdEngine();
    const first = create({ stream: true });
    await expect.poll(() => engine.asked.length).toBe(1);
    const id = stored.store.ids().at(0);
    const second = get(`${id}?stream=true&starting_after=1`, 1);
    release();
    const all = parseResponseStream((await first).body);
    expect(eventsFrom((await second).body, -1)).toEqual(all.slice(2));
  });

  it('needs to be stored', async () => {
    const { status, json } = await create({ store: false });
    expect([status, json]).toMatchObject([400, { error: { param: 'background' } }]);
  });

  it('fails as a response', async () => {
    engine.script = [new Error('down')];
    const streamed = parseResponseStream((await create({ stream: true })).body);
    expect(streamed.at(-1)).toMatchObject({
      type: 'response.failed',
      response: { status: 'failed', error: { code: 'server_error' } },
    });
    const { json } = await create();
    await expect.poll(() => statusOf(json.id)).toBe('failed');
  });

  it('appends to its conversation when it is complete', async () => {
    const owner = { accountId: 'acme', stackId: 'shop', keyId: 'web' };
    const { id: conversation } = await stored.conversations.create(owner, { metadata: {}, items: [] });
    const { json } = await create({ conversation });
    await expect.poll(() => statusOf(json.id)).toBe('completed');
    const page = await stored.conversations.listItems('shop', conversation, { limit: 9, order: 'asc' });
    expect(page?.items.map(({ role }) => role)).toEqual(['user', 'assistant']);
  });

  it.each([false, true])(
    'is stored when the database is back, and made once (streamed: %s)',
    async (stream) => {
      const { finish } = stored.queue;
      let failures = 3;
      stored.queue.finish = async (...given) => {
        if (failures-- > 0) throw new Fault('database-away', 'The database is away.');
        await finish(...given);
      };
      await create({ stream });
      const [id] = stored.store.ids();
      await expect.poll(() => statusOf(id)).toBe('completed');
      expect([failures, engine.asked.length]).toEqual([-1, 1]);
    },
  );

  it('begins anew when the database was away before it was made', async () => {
    const owner = { accountId: 'acme', stackId: 'shop', keyId: 'web' };
    const { id: conversation } = await stored.conversations.create(owner, { metadata: {}, items: [] });
    const { readHistory } = stored.store.conversations;
    let reads = 0;
    stored.store.conversations.readHistory = async (...given) => {
      reads += 1;
      // The request reads it first, then the process that makes the response.
      if (reads === 2) throw new Fault('database-away', 'The database is away.');
      return await readHistory(...given);
    };
    const { json } = await create({ conversation });
    await expect.poll(() => reads).toBe(2);
    stored.queue.endLeases();
    await expect.poll(() => statusOf(json.id)).toBe('completed');
  });

  it('ends as failed when its key is not valid any more', async () => {
    isKeyValid = false;
    const { json } = await create();
    await expect.poll(() => statusOf(json.id)).toBe('failed');
    expect(engine.asked).toEqual([]);
  });
});

describe('a tool that the gateway runs for a response in the background', () => {
  const tools = [{ type: 'image_generation' }];
  const finish = (reason: 'stop' | 'tool-calls'): TextEvent => ({
    type: 'finish',
    reason,
    stopSequence: undefined,
    usage: { promptTokens: 10, completionTokens: 2 },
  });
  const call: readonly TextEvent[] = [
    { type: 'start', promptTokens: undefined },
    { type: 'block-start', block: { type: 'tool-call', id: 'call_1', name: 'image_generation' } },
    { type: 'block-delta', text: '{"prompt":"a fox"}' },
    { type: 'block-end' },
    finish('tool-calls'),
  ];
  beforeEach(() => {
    engine.scriptFor = ({ turns }) => (turns.at(-1)?.role === 'tool' ? textAnswer('There.') : [call]);
  });

  it.each([false, true])('is run, and the model goes on (streamed: %s)', async (stream) => {
    const { body } = await create({ tools, stream });
    const [id = ''] = stored.store.ids();
    await expect.poll(() => statusOf(id)).toBe('completed');
    const { json } = await get(id, 1);
    expect(json).toMatchObject({
      output: [
        { type: 'image_generation_call', status: 'completed', result: 'UE5H', revised_prompt: 'a fox' },
        { type: 'message', content: [{ text: 'There.' }] },
      ],
      usage: { input_tokens: 20, output_tokens: 4 },
    });
    expect(engine.asked.at(-1)?.turns.at(-1)).toMatchObject({ role: 'tool', parts: [{ text: 'Painted.' }] });
    if (!stream) return;
    const events = parseResponseStream(body).filter(({ type }) => type !== 'response.queued');
    expect(rebuildOutput(events)).toEqual(json.output);
    expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: json });
  });

  it('stops when the response is cancelled', async () => {
    const painting = hold();
    paints = painting.until;
    await create({ tools });
    const [id = ''] = stored.store.ids();
    await expect.poll(() => painterState).toBe('painting');
    expect((await get(`${id}/cancel`, 1, 'POST')).json.status).toBe('cancelled');
    await expect.poll(() => painterState).toBe('stopped');
    painting.release();
    await expect.poll(() => gateways[0].background.running + gateways[1].background.running).toBe(0);
    expect(engine.asked).toHaveLength(1);
    expect(await statusOf(id)).toBe('cancelled');
  });
});

describe('a cancelled response', () => {
  it.each([false, true])('is stopped from another replica (streamed: %s)', async (stream) => {
    const release = holdEngine();
    const making = create({ stream });
    await expect.poll(() => engine.asked.length).toBe(1);
    const [id] = stored.store.ids();
    const cancelled = await get(`${id}/cancel`, 1, 'POST');
    expect([cancelled.status, cancelled.json.status]).toEqual([200, 'cancelled']);
    expect((await get(`${id}/cancel`, 0, 'POST')).json.status).toBe('cancelled');
    release();
    await expect.poll(() => gateways[0].background.running + gateways[1].background.running).toBe(0);
    expect(await statusOf(id)).toBe('cancelled');
    const { body } = await making;
    if (stream)
      expect(parseResponseStream(body).at(-1)).toMatchObject({
        type: 'response.incomplete',
        response: { id, status: 'cancelled' },
      });
  });

  it('must be in the background, and not have ended', async () => {
    const { json: foreground } = await create({ background: false });
    const { json: ended } = await create();
    await expect.poll(() => statusOf(ended.id)).toBe('completed');
    for (const id of [foreground.id, ended.id])
      expect(await get(`${id}/cancel`, 0, 'POST')).toMatchObject({
        status: 400,
        json: { error: { code: 'response_not_cancellable' } },
      });
    expect(await get('resp_none/cancel', 0, 'POST')).toMatchObject({
      status: 404,
      json: { error: { code: 'response_not_found' } },
    });
  });
});

describe('the death of a replica', () => {
  it('makes another one begin the response anew', async () => {
    const release = holdEngine();
    const { json } = await create();
    await expect.poll(() => engine.asked.length).toBe(1);
    engine.hold = undefined;
    stored.queue.endLeases();
    await expect.poll(() => statusOf(json.id)).toBe('completed');
    release();
    expect(engine.asked).toHaveLength(2);
  });

  it('fails a response whose events were already sent', async () => {
    let release = () => {};
    engine.pauseAfter = {
      batches: 3,
      until: new Promise((resolve) => {
        release = resolve;
      }),
    };
    const making = create({ stream: true });
    await expect.poll(async () => (await eventCount()) > 3).toBe(true);
    stored.queue.endLeases();
    const { body } = await making;
    release();
    expect(parseResponseStream(body).at(-1)).toMatchObject({ type: 'response.failed' });
    expect(engine.asked).toHaveLength(1);
  });

  it('that was announced gives the response back', async () => {
    const release = holdEngine();
    const { json } = await create();
    await expect.poll(() => engine.asked.length).toBe(1);
    engine.hold = undefined;
    for (const gateway of gateways)
      if (gateway.background.running > 0) await gateway.background.stop(AbortSignal.abort());
    release();
    await expect.poll(() => statusOf(json.id)).toBe('completed');
  });
});

async function eventCount(): Promise<number> {
  const [id = ''] = stored.store.ids();
  return (await stored.queue.readEvents('shop', id, -1))?.events.length ?? 0;
}

it('a response that was not streamed is streamed when it is read', async () => {
  const { json } = await create({ background: false });
  const { body } = await get(`${json.id}?stream=true`, 1);
  const events = parseResponseStream(body);
  expect(rebuildOutput(events)).toEqual(json.output);
  expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: json });
  const rest = await get(`${json.id}?stream=true&starting_after=4`, 1);
  expect(eventsFrom(rest.body, -1)).toEqual(events.slice(5));
});
