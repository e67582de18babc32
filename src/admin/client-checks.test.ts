import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { closedPort } from '../../testing/closed-port.ts';
import { checkClients } from './client-checks.ts';
import type { Finding } from './finding.ts';

const { signal } = new AbortController();

/** The server's answers by path; streams apart. */
type Answers = Readonly<Record<string, unknown>>;

const usage = { prompt_tokens: 7, completion_tokens: 1 };
const chunk = (choices: readonly object[], more: object = {}) =>
  `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', choices, ...more })}\n\n`;
const role = chunk([{ delta: { role: 'assistant', content: '' }, finish_reason: null }]);
const word = chunk([{ delta: { content: 'ready' }, finish_reason: null }]);
const finish = chunk([{ delta: {}, finish_reason: 'stop' }]);
const usageChunk = chunk([], { usage });
const done = 'data: [DONE]\n\n';

const event = (type: string, more: object = {}, name = type) =>
  `event: ${name}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
const message = { type: 'message', role: 'assistant', usage: { input_tokens: 7, output_tokens: 0 } };
const start = event('message_start', { message });
const blockStart = event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } });
const blockDelta = event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'ready' } });
const blockStop = event('content_block_stop', { index: 0 });
const delta = event('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } });
const stop = event('message_stop');

const output = [{ id: 'i1', type: 'message', content: [{ type: 'output_text', text: 'ready' }] }];
const call = { id: 'f1', type: 'function_call', call_id: 'c1', name: 'report', arguments: '{"ready":true}' };
const finished = {
  id: 'r1',
  object: 'response',
  status: 'completed',
  output,
  usage: { input_tokens: 7, output_tokens: 1, total_tokens: 8 },
};
const begun = { id: 'r1', object: 'response', status: 'in_progress', output: [] };
const inItem = { item_id: 'i1', output_index: 0, content_index: 0 };
const step = (number: number, type: string, more: object) =>
  event(type, { sequence_number: number, ...more });
const responseSteps = [
  step(0, 'response.created', { response: begun }),
  step(1, 'response.in_progress', { response: begun }),
  step(2, 'keepalive', {}),
  step(3, 'response.output_item.added', {
    output_index: 0,
    item: { id: 'i1', type: 'message', content: [] },
  }),
  step(4, 'response.content_part.added', inItem),
  step(5, 'response.output_text.delta', { ...inItem, delta: 'ready' }),
  step(6, 'response.output_text.done', { ...inItem, text: 'ready' }),
  step(7, 'response.content_part.done', inItem),
  step(8, 'response.output_item.done', { output_index: 0, item: output[0] }),
  step(9, 'response.completed', { response: finished }),
];
const responsesWithout = (left: number) => responseSteps.filter((_, index) => index !== left).join('');
const responsesWith = (at: number, from: string, to: string) =>
  responseSteps.map((text, index) => (index === at ? text.replaceAll(from, to) : text)).join('');

const healthy: Answers = {
  '/v1/models': { object: 'list', data: [{ id: 'm', object: 'model' }] },
  '/v1/chat/completions': {
    object: 'chat.completion',
    choices: [{ message: { role: 'assistant', content: 'ready' }, finish_reason: 'stop' }],
    usage,
  },
  '/v1/chat/completions stream': `: ping\n\n${role}${word}${finish}${usageChunk}${done}`,
  '/v1/messages': {
    type: 'message',
    role: 'assistant',
    content: [{ type: 'text', text: 'ready' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 7, output_tokens: 1 },
  },
  '/v1/messages stream': `${event('ping')}${start}${blockStart}${blockDelta}${blockStop}${delta}${stop}`,
  '/v1/messages/count_tokens': { input_tokens: 7 },
  '/v1/responses': finished,
  '/v1/responses stream': responseSteps.join(''),
  '/v1/responses tool': { ...finished, output: [call] },
  '/v1/responses/input_tokens': { object: 'response.input_tokens', input_tokens: 7 },
};

describe('checkClients', () => {
  it('accepts a server that works for clients', async () => {
    expect(await check({})).toEqual([
      { check: 'models', result: 'ok', message: 'm' },
      { check: 'chat', result: 'ok', message: '7 tokens in, 1 out' },
      { check: 'chat stream', result: 'ok', message: '7 tokens in, 1 out' },
      { check: 'messages', result: 'ok', message: '7 tokens in, 1 out' },
      { check: 'messages stream', result: 'ok', message: '7 tokens in, 1 out' },
      { check: 'count_tokens', result: 'ok', message: '7 tokens, as in the usage' },
      { check: 'responses', result: 'ok', message: '7 tokens in, 1 out' },
      { check: 'responses stream', result: 'ok', message: '7 tokens in, 1 out' },
      { check: 'responses tool', result: 'ok', message: 'report({"ready":true})' },
      { check: 'input_tokens', result: 'ok', message: '7 tokens, as in the usage' },
    ]);
  });

  const chat = '/v1/chat/completions stream';
  const messages = '/v1/messages stream';
  const responses = '/v1/responses stream';
  test.each([
    ['chat', '/v1/chat/completions', {}, '`object`'],
    ['chat', '/v1/chat/completions', 'no JSON', 'this is no JSON: no JSON'],
    ['chat', '/v1/chat/completions', 500, 'the answer is 500: broken'],
    ['chat stream', chat, `${role}${word}${finish}${usageChunk}`, 'does not end with [DONE]'],
    ['chat stream', chat, `${word}${finish}${usageChunk}${done}`, 'the first chunk names no role'],
    ['chat stream', chat, `${role}${word}${usageChunk}${done}`, 'there are 0 finish reasons'],
    ['chat stream', chat, `${role}${finish}${done}`, 'the last chunk is not the usage'],
    ['chat stream', chat, `${role}${finish}${usageChunk.replace('c1', 'c2')}${done}`, 'differ in their id'],
    ['chat stream', chat, `${role}${finish}${usageChunk.replace('7', '8')}${done}`, '8 input tokens, but 7'],
    ['messages', '/v1/messages', { type: 'completion' }, '`type`'],
    ['messages stream', messages, `${start}${blockDelta}${blockStop}${delta}${stop}`, 'out of order'],
    ['messages stream', messages, `${start}${blockStart}${blockStop}${delta}`, 'out of order'],
    ['messages stream', messages, `${start}${blockStart}${blockStop}${stop}`, 'out of order'],
    ['messages stream', messages, event('message_start', { message }, 'start'), 'is named "start"'],
    ['messages stream', messages, event('error', { error: { message: 'oh' } }), 'the stream failed: oh'],
    [
      'messages stream',
      messages,
      `${start}${blockStart}${blockStop.replace('0', '1')}${delta}${stop}`,
      'a content_block_stop has index 1 in block 0',
    ],
    ['messages stream', messages, `${start.replace('7', '0')}${delta}${stop}`, '0 input tokens, but 7'],
    ['count_tokens', '/v1/messages/count_tokens', { input_tokens: 6 }, '6 input tokens, but 7'],
    ['responses', '/v1/responses', { ...finished, status: 'requires_action' }, '`status`'],
    ['responses stream', responses, responsesWithout(0), 'out of order'],
    ['responses stream', responses, responsesWithout(4), 'out of order'],
    ['responses stream', responses, responsesWithout(9), 'out of order'],
    ['responses stream', responses, responsesWithout(2), 'has the number 3 and not 2'],
    ['responses stream', responses, responsesWith(0, 'r1', 'r2'), 'differ in the id of the response'],
    ['responses stream', responses, responsesWith(5, 'i1', 'i2'), 'has the id i2 in item i1'],
    ['responses stream', responses, responsesWith(6, '"output_index":0', '"output_index":1'), 'has index 1'],
    ['responses stream', responses, responsesWith(8, 'ready', 'read'), 'other items than the events before'],
    ['responses stream', responses, event('response.failed', { sequence_number: 0 }), 'the stream failed'],
    ['responses tool', '/v1/responses tool', finished, '`type`'],
    ['input_tokens', '/v1/responses/input_tokens', { input_tokens: 6 }, '6 input tokens, but 7'],
  ])('fails %s alone for what is wrong there (%#)', async (name, path, answer, expected) => {
    const failures = (await check({ [path]: answer })).filter(({ result }) => result === 'failure');
    expect(failures.map((finding) => finding.check)).toEqual([name]);
    expect(failures[0]?.message).toContain(expected);
  });

  it('fails a response that is not a stream', async () => {
    const findings = await check({ [chat]: { object: 'chat.completion' } });
    expect(findings.find((finding) => finding.check === 'chat stream')?.message).toBe(
      'the content type is "application/json" and not text/event-stream',
    );
  });

  it('stops at a key that is refused', async () => {
    expect(await check({ '/v1/models': 401 })).toEqual([
      { check: 'models', result: 'failure', message: 'the answer is 401: broken' },
    ]);
  });

  it('stops at a list without models', async () => {
    const findings = await check({ '/v1/models': { object: 'list', data: [] } });
    expect(findings).toEqual([{ check: 'models', result: 'failure', message: 'the list is empty' }]);
  });

  it('stops at a server that is down', async () => {
    const url = `http://127.0.0.1:${await closedPort()}`;
    const [finding, ...more] = await checkClients({ url, key: 'sk-mine', signal });
    expect(finding?.message).toContain(`${url}/v1/models does not answer: connect ECONNREFUSED`);
    expect(more).toEqual([]);
  });
});

/** Checks a server that answers correctly except as given: a status, an object, or the bytes of a stream or body. */
async function check(answers: Answers): Promise<readonly Finding[]> {
  const all = { ...healthy, ...answers };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    const kind = body.includes('"stream":true') ? ' stream' : body.includes('"tools"') ? ' tool' : '';
    const isAllowed = request.headers.authorization === 'Bearer sk-mine';
    send(response, isAllowed ? all[`${request.url}${kind}`] : 401);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return checkClients({ url: `http://127.0.0.1:${port}`, key: 'sk-mine', signal });
}

function send(response: ServerResponse, answer: unknown): void {
  if (typeof answer === 'number') {
    response.writeHead(answer).end('broken');
    return;
  }
  const isText = typeof answer === 'string';
  response.setHeader('content-type', isText ? 'text/event-stream' : 'application/json');
  response.end(isText ? answer : JSON.stringify(answer));
}
