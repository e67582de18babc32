import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeCallerDirectory, makeCaller } from '../../testing/fake-callers.ts';
import { type Call, expectSound, jsonCall, requestBytes } from '../../testing/http-call.ts';
import { HttpGateway } from '../../testing/http-gateway.ts';
import { storageRoom } from '../../testing/storage-room.ts';
import { FakeTextEngine } from '../../testing/text/fake-text-engine.ts';
import { MemoryResponses } from '../../testing/text/memory-responses.ts';
import { parseResponseStream, rebuildOutput } from '../../testing/text/response-stream.ts';
import type { TextEvent } from '../text/text-event.ts';

const PATH = '/v1/responses';
const asked = { model: 'tiny', input: 'Weather in Paris?' };
type Fields = Readonly<Record<string, unknown>>;

const finish: TextEvent = {
  type: 'finish',
  reason: 'tool-calls',
  stopSequence: undefined,
  usage: { promptTokens: 12, completionTokens: 3 },
};
const toolAnswer: readonly (readonly TextEvent[])[] = [
  [{ type: 'start', promptTokens: 12 }],
  [
    { type: 'block-start', block: { type: 'reasoning' } },
    { type: 'block-delta', text: 'Hm.' },
    { type: 'block-end' },
  ],
  [
    { type: 'block-start', block: { type: 'text' } },
    { type: 'block-delta', text: 'I look.' },
    { type: 'block-end' },
  ],
  [
    { type: 'block-start', block: { type: 'tool-call', id: 'call_1', name: 'weather' } },
    { type: 'block-delta', text: '{"city":"Paris"}' },
    { type: 'block-end' },
  ],
  [finish],
];
const tools = [{ type: 'function', name: 'weather', parameters: {} }];
const output = { type: 'function_call_output', call_id: 'call_1', output: 'Sun.' };
const toolTurns = [
  { role: 'user', parts: [{ type: 'text', text: 'Weather in Paris?' }] },
  {
    role: 'assistant',
    text: 'I look.',
    toolCalls: [{ id: 'call_1', name: 'weather', arguments: '{"city":"Paris"}' }],
    reasoning: 'Hm.',
  },
  { role: 'tool', callId: 'call_1', parts: [{ type: 'text', text: 'Sun.' }], isError: false },
];

let engine: FakeTextEngine;
let store: MemoryResponses;
let directory: FakeCallerDirectory;
/** Two replicas with one store. */
let gateways: readonly [HttpGateway, HttpGateway];

beforeEach(async () => {
  engine = new FakeTextEngine();
  store = new MemoryResponses();
  directory = new FakeCallerDirectory();
  directory.add('sk-a', makeCaller());
  directory.add('sk-other', makeCaller({ stack: { id: 'other' } }));
  directory.add('sk-none', makeCaller({ stack: { id: 'none', storesResponses: false } }));
  const start = () =>
    HttpGateway.start({
      directory,
      engines: [['gpu', engine]],
      responses: { store, conversations: store.conversations },
      storage: storageRoom({ book: { storedBytes: async () => 1_000 } }),
    });
  gateways = [await start(), await start()];
});
afterEach(async () => {
  for (const gateway of gateways) await gateway[Symbol.asyncDispose]();
});

async function send(
  request: Call,
  replica: 0 | 1 = 0,
): Promise<{ status: number; json: Fields; body: string }> {
  await using client = await gateways[replica].connect();
  await client.send(requestBytes(request));
  const answer = await client.answer();
  const { status, body, headers } = answer;
  if (headers['content-type'] === 'application/json') expectSound(gateways[replica], request, answer);
  return { status, body, json: body.startsWith('{') ? JSON.parse(body) : {} };
}
const post = (fields: Fields, { key = 'sk-a', path = PATH, replica = 0 as 0 | 1 } = {}) =>
  send(jsonCall(path, key, JSON.stringify(fields)), replica);
const create = (fields: Fields = {}, options?: Parameters<typeof post>[1]) =>
  post({ ...asked, ...fields }, options);
