import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  BREAKAGES,
  type Failure,
  QUIRKS,
  UPSTREAM_DETAIL,
} from '../../testing/fake-upstream/failure-modes.mjs';
import type { ReplyPlan } from '../../testing/fake-upstream/fake-upstream.mjs';
import { type Held, hold } from '../../testing/text/held.ts';
import type { CallAnswer, TextCall } from '../../testing/text/text-call.ts';
import { CHAT, TextGateway, UPSTREAM_KEY } from '../../testing/text/text-gateway.ts';
import { type ClientWire, clientWires } from '../../testing/text/text-wires.ts';

const TEXT = 'some words to be cut';
const FIRST_PIECE = 'some';
/** Over the `timeout_seconds` of the engine under test. */
const LONG_MS = 21_000;
const stalls: readonly string[] = ['stall-before-headers', 'stall-mid-stream'];
/** Failures before the first word of an answer. */
const early: readonly string[] = ['reset-before-headers', 'status', 'garbage-sse'];

let gateway: TextGateway;
beforeEach(async () => {
  gateway = await TextGateway.start();
});
afterEach(async () => {
  await gateway[Symbol.asyncDispose]();
});

/** A plan whose answer breaks only when it is told to go on, after its first words. */
function brokenPlan(fail: NonNullable<ReplyPlan['fail']>, seen: Promise<void>): ReplyPlan {
  const beforePiece = async (index: number) => {
    if (index >= 3) await seen;
  };
  return { text: TEXT, fail, beforePiece, beforeCut: () => seen };
}

/** Lets the upstream answer nothing on a path before it is told to. */
function holdPath(isHeld: (path: string) => boolean): Held {
  const held = hold();
  gateway.upstream.script(async ({ path }) => {
    if (isHeld(path)) await held.until;
    return undefined;
  });
  return held;
}

/** The answer as a client may see it. */
async function discreet(call: TextCall): Promise<CallAnswer> {
  const answer = await call.answer();
  const shown = JSON.stringify(answer);
  for (const secret of [UPSTREAM_DETAIL, UPSTREAM_KEY, 'ECONN', '127.0.0.1', 'fake-model', 'oops']) {
    expect(shown).not.toContain(secret);
  }
  expect(gateway.http.log).not.toContain(UPSTREAM_KEY);
  return answer;
}

/** Expects a failure as an HTTP error, in the shape of the wire. */
async function expectHttpFailure(
  wire: ClientWire,
  call: TextCall,
  { status, type }: { readonly status: number; readonly type: string },
): Promise<CallAnswer> {
  const answer = await discreet(call);
  expect([answer.status, answer.headers['content-type']]).toEqual([status, 'application/json']);
  expect(JSON.parse(answer.body)).toEqual(wire.error(type));
  expect(answer.headers['x-request-id']).toBe(answer.headers['request-id']);
  return answer;
}

/** Expects a failure at the end of a stream. */
async function expectStreamFailure(wire: ClientWire, call: TextCall, type: string): Promise<void> {
  const answer = await discreet(call);
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
  expect(wire.failureOf(answer)).toEqual(wire.error(type));
  if (wire.name === 'chat') return;
  expect(answer.body).toMatch(/^event: message_start\n.*"input_tokens":[1-9]/);
  expect(answer.body.match(/event: message_start/g)).toHaveLength(1);
}

interface EarlyFailure {
  readonly stream: boolean;
  readonly status: number;
  readonly type: string;
}

/** Expects a failure while the prompt is being counted. A messages stream waits for the count, then sends the failure as an event. */
async function expectEarlyFailure(
  wire: ClientWire,
  { stream, status, type }: EarlyFailure,
): Promise<CallAnswer | undefined> {
  const counting = holdPath((path) => path === '/tokenize');
  const call = wire.ask(gateway, { stream });
  if (!(wire.name === 'messages' && stream)) {
    const answer = await expectHttpFailure(wire, call, { status, type });
    counting.release();
    return answer;
  }
  await gateway.upstream.until(() => gateway.asked.length > 0);
  counting.release();
  await expectStreamFailure(wire, call, type === 'overloaded_error' ? type : 'api_error');
  return undefined;
}

async function expectNextWorks(wire: ClientWire): Promise<void> {
  const answer = await wire.ask(gateway, { stream: true }).answer();
  expect(wire.textOf(answer)).toBe('Hello from the fake upstream.');
}

const failed = { chat: 'upstream_error', messages: 'api_error' };
const timedOut = { chat: 'timeout', messages: 'timeout_error' };

