import { afterEach, describe, expect, it } from 'vitest';
import { makeCaller } from '../../testing/fake-callers.ts';
import { httpForms, startRawUpstream } from '../../testing/fake-upstream/raw-upstream.ts';
import type { RawAnswer, RawClient } from '../../testing/raw-client.ts';
import { hold } from '../../testing/text/held.ts';
import { streamEvents } from '../../testing/text/stream-events.ts';
import { CHAT, MESSAGES, TextGateway, type TextGatewayOptions } from '../../testing/text/text-gateway.ts';
import { cacheScopeOf } from '../access/cache-scope.ts';

/** A harmless header that the fast path does not accept. */
const ODD = 'te: trailers';
const RESPONSES = '/v1/responses';
const hello = [{ role: 'user', content: 'Hello' }];
const bodies: Readonly<Record<string, readonly [path: string, fields: object]>> = {
  'a chat': [CHAT, { model: 'tiny', messages: hello }],
  'a streamed chat': [CHAT, { model: 'tiny', messages: hello, stream: true }],
  'a streamed chat with its usage': [
    CHAT,
    { model: 'tiny', messages: hello, stream: true, stream_options: { include_usage: true } },
  ],
  'a message': [MESSAGES, { model: 'any', max_tokens: 8000, messages: hello }],
  'a streamed message': [MESSAGES, { model: 'any', max_tokens: 8000, messages: hello, stream: true }],
  'a response': [RESPONSES, { model: 'tiny', input: 'Hello', store: false }],
  'a streamed response': [RESPONSES, { model: 'tiny', input: hello, store: false, stream: true }],
  'a response without an input': [RESPONSES, { model: 'tiny', store: false }],
  'a chat with letters of several bytes': [
    CHAT,
    { model: 'tiny', messages: [{ role: 'user', content: 'Grüße, 世界' }], stream: true },
  ],
  'a chat with a field of each kind': [
    CHAT,
    { model: 'tiny', messages: hello, temperature: 0.2, top_p: 0.9, stop: ['x'], seed: 1 },
  ],
  'an unknown model': [CHAT, { model: 'huge', messages: hello }],
  'a field that is wrong': [CHAT, { model: 'tiny', messages: hello, temperature: 'hot' }],
  'no messages': [MESSAGES, { model: 'any' }],
};

interface AskedBody {
  readonly messages: readonly { readonly content: string }[];
  readonly tools: readonly { readonly function: { readonly name: string } }[];
}

const models = 'GET /v1/models HTTP/1.1\r\nhost: a\r\nauthorization: Bearer sk-a\r\n\r\n';

let gateway: TextGateway;
let client: RawClient | undefined;
afterEach(async () => {
  await client?.[Symbol.asyncDispose]();
  client = undefined;
  await gateway[Symbol.asyncDispose]();
});

async function start(options: TextGatewayOptions = {}): Promise<RawClient> {
  gateway = await TextGateway.start(options);
  client = await gateway.http.connect();
  return client;
}