const get = (path: string, { key = 'sk-a', method = 'GET' } = {}) => send({ method, path, key });
const lastResponse = (stream: string) => {
  const [last] = parseResponseStream(stream).slice(-1);
  return last?.response as Fields;
};
const refusal = (code: string, param?: string) => ({
  error: { code, ...(param !== undefined && { param }) },
});

describe('a stored response', () => {
  it('is the same as a stream, in one piece and when it is read', async () => {
    engine.script = toolAnswer;
    const whole = await create({ tools });
    expect(whole.json).toMatchObject({ status: 'completed', store: true });
    expect((await get(`${PATH}/${whole.json.id}`)).body).toBe(whole.body);
    const { body } = await create({ tools, stream: true });
    const response = lastResponse(body);
    expect(rebuildOutput(parseResponseStream(body))).toEqual(response.output);
    expect((await get(`${PATH}/${response.id}`)).body).toBe(JSON.stringify(response));
  });

  it.each([false, true])('is continued on another replica at once (streamed: %s)', async (stream) => {
    engine.script = toolAnswer;
    const { body, json } = await create({ tools, stream, instructions: 'Be brief.' });
    const id = stream ? lastResponse(body).id : json.id;
    const next = await create({ input: [output], tools, previous_response_id: id }, { replica: 1 });
    expect(next.json).toMatchObject({ status: 'completed', previous_response_id: id });
    expect(engine.asked.at(-1)).toMatchObject({ system: undefined, turns: toolTurns });
  });

  it('is stored before the end is sent', async () => {
    let goOn = () => {};
    store.hold = new Promise((resolve) => {
      goOn = resolve;
    });
    await using client = await gateways[0].connect();
    await client.send(requestBytes(jsonCall(PATH, 'sk-a', JSON.stringify({ ...asked, stream: true }))));
    await expect.poll(() => client.unread).toContain('response.output_text.delta');
    expect([client.unread.includes('response.completed'), store.size]).toEqual([false, 0]);
    goOn();
    expect((await client.answer()).body).toContain('response.completed');
    expect(store.size).toBe(1);
  });

  it('that cannot be stored fails', async () => {
    store.failure = new Error('no disk');
    const whole = await create();
    expect([whole.status, whole.json]).toMatchObject([503, refusal('response_not_stored')]);
    const events = parseResponseStream((await create({ stream: true })).body);
    expect(events.at(-1)).toMatchObject({
      type: 'response.failed',
      response: { status: 'failed', error: { code: 'server_error' } },
    });
    expect(events.map(({ type }) => type)).not.toContain('response.completed');
  });

  it('that failed after its start is stored as failed', async () => {
    engine.script = [...toolAnswer.slice(0, 3), new Error('cut')];
    const response = lastResponse((await create({ stream: true })).body);
    expect(response).toMatchObject({ status: 'failed' });
    expect((await get(`${PATH}/${response.id}`)).json).toEqual(response);
  });

  it('is not there with `store: false`, for another stack, and after it was deleted', async () => {
    const { json: unstored } = await create({ store: false });
    expect([unstored.store, store.size]).toEqual([false, 0]);
    const { json } = await create();
    for (const [id, key] of [
      [unstored.id, 'sk-a'],
      [json.id, 'sk-other'],
    ]) {
      for (const method of ['GET', 'DELETE'])
        expect(await get(`${PATH}/${id}`, { key: String(key), method })).toMatchObject({
          status: 404,
          json: refusal('response_not_found'),
        });
      const items = await get(`${PATH}/${id}/input_items`, { key: String(key) });
      expect(items.status).toBe(404);
      const follow = await create({ previous_response_id: id }, { key: String(key) });
      expect(follow).toMatchObject({
        status: 400,
        json: refusal('previous_response_not_found', 'previous_response_id'),
      });
    }
    const removed = await get(`${PATH}/${json.id}`, { method: 'DELETE' });
    expect(removed.json).toEqual({ id: json.id, object: 'response', deleted: true });
    expect((await get(`${PATH}/${json.id}`)).status).toBe(404);
  });

  it('cannot be built on when one before it was deleted', async () => {
    const first = await create();
    const second = await create({ previous_response_id: first.json.id });
    const third = await create({ previous_response_id: second.json.id });
    expect(engine.asked.at(-1)?.turns).toHaveLength(5);
    await get(`${PATH}/${second.json.id}`, { method: 'DELETE' });
    const { status, json } = await create({ previous_response_id: third.json.id });
    expect([status, json]).toMatchObject([400, refusal('previous_response_not_found')]);
    expect(JSON.stringify(json)).toContain(String(second.json.id));
    expect((await get(`${PATH}/${third.json.id}`)).status).toBe(200);
  });

  it('lists the items of its request, the last one first', async () => {
    const input = [
      { role: 'user', content: 'One' },
      { id: 'mine', role: 'assistant', content: 'Two' },
      { role: 'user', content: 'Three' },
    ];
    const { json } = await create({ input });
    const path = `${PATH}/${json.id}/input_items`;
    const page = await get(`${path}?limit=2`);
    expect(page.json).toMatchObject({
      object: 'list',
      has_more: true,
      last_id: 'mine',
      data: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Three' }] },
        { id: 'mine', content: [{ type: 'output_text', text: 'Two' }] },
      ],
    });
    const rest = await get(`${path}?after=mine`);
    expect(rest.json).toMatchObject({ has_more: false, data: [{ content: [{ text: 'One' }] }] });
    expect((await get(`${path}?order=asc&limit=1`)).json.data).toEqual(rest.json.data);
    expect((await get(`${path}?after=unknown`)).status).toBe(400);
    expect((await get(`${path}?order=up`)).status).toBe(400);
  });

  it('counts against the storage of its stack, before the model is asked', async () => {
    directory.add('sk-full', makeCaller({ limits: { storageBytes: 1_000 } }));
    expect(await create({}, { key: 'sk-full' })).toMatchObject({
      status: 429,
      json: refusal('storage_quota_exceeded'),
    });
    expect(engine.asked).toEqual([]);
    expect((await create({ store: false }, { key: 'sk-full' })).status).toBe(200);
  });
});

