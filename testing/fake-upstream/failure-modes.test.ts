import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { BREAKAGES, type Failure, QUIRKS, UPSTREAM_DETAIL } from './failure-modes.mjs';
import { type FakeUpstream, type FakeUpstreamOptions, startFakeUpstream } from './fake-upstream.mjs';
import { CHAT, deltasOf, eventsOf, messages, send, sendForJson, sendWhole, streamChat } from './raw-chat.ts';
import { parseRaw } from './raw-exchange.ts';

let upstream: FakeUpstream;

const start = async (options?: FakeUpstreamOptions): Promise<void> => {
  upstream = await startFakeUpstream(options);
};

afterEach(async () => {
  await upstream.close();
  expect(upstream.openConnections).toBe(0);
  expect(upstream.activeRequests).toBe(0);
});

describe('the fake upstream failing', () => {
  const wires = [{ stream: true }, { stream: false }];

  /** Sends a chat request under a failure and returns what came back. */
  async function fail(failure: Failure, extra: object): Promise<{ end: 'end' | 'reset'; raw: Buffer }> {
    await start({ plan: { text: 'Some text to be broken.', fail: failure } });
    const exchange = send(upstream, CHAT, { messages, ...extra });
    const end = await exchange.ended;
    return { end, raw: exchange.received() };
  }

  it('refuses connections, and accepts them again on the same port', async () => {
    await start({ refusing: true });
    const { port } = new URL(upstream.url);
    const [error] = await once(connect(Number(port), '127.0.0.1'), 'error');
    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
    await upstream.accept();
    expect(new URL(upstream.url).port).toBe(port);
    expect(await sendWhole(upstream, '/health')).toMatchObject({ status: 200 });
    await upstream.refuse();
    const [again] = await once(connect(Number(port), '127.0.0.1'), 'error');
    expect(again).toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('cuts what is under way when it begins to refuse', async () => {
    await start({ plan: { fail: 'stall-mid-stream' } });
    const exchange = send(upstream, CHAT, { messages, stream: true });
    await exchange.until('data: ');
    await upstream.refuse();
    await exchange.ended;
    expect(await upstream.requests[0]?.ended).toBe('cut');
  });

  for (const wire of wires) {
    const how = wire.stream ? 'a stream' : 'a whole body';

    it(`resets before the headers of ${how}`, async () => {
      expect(await fail({ mode: 'reset-before-headers' }, wire)).toEqual({
        end: 'reset',
        raw: Buffer.alloc(0),
      });
      expect(await upstream.requests[0]?.ended).toBe('cut');
    });

    it(`resets in the midst of ${how}`, async () => {
      let release = (): void => undefined;
      const isRead = new Promise<void>((resolve) => {
        release = resolve;
      });
      await start({ plan: { fail: { mode: 'reset-mid-stream', afterEvents: 2 }, beforeCut: () => isRead } });
      const exchange = send(upstream, CHAT, { messages, ...wire });
      await exchange.until(wire.stream ? '"content":"Hell"' : '"chatcmpl-fake-1"');
      release();
      expect(await exchange.ended).toBe('reset');
      expect(parseRaw(exchange.received())).toMatchObject({ status: 200, isWhole: false });
      expect(await upstream.requests[0]?.ended).toBe('cut');
    });

    it(`ends the connection in the midst of ${how}`, async () => {
      const { end, raw } = await fail({ mode: 'truncated-body' }, wire);
      expect(end).toBe('end');
      const response = parseRaw(raw);
      expect(response).toMatchObject({ status: 200, isWhole: false });
      expect(response.body.length).toBeGreaterThan(20);
      expect(response.head.includes('content-length: ')).toBe(!wire.stream);
      if (!wire.stream) expect(() => JSON.parse(response.body.toString())).toThrow(SyntaxError);
    });

    it(`stalls before the headers of ${how}`, async () => {
      await start({ plan: { fail: 'stall-before-headers' } });
      const exchange = send(upstream, CHAT, { messages, ...wire });
      await upstream.until(({ requests }) => requests.length === 1);
      await sendWhole(upstream, '/health');
      expect(exchange.received()).toHaveLength(0);
      expect(upstream.activeRequests).toBe(1);
    });

    it(`stalls in the midst of ${how}`, async () => {
      await start({ plan: { fail: { mode: 'stall-mid-stream', afterEvents: 2 } } });
      const exchange = send(upstream, CHAT, { messages, ...wire });
      await exchange.until(wire.stream ? '"content":"Hell"' : '"chatcmpl-fake-1"');
      await sendWhole(upstream, '/health');
      expect(parseRaw(exchange.received())).toMatchObject({ status: 200, isWhole: false });
      expect(exchange.received().toString().split('data: ').length - 1).toBe(wire.stream ? 2 : 0);
      expect(upstream.activeRequests).toBe(1);
    });

    it(`sends the headers of ${how} late`, async () => {
      const beganMs = performance.now();
      const { raw } = await fail({ mode: 'slow-headers', delayMs: 80 }, wire);
      // Timers may fire a millisecond early.
      expect(performance.now() - beganMs).toBeGreaterThan(78);
      expect(parseRaw(raw)).toMatchObject({ status: 200, isWhole: true });
    });

    it(`answers with bad statuses instead of ${how}`, async () => {
      for (const status of [400, 401, 429, 500, 503, 529]) {
        for (const body of ['json', 'html', 'empty'] as const) {
          const { raw } = await fail({ mode: 'status', status, body, retryAfter: 7 }, wire);
          const response = parseRaw(raw);
          expect(response.status).toBe(status);
          expect(response.head).toContain('retry-after: 7');
          expect(response.body.includes(UPSTREAM_DETAIL)).toBe(body !== 'empty');
          if (body === 'json')
            expect(JSON.parse(response.body.toString())).toMatchObject({ error: { code: status } });
          await upstream.close();
        }
      }
    });

    it(`sends bytes that are no JSON as ${how}`, async () => {
      const { raw } = await fail({ mode: 'garbage-json' }, wire);
      const { body, isWhole } = parseRaw(raw);
      expect(isWhole).toBe(true);
      const documents = wire.stream
        ? eventsOf(body).filter((event) => event !== '[DONE]')
        : [body.toString()];
      expect(documents.filter((document) => !isJson(document))).toHaveLength(1);
    });

    it(`sends bytes that are no events as ${how}`, async () => {
      const { raw } = await fail({ mode: 'garbage-sse' }, wire);
      const { body, head } = parseRaw(raw);
      expect(head).toContain(wire.stream ? 'text/event-stream' : 'application/json');
      expect(body.includes('data:')).toBe(false);
      expect(body.length).toBeGreaterThan(20);
    });

    it(`sends bytes that are no UTF-8 in ${how}`, async () => {
      const { raw } = await fail({ mode: 'invalid-utf8' }, wire);
      const { body, isWhole } = parseRaw(raw);
      expect(isWhole).toBe(true);
      expect(() => new TextDecoder('utf-8', { fatal: true }).decode(body)).toThrow(TypeError);
    });

    it(`sends megabytes in one piece of ${how}, whatever max_tokens says`, async () => {
      const { raw } = await fail({ mode: 'huge-event' }, { ...wire, max_tokens: 10 });
      const { body, isWhole } = parseRaw(raw);
      expect(isWhole).toBe(true);
      const longest = Math.max(
        ...body
          .toString()
          .split('\n')
          .map((line) => line.length),
      );
      expect(longest).toBeGreaterThan(8 * 1024 * 1024);
    });
  }

  it('leaves out [DONE]', async () => {
    await start();
    const { chunks, last } = await streamChat(upstream, { fail: 'missing-done' });
    expect(last).not.toBe('[DONE]');
    expect(chunks.at(-1)?.choices).toMatchObject([{ finish_reason: 'stop' }]);
  });

  it('leaves out the finish reason', async () => {
    await start();
    const { chunks, last } = await streamChat(upstream, { fail: 'no-finish-reason' });
    expect(last).toBe('[DONE]');
    expect(chunks.every(({ choices }) => choices[0]?.finish_reason === null)).toBe(true);
    upstream.respond({ fail: 'no-finish-reason' });
    expect(await sendForJson(upstream, CHAT, { messages })).toMatchObject({
      choices: [{ finish_reason: null }],
    });
  });

  it('writes out nulls in the fragments of tool calls and in deltas', async () => {
    await start();
    const { chunks } = await streamChat(upstream, {
      toolCalls: [{ name: 'look', arguments: { a: 1 } }],
      fail: 'null-fragments',
    });
    const fragments = deltasOf(chunks).flatMap((delta) => delta.tool_calls ?? []);
    expect(fragments[0]).toMatchObject({ id: 'call_fake_0', function: { name: 'look' } });
    expect(fragments.length).toBeGreaterThan(1);
    for (const fragment of fragments.slice(1)) {
      expect(fragment).toMatchObject({ id: null, type: null, function: { name: null } });
    }
    expect(deltasOf(chunks).at(-1)).toMatchObject({ content: null, tool_calls: null });
  });

  it('repeats usage in every chunk', async () => {
    await start();
    const { chunks } = await streamChat(upstream, { fail: 'usage-in-every-chunk' });
    expect(chunks.length).toBeGreaterThan(3);
    expect(chunks.every(({ usage }) => usage !== undefined)).toBe(true);
  });

  it('leaves out the role', async () => {
    await start();
    const { chunks } = await streamChat(upstream, { text: 'Hi.', fail: 'no-role-chunk' });
    expect(deltasOf(chunks)).toEqual([{ content: 'Hi.' }, {}]);
  });

  it('merges the finish with the last text', async () => {
    await start();
    const { chunks } = await streamChat(upstream, { text: ['a', 'b'], fail: 'finish-merged-with-text' });
    expect(deltasOf(chunks).map(({ content }) => content)).toEqual(['', 'a', 'b']);
    expect(chunks.at(-1)?.choices).toMatchObject([{ delta: { content: 'b' }, finish_reason: 'stop' }]);
  });

  it('says an error in the midst of a stream, or with status 200', async () => {
    await start({ plan: { fail: 'error-event' } });
    const events = eventsOf((await sendWhole(upstream, CHAT, { messages, stream: true })).body);
    expect(JSON.parse(events.at(-1) ?? '')).toMatchObject({ error: { message: UPSTREAM_DETAIL } });
    expect(events.length).toBeGreaterThan(3);
    expect(await sendForJson(upstream, CHAT, { messages })).toMatchObject({
      error: { message: UPSTREAM_DETAIL },
    });
  });

  it('refuses a mode that it does not know', async () => {
    // @ts-expect-error: not a mode.
    await start({ plan: { fail: 'sulk' } });
    expect((await sendWhole(upstream, CHAT, { messages })).body.toString()).toContain(
      'no such failure mode: sulk',
    );
  });

  it('knows each mode once', () => {
    const modes = [...BREAKAGES, ...QUIRKS];
    expect(new Set(modes).size).toBe(modes.length);
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
