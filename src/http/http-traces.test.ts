import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { makeCaller } from '../../testing/fake-callers.ts';
import { goodKey, HttpGateway } from '../../testing/http-gateway.ts';
import { CHAT, TextGateway } from '../../testing/text/text-gateway.ts';
import { OpenAiEmbeddings } from '../knowledge/engines/openai/openai-embeddings.ts';
import { createLog } from '../telemetry/log.ts';
import type { EndedSpan } from '../telemetry/request-trace.ts';
import { Tracer } from '../telemetry/tracer.ts';
import type { Retrieval } from '../text/retriever.ts';

const TRACE = 'ab'.repeat(16);

it('a chat is traced from the client to the model server, on the fast path, without its words', async () => {
  const spans: EndedSpan[] = [];
  const tracer = new Tracer({ sampleRatio: 0, add: (span) => void spans.push(span) });
  await using gateway = await TextGateway.start({ tracer });
  const headers = {
    traceparent: `00-${TRACE}-${'cd'.repeat(8)}-01`,
    authorization: 'Bearer sk-a',
    'content-type': 'application/json',
  };
  const ask = (body: object) =>
    fetch(`${gateway.http.url}${CHAT}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const messages = [{ role: 'user', content: 'a secret question' }];
  const answer = await ask({ model: 'tiny', messages });
  expect(answer.status).toBe(200);
  await answer.text();
  const names = () => spans.map(({ name, kind }) => [name, kind]);
  await expect.poll(names).toEqual([
    ['chat fake-model', 'client'],
    [`POST ${CHAT}`, 'server'],
  ]);
  const [chat, request] = spans;
  expect(gateway.upstream.requests.at(-1)?.headers.traceparent).toBe(`00-${TRACE}-${chat?.spanId}-01`);
  expect(chat?.parentSpanId).toBe(request?.spanId);
  expect(chat?.attributes).toMatchObject({
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'fake-model',
    'gen_ai.usage.output_tokens': expect.any(Number),
    'gen_ai.response.finish_reasons': ['stop'],
  });
  expect(request?.attributes).toMatchObject({ 'http.response.status_code': 200, 'stackgate.stack': 'shop' });
  expect(JSON.stringify(spans)).not.toContain('secret question');
  const refused = await ask({ model: 'none', messages });
  expect(await refused.json()).toMatchObject({ error: { code: 'model_not_found' }, trace_id: TRACE });
  await expect.poll(() => gateway.http.log).toContain(`"traceId":"${TRACE}"`);
});

it('a chat that waits for a connection has the wait as a part of its call', async () => {
  const spans: EndedSpan[] = [];
  let opened = 0;
  const random = () => {
    opened += 1;
    return 0;
  };
  const tracer = new Tracer({ sampleRatio: 1, random, add: (span) => void spans.push(span) });
  const limits = { connectionsPerServer: 1 };
  await using gateway = await TextGateway.start({ tracer, engine: { made: { limits } } });
  let open = () => {};
  const isOpen = new Promise<void>((resolve) => {
    open = resolve;
  });
  gateway.upstream.respond({ beforePiece: () => isOpen });
  const body = JSON.stringify({ model: 'tiny', messages: [{ role: 'user', content: 'Hello' }] });
  const headers = { authorization: 'Bearer sk-a', 'content-type': 'application/json' };
  const ask = () => fetch(`${gateway.http.url}${CHAT}`, { method: 'POST', headers, body });
  const first = ask();
  await gateway.upstream.until(({ requests }) => requests.some(({ path }) => path === CHAT));
  const answers = [first, ask()];
  // A request whose key is known is at its engine in the turn in which its trace begins.
  await expect.poll(() => opened).toBe(2);
  open();
  for (const answer of await Promise.all(answers)) await answer.text();
  await expect.poll(() => spans.length).toBe(5);
  const [queue, ...others] = spans.filter(({ name }) => name === 'queue');
  expect(others).toEqual([]);
  expect(queue).toMatchObject({ kind: 'internal' });
  expect(spans.find(({ spanId }) => spanId === queue?.parentSpanId)?.name).toBe('chat fake-model');
});

it('a request that is not sampled has no spans, and one trace in its log line, its error and at the model server', async () => {
  const spans: EndedSpan[] = [];
  const tracer = new Tracer({ sampleRatio: 0, add: (span) => void spans.push(span) });
  await using gateway = await TextGateway.start({ tracer });
  const headers = { authorization: 'Bearer sk-a', 'content-type': 'application/json' };
  const ask = (model: string) => {
    const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] });
    return fetch(`${gateway.http.url}${CHAT}`, { method: 'POST', headers, body });
  };
  const refused = (await (await ask('none')).json()) as { trace_id: string };
  await (await ask('tiny')).text();
  const lines = () => [...gateway.http.log.matchAll(/"status":(\d+).*"traceId":"([0-9a-f]{32})"/g)];
  await expect.poll(() => lines().length).toBe(2);
  const [ofRefused, ofAnswered] = lines();
  expect(ofRefused?.slice(1)).toEqual(['404', refused.trace_id]);
  const { traceparent } = gateway.upstream.requests.at(-1)?.headers ?? {};
  expect(traceparent).toMatch(new RegExp(`^00-${ofAnswered?.[2]}-[0-9a-f]{16}-00$`));
  expect(ofAnswered?.[2]).not.toBe(refused.trace_id);
  expect(spans).toEqual([]);
});

it.each([
  ['a tokenizer', 'vllm', '/tokenize'],
  ['a probe', 'plain', CHAT],
] as const)('a count by %s gets a span of the request', async (_, flavour, path) => {
  const spans: EndedSpan[] = [];
  const tracer = new Tracer({ sampleRatio: 0, add: (span) => void spans.push(span) });
  await using gateway = await TextGateway.start({ tracer, upstream: { flavour } });
  const answer = await fetch(`${gateway.http.url}/v1/messages/count_tokens`, {
    method: 'POST',
    headers: {
      traceparent: `00-${TRACE}-${'cd'.repeat(8)}-01`,
      'x-api-key': 'sk-a',
      'anthropic-version': '2023-06-01',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ model: 'tiny', messages: [{ role: 'user', content: 'How long?' }] }),
  });
  const { input_tokens: tokens } = (await answer.json()) as { input_tokens: number };
  await expect.poll(() => spans.length).toBe(2);
  const [count, request] = spans;
  expect(count).toMatchObject({
    name: 'count tokens',
    kind: 'client',
    parentSpanId: request?.spanId,
    attributes: { 'gen_ai.usage.input_tokens': tokens },
  });
  const asked = gateway.upstream.requests.filter((each) => each.path === path);
  expect(asked.map(({ headers }) => headers.traceparent)).toEqual([`00-${TRACE}-${count?.spanId}-01`]);
});

it('the search and the reading for a chat get the span of its request', async () => {
  const asked: Retrieval[] = [];
  const retriever = {
    excerpt: async (retrieval: Retrieval) => {
      asked.push(retrieval);
      return undefined;
    },
  };
  const tracer = new Tracer({ sampleRatio: 0, add: () => {} });
  const callers = { 'sk-a': makeCaller({ key: { retrieval: true } }) };
  await using gateway = await TextGateway.start({ tracer, retriever, callers });
  const answer = await fetch(`${gateway.http.url}${CHAT}`, {
    method: 'POST',
    headers: {
      traceparent: `00-${TRACE}-${'cd'.repeat(8)}-01`,
      authorization: 'Bearer sk-a',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ model: 'tiny', messages: [{ role: 'user', content: 'When do you open?' }] }),
  });
  expect(answer.status).toBe(200);
  await answer.text();
  expect(asked.map(({ span }) => span?.traceparent)).toEqual([expect.stringMatching(`^00-${TRACE}-.*-01$`)]);
});

it('the server of embeddings gets the span of the call', async () => {
  const parents: unknown[] = [];
  await using server = createServer(async (request, response) => {
    await json(request);
    parents.push(request.headers.traceparent);
    response.setHeader('content-type', 'application/json');
    response.end('{"data": [{"index": 0, "embedding": [1, 0]}], "usage": {"prompt_tokens": 2}}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const embeddings = new OpenAiEmbeddings({
    config: { baseUrl: `http://127.0.0.1:${port}/v1`, model: 'letters' },
    log: createLog('silent', { write: () => {} }),
  });
  const spans: EndedSpan[] = [];
  const tracer = new Tracer({ sampleRatio: 1, add: (span) => void spans.push(span) });
  await using gateway = await HttpGateway.start({ embeddings, tracer });
  const answer = await fetch(`${gateway.url}/v1/embeddings`, {
    method: 'POST',
    headers: { authorization: `Bearer ${goodKey}`, 'content-type': 'application/json' },
    body: '{"model": "letters", "input": "a parcel"}',
  });
  expect(answer.status).toBe(200);
  const [span] = spans;
  expect(span?.name).toBe('embeddings letters');
  expect(parents).toContain(`00-${span?.traceId}-${span?.spanId}-01`);
  await embeddings.stop();
});