describe('a reference to an item', () => {
  it('stands for text, reasoning and calls, as the AI SDK sends it', async () => {
    engine.script = toolAnswer;
    const { json } = await create({ tools });
    const references = (json.output as Fields[]).map(({ id }) => ({ type: 'item_reference', id }));
    await create({ input: [{ role: 'user', content: asked.input }, ...references, output], tools });
    expect(engine.asked.at(-1)?.turns).toEqual(toolTurns);
  });

  it('is refused if the item is not kept, or belongs to another stack', async () => {
    const { json } = await create();
    const [item] = json.output as Fields[];
    const input = [{ role: 'user', content: 'x' }, { id: item?.id }];
    expect((await create({ input })).status).toBe(200);
    const refused = { status: 400, json: refusal('item_not_found', 'input') };
    expect(await create({ input }, { key: 'sk-other' })).toMatchObject(refused);
    expect(await create({ input: [{ type: 'item_reference', id: 'rs_1' }] })).toMatchObject(refused);
  });
});

describe('a stack that stores nothing', () => {
  const key = 'sk-none';

  it('answers `store: false`, and leaves out references to reasoning', async () => {
    const input = [
      { role: 'user', content: 'Hi' },
      { type: 'item_reference', id: 'rs_1' },
    ];
    const { status, json } = await create({ store: true, input }, { key });
    expect([status, json.store, store.size]).toEqual([200, false, 0]);
    expect(engine.asked.at(-1)?.turns).toHaveLength(1);
  });

  it.each([
    [{ previous_response_id: 'resp_1' }, 'previous_response_not_found', 'previous_response_id'],
    [{ conversation: 'conv_1' }, 'invalid_request', 'conversation'],
    [{ background: true }, 'invalid_request', 'background'],
    [{ input: [{ id: 'msg_1' }] }, 'item_not_found', 'input'],
  ])('refuses %j with a message that names `store: false`', async (fields, code, param) => {
    const { status, json } = await create(fields, { key });
    expect([status, json]).toMatchObject([400, refusal(code, param)]);
    expect(JSON.stringify(json)).toContain('store: false');
  });

  it('makes no conversation', async () => {
    expect((await post({}, { key, path: '/v1/conversations' })).status).toBe(400);
  });
});