function requestOf(path: string, fields: unknown, ...more: string[]): string {
  const body = typeof fields === 'string' ? fields : JSON.stringify(fields);
  const lines = [
    `POST ${path} HTTP/1.1`,
    'host: gateway.test',
    'authorization: Bearer sk-a',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    ...more,
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** Delays key look-ups. */
function holdKeys(until: Promise<void>): void {
  const { directory } = gateway.http;
  const find = directory.find.bind(directory);
  directory.find = async (hash) => {
    await until;
    return await find(hash);
  };
}

/** An answer without the values that differ between requests. */
function comparable({ status, headers, body }: RawAnswer): unknown {
  const { date, 'x-request-id': id = '', 'request-id': other, ...rest } = headers;
  const letters = id.slice('req_'.length);
  const told = body
    .replaceAll(letters, 'ID')
    .replaceAll(/"(created|created_at|completed_at)":\d+/g, '"$1":0');
  // Ids have a fixed length, so content lengths can be compared.
  return {
    status,
    headers: rest,
    body: told,
    hasDate: date !== undefined,
    hasIds: id === other && id !== '',
  };
}

describe('a request on the fast path', () => {
  it.each(Object.keys(bodies))('is answered as by Node’s server: %s', async (name) => {
    const [path, fields] = bodies[name] ?? [CHAT, {}];
    const short = await start();
    gateway.upstream.respond({ text: ['Grüß', ' dich, ', '"Welt"\n'] });
    await short.send(requestOf(path, fields));
    const onFastPath = comparable(await short.answer());
    const went = gateway.http.slowRequests;
    gateway.upstream.respond({ text: ['Grüß', ' dich, ', '"Welt"\n'] });
    const whole = await gateway.http.connect();
    await whole.send(requestOf(path, fields, ODD));
    expect(comparable(await whole.answer())).toEqual(onFastPath);
    expect(gateway.http.slowRequests).toBe(went + 1);
    await whole[Symbol.asyncDispose]();
  });

  it.each([CHAT, MESSAGES, RESPONSES])('does not go through Node’s server on %s', async (path) => {
    const short = await start();
    for (let index = 0; index < 3; index++) {
      gateway.upstream.respond({ text: 'Hi' });
      await short.send(requestOf(path, { model: 'tiny', max_tokens: 8000, messages: hello, input: hello }));
      expect((await short.answer()).status).toBe(200);
    }
    expect(gateway.http.slowRequests).toBe(0);
  });

  it('is counted, metered and logged as any other', async () => {
    const short = await start();
    for (const more of [[], [ODD]]) {
      gateway.upstream.respond({ text: 'Hi' });
      await short.send(requestOf(CHAT, { model: 'tiny', messages: hello }, ...more));
      await short.answer();
    }
    await gateway.untilIdle();
    const { ended } = gateway.http.usage;
    const told = ended.map(({ endpoint, model, promptTokens, completionTokens, outcome }) => ({
      ...{ endpoint, model, promptTokens, completionTokens, outcome },
    }));
    expect(told).toHaveLength(2);
    expect(told[0]).toEqual(told[1]);
    expect(await gateway.http.metric(requestsMetric)).toBe(2);
    const lines = gateway.http.log.split('\n').filter((line) => line.includes('"message":"request"'));
    const [one, other] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(Object.keys(one ?? {})).toEqual(Object.keys(other ?? {}));
    for (const line of [one, other]) expect(line).toMatchObject({ stack: 'shop', key: 'web', status: 200 });
  });

  it('has the same rate limit headers as any other', async () => {
    const callers = { 'sk-a': makeCaller({ stack: { models: ['tiny'] }, limits: { requestsPerMinute: 9 } }) };
    const short = await start({ callers });
    const seen = [];
    for (const more of [[], [ODD]]) {
      gateway.upstream.respond({ text: 'Hi' });
      await short.send(requestOf(CHAT, { model: 'tiny', messages: hello }, ...more));
      seen.push((await short.answer()).headers['x-ratelimit-remaining-requests']);
    }
    expect([seen, gateway.http.slowRequests]).toEqual([['8', '7'], 1]);
  });

  it('is refused by a limit', async () => {
    const callers = { 'sk-a': makeCaller({ stack: { models: ['tiny'] }, limits: { requestsPerMinute: 1 } }) };
    const short = await start({ callers });
    const statuses = [];
    for (let index = 0; index < 2; index++) {
      gateway.upstream.respond({ text: 'Hi' });
      await short.send(requestOf(CHAT, { model: 'tiny', messages: hello }));
      statuses.push((await short.answer()).status);
    }
    expect([statuses, gateway.http.slowRequests]).toEqual([[200, 429], 0]);
  });

  it('waits for its part of a budget, and is refused if nothing is left', async () => {
    // Prompt and answer reserve more than the budget, so nothing is left for the second request.
    const callers = { 'sk-a': makeCaller({ stack: { models: ['tiny'] }, limits: { tokensPerDay: 100 } }) };
    const short = await start({ callers });
    const usage = { prompt_tokens: 60, completion_tokens: 60 };
    const seen = [];
    for (let index = 0; index < 2; index++) {
      gateway.upstream.respond({ text: 'Hi', usage });
      await short.send(requestOf(CHAT, { model: 'tiny', messages: hello }));
      seen.push([(await short.answer()).status, gateway.http.slowRequests]);
    }
    expect(seen).toEqual([
      [200, 0],
      [429, 0],
    ]);
  });

  it.each([
    ['in one piece where the client wants it so', {}, false],
    ['as a stream where the client wants one', { stream: true }, true],
  ])('asks its engine for the answer %s', async (_, fields, streams) => {
    const short = await start();
    await short.send(requestOf(CHAT, { model: 'tiny', messages: hello, ...fields }));
    await short.answer();
    const whole = await gateway.http.connect();
    await whole.send(requestOf(CHAT, { model: 'tiny', messages: hello, ...fields }, ODD));
    await whole.answer();
    await whole[Symbol.asyncDispose]();
    expect(gateway.http.slowRequests).toBe(1);
    const asked = gateway.upstream.requests.filter(({ path }) => path === CHAT);
    expect(asked.map(({ bytes }) => bytes.includes('"stream":true'))).toEqual([streams, streams]);
  });

  it.each(Object.keys(httpForms))('takes the answer of a server in this form: %s', async (form) => {
    const said = { content: 'Over HTTP.' };
    const [choice, usage] = [
      { index: 0, finish_reason: 'stop' },
      { prompt_tokens: 1, completion_tokens: 1 },
    ];
    const whole = JSON.stringify({ choices: [{ ...choice, message: said }], usage });
    const streamed = `data: ${JSON.stringify({ choices: [{ ...choice, delta: said }], usage })}\n\ndata: [DONE]\n\n`;
    await using server = await startRawUpstream((socket, _serial, request) => {
      const isStream = request.includes('"stream":true');
      const [type, body] = isStream ? ['text/event-stream', streamed] : ['application/json', whole];
      const written = httpForms[form]?.(type, body);
      socket.write(written?.bytes ?? '');
      if (written?.closes) socket.end();
    });
    const short = await start({ engine: { baseUrls: [server.url] } });
    await short.send(requestOf(CHAT, { model: 'tiny', messages: hello }));
    expect((await short.answer()).body).toContain('"content":"Over HTTP."');
    await short.send(requestOf(CHAT, { model: 'tiny', messages: hello, stream: true }));
    await expect.poll(() => short.unread).toContain('[DONE]');
    expect(short.unread).toContain('"content":"Over HTTP."');
    expect([server.count(), gateway.http.slowRequests]).toEqual([2, 0]);
  });

  it('limits the prompt cache of a server to its stack', async () => {
    const stacks = { 'sk-a': 'shop', 'sk-b': 'other' };
    const callers = Object.fromEntries(
      Object.entries(stacks).map(([key, id]) => [key, makeCaller({ stack: { id, models: ['tiny'] } })]),
    );
    await start({ callers });
    for (const key of Object.keys(stacks)) {
      await using short = await gateway.http.connect();
      for (const more of [[], [ODD]]) {
        await short.send(requestOf(CHAT, { model: 'tiny', messages: hello }, ...more).replace('sk-a', key));
        expect((await short.answer()).status).toBe(200);
      }
    }
    expect(gateway.http.slowRequests).toBe(2);
    const sent = gateway.asked.map(({ bytes }) => JSON.parse(bytes.toString()) as { cache_salt: string });
    const expected = Object.values(stacks).map((id) => cacheScopeOf({ account: 'acme', id }));
    expect(sent.map((body) => body.cache_salt)).toEqual(expected.flatMap((scope) => [scope, scope]));
  });

  it('gets the failure of its engine in its own format', async () => {
    const short = await start();
    for (const more of [[], [ODD]]) {
      gateway.upstream.respond({ fail: 'status' });
      await short.send(requestOf(MESSAGES, { model: 'any', max_tokens: 8000, messages: hello }, ...more));
    }
    const [one, other] = [await short.answer(), await short.answer()];
    expect(comparable(one)).toEqual(comparable(other));
    expect([one.status, gateway.http.slowRequests]).toEqual([502, 1]);
    const failed = gateway.http.log.split('\n').filter((line) => line.includes('"message":"request failed"'));
    const told = failed.map((line) => JSON.parse(line) as unknown);
    expect(told).toMatchObject(
      [one, other].map(() => ({ stack: 'shop', key: 'web', fault: 'engine-failed' })),
    );
  });

  it('stops its engine when the client disconnects', async () => {
    const held = hold();
    const short = await start();
    gateway.upstream.respond({
      text: ['One', 'two'],
      beforePiece: (index) => (index > 1 ? held.until : undefined),
    });
    await short.send(requestOf(CHAT, { model: 'tiny', messages: hello, stream: true }));
    await expect.poll(() => short.unread).toContain('One');
    short.reset();
    await expect.poll(() => gateway.asked[0]?.ended).toBeDefined();
    expect(await gateway.asked[0]?.ended).toBe('client-gone');
    held.release();
    await gateway.untilIdle();
    expect(gateway.http.usage.ended[0]).toMatchObject({ outcome: 'gone' });
    expect(await gateway.http.connections()).toBe(0);
  });
});

describe('a streamed message of a server that sends usage in every chunk', () => {
  const asked = (text: string, ...more: string[]) => {
    const messages = [{ role: 'user', content: text }];
    return requestOf(MESSAGES, { model: 'any', max_tokens: 8000, messages, stream: true }, ...more);
  };
  const counts = () => gateway.upstream.requests.filter(({ path }) => path === '/tokenize').length;
  const soon = { firstPingMs: 10, nextPingMs: 10 };

  /** A client whose server has sent usage from the first chunk on, so that prompts are no longer counted. */
  async function learned(options?: TextGatewayOptions): Promise<RawClient> {
    const short = await start(options);
    for (const text of ['Hello 1', 'Hello 2', 'Hello 3']) {
      // The answer ends only after its prompt could be counted.
      gateway.upstream.respond({ text: 'Hi', paceMs: 10 });
      await short.send(asked(text));
      expect((await short.answer()).body).toContain('"input_tokens":9,');
    }
    return short;
  }

  it('is not counted separately', async () => {
    await learned();
    expect(counts()).toBe(2);
  });

  it.each([
    ['fails', { fail: 'status' }],
    ['refuses', { fail: { mode: 'status', status: 400 } }],
    ['says nothing of use', { fail: 'garbage-sse' }],
  ] as const)('begins with the count where the server %s before its first chunk', async (_, plan) => {
    const short = await learned();
    const answers = [];
    for (const [text, ...more] of [['Hello 4'], ['Hello 5', ODD]] as const) {
      gateway.upstream.respond(plan);
      await short.send(asked(text, ...more));
      answers.push(comparable(await short.answer()));
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]).toMatchObject({
      status: 200,
      body: expect.stringMatching(
        /^event: message_start\n.*"usage":\{"input_tokens":9,"output_tokens":0,.*\n\nevent: error\n.*"api_error".*\n\n$/,
      ),
    });
    expect([counts(), gateway.http.slowRequests]).toEqual([4, 1]);
    await gateway.untilIdle();
    const failures = gateway.http.usage.ended.slice(-2);
    const { outcome } = failures[0] ?? {};
    expect(failures).toMatchObject([{ promptTokens: 0 }, { promptTokens: 0, outcome }]);
  });

  it.each([
    ['the fast path', []],
    ['Node’s server', [ODD]],
  ])('begins with the count before the first ping if the server is silent, on %s', async (_, more) => {
    const short = await learned({ streamTimes: soon });
    const held = hold();
    gateway.upstream.respond({ text: 'Hi', beforePiece: () => held.until });
    const before = counts();
    await short.send(asked('Hello 4', ...more));
    await expect.poll(() => short.unread).toContain('event: ping');
    held.release();
    const { body } = await short.answer();
    const [first, ...rest] = streamEvents(body).filter(({ name }) => name !== 'ping');
    expect(streamEvents(body)[0]).toEqual(first);
    expect([first?.name, rest.some(({ name }) => name === 'message_start')]).toEqual([
      'message_start',
      false,
    ]);
    expect(body.match(/"input_tokens":\d+/g)).toEqual(['"input_tokens":9', '"input_tokens":9']);
    expect(counts()).toBe(before + 1);
  });

  it('costs nothing if the client disconnects while the prompt of a failed call is counted', async () => {
    const short = await learned();
    const counting = hold();
    gateway.upstream.script(async ({ path }) => {
      if (path === '/tokenize') await counting.until;
      return undefined;
    });
    gateway.upstream.respond({ fail: 'status' });
    const before = counts();
    await short.send(asked('Hello 4'));
    await expect.poll(counts).toBe(before + 1);
    short.reset();
    await expect.poll(() => gateway.http.usage.ended.length).toBe(4);
    counting.release();
    expect(gateway.http.usage.ended[3]).toMatchObject({ outcome: 'gone', promptTokens: 0 });
    await gateway.untilIdle();
  });
});

const requestsMetric = `stackgate_http_requests_total{route="${CHAT}",family="chat",status_class="2xx"}`;

describe('a connection', () => {
  it('answers pipelined requests in order', async () => {
    const short = await start();
    const questions = ['one', 'two', 'three'];
    for (const text of questions) gateway.upstream.respond({ text });
    const requests = questions.map(() => requestOf(CHAT, { model: 'tiny', messages: hello }));
    await short.send(requests.join(''));
    for (const text of questions) expect((await short.answer()).body).toContain(`"${text}"`);
    expect(gateway.http.slowRequests).toBe(0);
  });

  it('keeps the order of requests in a second write', async () => {
    const short = await start();
    const questions = ['one', 'two', 'three', 'four'];
    for (const text of questions) gateway.upstream.respond({ text });
    const request = requestOf(CHAT, { model: 'tiny', messages: hello });
    await short.send(request + request);
    await short.send(request + request);
    for (const text of questions) expect((await short.answer()).body).toContain(`"${text}"`);
    expect(gateway.http.slowRequests).toBe(0);
  });

  it('passes long requests on unchanged, one after the other and several at once', async () => {
    const short = await start();
    const words = ['eins', 'zwei', 'drei', 'vier', 'fünf', '六'];
    // Different lengths, so that leftovers of one would show in the next.
    const texts = words.map((word, index) => `${word} `.repeat(2_700 - 100 * index));
    const requests = texts.map((content, index) => {
      const tools = [{ type: 'function', function: { name: words[index], parameters: { type: 'object' } } }];
      const fields = { model: 'tiny', messages: [{ role: 'user', content }], tools };
      return requestOf(CHAT, fields, ...(index === 5 ? [ODD] : []));
    });
    for (const text of words) gateway.upstream.respond({ text });
    await short.send(requests[0] ?? '');
    expect((await short.answer()).body).toContain('eins');
    await short.send(requests.slice(1).join(''));
    for (const word of words.slice(1)) expect((await short.answer()).body).toContain(word);
    expect(gateway.http.slowRequests).toBe(1);
    const asked = gateway.asked.map(({ bytes }) => JSON.parse(bytes.toString()) as AskedBody);
    expect(asked.map(({ messages }) => messages.at(-1)?.content)).toEqual(texts);
    expect(asked.map(({ tools }) => tools[0]?.function.name)).toEqual(words);
  });

  it('is served once if the key look-up is slow', async () => {
    const held = hold();
    const short = await start();
    holdKeys(held.until);
    gateway.upstream.respond({ text: 'Hi' });
    await short.send(requestOf(CHAT, { model: 'tiny', messages: hello }));
    await expect.poll(() => gateway.http.inFlight()).toBe(1);
    held.release();
    expect((await short.answer()).status).toBe(200);
    await gateway.untilIdle();
    expect([gateway.asked.length, short.unread, gateway.http.slowRequests]).toEqual([1, '', 0]);
  });

  it.each([
    ['shared', true],
    ['their own', false],
  ])(
    'goes on with Node’s server at the first request that is not usual, where reads are %s',
    async (_whose, sharesReads) => {
      const short = await start({ sharesReads });
      gateway.upstream.respond({ text: 'Hi' });
      await short.send(requestOf(CHAT, { model: 'tiny', messages: hello }));
      expect((await short.answer()).status).toBe(200);
      await short.send(models);
      expect((await short.answer()).body).toContain('tiny');
      gateway.upstream.respond({ text: 'Hi' });
      await short.send(requestOf(CHAT, { model: 'tiny', messages: hello }));
      expect((await short.answer()).status).toBe(200);
      expect(gateway.http.slowRequests).toBe(2);
    },
  );

  it.each([
    ['the last one, and bytes behind it', 'connection: close', 'nonsense\r\n\r\n', [200]],
    [
      'a wish for another protocol, and a request behind it',
      'connection: upgrade\r\nupgrade: h2c',
      models,
      [200, 200],
    ],
    ['a second host', 'host: other.test', '', [400]],
  ])('accepts after usual requests %s', async (_what, line, behind, statuses) => {
    const short = await start();
    const request = requestOf(CHAT, { model: 'tiny', messages: hello });
    await short.send(request);
    expect((await short.answer()).status).toBe(200);
    await short.send(requestOf(CHAT, { model: 'tiny', messages: hello }, line) + behind);
    for (const status of statuses) expect((await short.answer()).status).toBe(status);
    expect([short.unread, gateway.http.slowRequests]).toEqual(['', statuses.length]);
  });

  it('is closed if a body is refused before its end', async () => {
    const short = await start({ limits: { lingerMs: 50, fastArrivalMs: 50 } });
    const request = requestOf(CHAT, { model: 'tiny', messages: hello });
    await short.send(request);
    expect((await short.answer()).status).toBe(200);
    await short.send(request.replace('sk-a', 'sk-unknown').slice(0, -10));
    expect((await short.answer()).status).toBe(401);
    await short.closed();
  });

  it.each([1, 20, 120, 200, 260])('may be slow after %i bytes', async (cut) => {
    const short = await start();
    gateway.upstream.respond({ text: 'Hi' });
    const request = requestOf(CHAT, { model: 'tiny', messages: hello });
    await short.send(request.slice(0, cut));
    await new Promise((resolve) => setTimeout(resolve, 20));
    await short.send(request.slice(cut));
    expect((await short.answer()).status).toBe(200);
  });

  it('is closed after the answer when the gateway shuts down', async () => {
    const held = hold();
    const short = await start();
    gateway.upstream.respond({ text: 'Hi', beforePiece: () => held.until });
    await short.send(requestOf(CHAT, { model: 'tiny', messages: hello }));
    await expect.poll(() => gateway.asked.length).toBe(1);
    const drained = gateway.http.drainGate.drain(AbortSignal.timeout(10_000));
    held.release();
    const { status, headers } = await short.answer();
    expect([status, headers.connection]).toEqual([200, 'close']);
    await drained;
    await short.closed();
  });

  it('is served on the fast path during the drain delay, and closed after the answer', async () => {
    const short = await start();
    gateway.http.drainGate.announce();
    gateway.upstream.respond({ text: 'Hi' });
    await short.send(requestOf(CHAT, { model: 'tiny', messages: hello }));
    const { status, headers } = await short.answer();
    expect([status, headers.connection, gateway.http.slowRequests]).toEqual([200, 'close', 0]);
    await short.closed();
  });

  describe('with a request whose head came before shutdown', () => {
    const request = requestOf(CHAT, { model: 'tiny', messages: hello });
    const headAndHalf = request.slice(0, -10);

    /** Starts a shutdown; `isEmpty` becomes true once all requests are done. */
    function shutDown(): { readonly isEmpty: boolean; readonly ended: Promise<void> } {
      const shut = { isEmpty: false, ended: Promise.resolve() };
      shut.ended = gateway.http.drainGate.drain(AbortSignal.timeout(60_000)).then(() => {
        shut.isEmpty = true;
      });
      return shut;
    }

    it('is waited for, and serves it when the rest arrives', async () => {
      const short = await start();
      gateway.upstream.respond({ text: 'Hi' });
      await short.send(headAndHalf);
      await expect.poll(() => gateway.http.drainGate.serving).toBe(1);
      const shut = shutDown();
      await short.send(request.slice(-10));
      const { status, headers } = await short.answer();
      expect([status, headers.connection, gateway.http.slowRequests]).toEqual([200, 'close', 0]);
      await shut.ended;
      await short.closed();
      expect(gateway.http.drainGate.serving).toBe(0);
    });

    it('serves it through Node’s server too', async () => {
      const short = await start({ limits: { fastArrivalMs: 50 } });
      gateway.upstream.respond({ text: 'Hi' });
      await short.send(headAndHalf);
      await expect.poll(() => gateway.http.drainGate.serving).toBe(1);
      const shut = shutDown();
      // The fast path hands it over if the rest takes long.
      await expect.poll(() => gateway.http.slowRequests).toBe(1);
      expect(shut.isEmpty).toBe(false);
      await short.send(request.slice(-10));
      expect((await short.answer()).status).toBe(200);
      await shut.ended;
      expect(gateway.http.drainGate.serving).toBe(0);
    });

    it('serves it even while its key is being looked up', async () => {
      const held = hold();
      const short = await start();
      holdKeys(held.until);
      gateway.upstream.respond({ text: 'Hi' });
      await short.send(request);
      await expect.poll(() => gateway.http.drainGate.serving).toBe(1);
      const shut = shutDown();
      held.release();
      expect((await short.answer()).status).toBe(200);
      await shut.ended;
    });

    it('serves it even if it waits for an earlier answer', async () => {
      const held = hold();
      const short = await start();
      gateway.upstream.respond({ text: 'one', beforePiece: () => held.until }, { text: 'two' });
      await short.send(request + request);
      await expect.poll(() => gateway.asked.length).toBe(1);
      const shut = shutDown();
      held.release();
      for (const text of ['one', 'two']) expect((await short.answer()).body).toContain(`"${text}"`);
      await shut.ended;
      await short.closed();
      expect(gateway.http.drainGate.serving).toBe(0);
    });

    it('does not wait for it if the client disconnects', async () => {
      const short = await start();
      await short.send(headAndHalf);
      await expect.poll(() => gateway.http.drainGate.serving).toBe(1);
      const shut = shutDown();
      short.reset();
      await shut.ended;
      expect(gateway.http.drainGate.serving).toBe(0);
    });
  });
});