describe.each(clientWires)('an upstream that breaks, asked by $name', (wire) => {
  const failure = { status: 502, type: failed[wire.name] };
  const timeout = { status: 504, type: timedOut[wire.name] };

  it.each(BREAKAGES.filter((mode) => !stalls.includes(mode)))(
    'by %s gives 502 to a whole answer',
    async (mode) => {
      gateway.upstream.respond(brokenPlan(mode, Promise.resolve()));
      await expectHttpFailure(wire, wire.ask(gateway), failure);
      await expectNextWorks(wire);
    },
  );

  it.each(BREAKAGES.filter((mode) => ![...stalls, ...early].includes(mode)))(
    'by %s after its first words ends the stream with an error',
    async (mode) => {
      const seen = hold();
      gateway.upstream.respond(brokenPlan(mode, seen.until));
      const call = wire.ask(gateway, { stream: true });
      await call.until((received) => wire.hasSaid(received, FIRST_PIECE));
      seen.release();
      await expectStreamFailure(wire, call, failure.type);
      await expectNextWorks(wire);
    },
  );

  it.each(early)('by %s before a stream has begun is told', async (mode) => {
    gateway.upstream.respond({ text: TEXT, fail: mode as Failure['mode'] });
    await expectEarlyFailure(wire, { ...failure, stream: true });
    await expectNextWorks(wire);
  });

  it('by a stall before its first byte gives 504 to a whole answer', async () => {
    gateway.upstream.respond({ fail: 'stall-before-headers' });
    const call = wire.ask(gateway);
    await gateway.upstream.until(() => gateway.asked.length === 1);
    gateway.clock.pass(LONG_MS);
    const answer = await expectHttpFailure(wire, call, timeout);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('by a stall amid its answer gives 504 to a whole answer', async () => {
    const sent = hold();
    gateway.upstream.respond({ text: TEXT, fail: 'stall-mid-stream', beforeCut: sent.release });
    const call = wire.ask(gateway);
    await sent.until;
    gateway.clock.pass(LONG_MS);
    await expectHttpFailure(wire, call, timeout);
  });

  it('by a stall amid a stream ends it with an error', async () => {
    gateway.upstream.respond({ text: TEXT, fail: 'stall-mid-stream' });
    const call = wire.ask(gateway, { stream: true });
    await call.until((received) => wire.hasSaid(received, FIRST_PIECE));
    gateway.clock.pass(LONG_MS);
    await expectStreamFailure(wire, call, wire.name === 'chat' ? 'timeout' : 'api_error');
  });

  it.each([true, false])('by closing its port is told, stream: %s', async (stream) => {
    await gateway.upstream.refuse();
    const call = wire.ask(gateway, { stream });
    // Nothing can be counted there: a stream of messages begins with an estimate.
    if (stream && wire.name === 'messages') await expectStreamFailure(wire, call, failure.type);
    else await expectHttpFailure(wire, call, failure);
    await gateway.upstream.accept();
    await expectNextWorks(wire);
  });

  it.each([true, false])('by an event over the bound is told, stream: %s', async (stream) => {
    gateway.upstream.respond({ fail: 'huge-event' });
    // The role chunk comes first, and begins nothing.
    await expectEarlyFailure(wire, { ...failure, stream });
  });
});

describe('an upstream that breaks after message_start', () => {
  const messages = clientWires[1] as ClientWire;

  async function started(fail: NonNullable<ReplyPlan['fail']>): Promise<TextCall> {
    const answering = holdPath((path) => path === CHAT);
    gateway.upstream.respond({ text: TEXT, fail });
    const call = gateway.messages({ stream: true });
    await call.until((received) => received.includes('event: message_start'));
    answering.release();
    return call;
  }

  it.each(early)('by %s ends the stream with an error', async (mode) => {
    await expectStreamFailure(messages, await started(mode as Failure['mode']), 'api_error');
  });

  it('by a stall ends the stream with an error', async () => {
    const call = await started('stall-before-headers');
    gateway.clock.pass(LONG_MS);
    await expectStreamFailure(messages, call, 'api_error');
  });

  it.each([
    [429, 'overloaded_error'],
    [503, 'overloaded_error'],
    [529, 'overloaded_error'],
    [400, 'api_error'],
    [413, 'api_error'],
    [401, 'api_error'],
    [500, 'api_error'],
    [504, 'api_error'],
  ])('by status %i is told as %s', async (status, type) => {
    await expectStreamFailure(messages, await started({ mode: 'status', status }), type);
  });
});

interface StatusRow {
  readonly statuses: readonly number[];
  readonly told: number;
  readonly chat: string;
  readonly messages: string;
}

const statusRows: readonly StatusRow[] = [
  { statuses: [429, 503, 529], told: 502, chat: 'upstream_error', messages: 'overloaded_error' },
  { statuses: [400, 413, 422], told: 400, chat: 'invalid_request_error', messages: 'invalid_request_error' },
  { statuses: [408, 504], told: 504, chat: 'timeout', messages: 'timeout_error' },
  { statuses: [302, 401, 403, 404, 500, 502], told: 502, chat: 'upstream_error', messages: 'api_error' },
];
const statusCases = statusRows.flatMap(({ statuses, ...row }) =>
  statuses.map((status) => ({ status, ...row })),
);

describe.each(clientWires)('a status of the upstream, asked by $name', (wire) => {
  describe.each([true, false])('stream: %s', (stream) => {
    it.each(statusCases)('$status is told as $told', async ({ status, told, ...row }) => {
      for (const body of ['json', 'html', 'empty'] as const) {
        gateway.upstream.respond({ fail: { mode: 'status', status, body, retryAfter: 7 } });
        const answer = await expectEarlyFailure(wire, { stream, status: told, type: row[wire.name] });
        if (row.messages === 'overloaded_error' && answer !== undefined)
          expect(answer.headers['retry-after']).toBe('7');
      }
    });
  });
});

describe.each(clientWires)('a quirk of the upstream, asked by $name', (wire) => {
  describe.each([true, false])('stream: %s', (stream) => {
    it.each(QUIRKS.filter((mode) => mode !== 'huge-event'))('%s changes nothing', async (mode) => {
      gateway.upstream.respond({ text: 'All is well.', fail: { mode, delayMs: 1 } });
      const answer = await discreet(wire.ask(gateway, { stream }));
      expect(answer.status).toBe(200);
      const text = wire.textOf(answer);
      expect(mode === 'invalid-utf8' ? text.replaceAll('\uFFFD', '') : text).toBe('All is well.');
      expect(answer.body).toMatch(
        wire.name === 'chat' ? /"finish_reason":"stop"/ : /"stop_reason":"end_turn"/,
      );
      if (wire.name === 'messages')
        expect(answer.body).toMatch(/"input_tokens":[1-9]\d*,"output_tokens":[34],/);
    });
  });
});