describe('a conversation', () => {
  const CONVERSATIONS = '/v1/conversations';

  it('collects what is asked and answered in it', async () => {
    const items = [{ role: 'developer', content: 'Be brief.' }];
    const { json } = await post({ items, metadata: { a: 'b' } }, { path: CONVERSATIONS });
    expect(json).toMatchObject({ object: 'conversation', metadata: { a: 'b' } });
    const path = `${CONVERSATIONS}/${json.id}`;
    const first = await create({ conversation: json.id });
    expect(first.json.conversation).toEqual({ id: json.id });
    await create({ conversation: { id: json.id }, input: 'And tomorrow?', store: false }, { replica: 1 });
    expect(engine.asked.at(-1)).toMatchObject({
      system: 'Be brief.',
      turns: [{ role: 'user' }, { role: 'assistant', text: 'Hello' }, { role: 'user' }],
    });
    const listed = await get(`${path}/items?order=asc`);
    const kept = listed.json.data as Fields[];
    expect(kept.map(({ role }) => role)).toEqual(['developer', 'user', 'assistant']);
    const item = `${path}/items/${kept[2]?.id}`;
    expect((await get(item)).json).toEqual(kept[2]);
    expect((await get(item, { method: 'DELETE' })).json).toMatchObject({ id: json.id });
    expect(await get(item)).toMatchObject({ status: 404, json: refusal('conversation_item_not_found') });
    const added = await post({ items: [{ role: 'user', content: 'More' }] }, { path: `${path}/items` });
    expect(added.json).toMatchObject({ object: 'list', data: [{ content: [{ text: 'More' }] }] });
    expect((await post({ metadata: { c: 'd' } }, { path })).json.metadata).toEqual({ c: 'd' });
    expect((await get(path, { method: 'DELETE' })).json).toEqual({
      id: json.id,
      object: 'conversation.deleted',
      deleted: true,
    });
    expect((await get(path)).status).toBe(404);
    expect((await get(`${PATH}/${first.json.id}`)).status).toBe(200);
  });

  it('is unknown to other stacks', async () => {
    const { json } = await post({}, { path: CONVERSATIONS });
    expect(await create({ conversation: json.id }, { key: 'sk-other' })).toMatchObject({
      status: 404,
      json: refusal('conversation_not_found', 'conversation'),
    });
    const path = `${CONVERSATIONS}/${json.id}`;
    expect((await get(path, { key: 'sk-other' })).status).toBe(404);
    expect((await get(`${path}/items`, { key: 'sk-other' })).status).toBe(404);
  });

  it('takes at most 20 items at a time', async () => {
    const items = Array.from({ length: 21 }, () => ({ role: 'user', content: 'x' }));
    expect((await post({ items }, { path: CONVERSATIONS })).status).toBe(400);
  });
});

describe('a count', () => {
  it('reads what the same response would read', async () => {
    const { json } = await create();
    const body = { input: 'And tomorrow?', previous_response_id: json.id };
    const counted = await create(body, { path: `${PATH}/input_tokens` });
    expect(counted.json).toEqual({ object: 'response.input_tokens', input_tokens: 10 });
    await create(body);
    expect(engine.counted.at(-1)).toEqual(engine.asked.at(-1));
  });
});

it.each([
  ['POST', `${PATH}/compact`],
  ['GET', PATH],
])('%s %s is not served', async (method, path) => {
  expect((await send({ method, path, key: 'sk-a' })).status).toBe(405);
});
