import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { makeCaller } from '../../testing/fake-callers.ts';
import { type Held, hold } from '../../testing/text/held.ts';
import type { TextCall } from '../../testing/text/text-call.ts';
import {
  CHAT,
  COUNT,
  MESSAGES,
  TextGateway,
  type TextGatewayOptions,
} from '../../testing/text/text-gateway.ts';
import { type ClientWire, clientWires } from '../../testing/text/text-wires.ts';
import { RequestAdmission } from '../access/request-admission.ts';

const CLIENTS = 200;
const TOLD_WITHIN_MS = 100;
const forever = new Promise<void>(() => undefined);
/** With limits, permits are counted. */
const limited = makeCaller({ limits: { concurrentRequests: 1_000 } });

let gateway: TextGateway;
afterEach(async () => {
  await gateway[Symbol.asyncDispose]();
});

async function start(options: TextGatewayOptions = {}): Promise<void> {
  gateway = await TextGateway.start({ callers: { 'sk-a': limited }, ...options });
}

/** Timers that keep this process alive. */
function timers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
}

async function expectNothingLeft(timersBefore: number): Promise<void> {
  await gateway.untilIdle();
  await expect.poll(() => gateway.http.connections()).toBe(0);
  const { admission } = gateway.http;
  expect(admission instanceof RequestAdmission && admission.watched).toBe(0);
  // The one that sweeps.
  expect(gateway.clock.pending).toBe(1);
  for (let turn = 0; turn < 1_000 && timers() > timersBefore; turn += 1) await nextTurn();
  expect(timers()).toBeLessThanOrEqual(timersBefore);
}

interface Visit {
  readonly path: string;
  readonly stream: boolean;
  readonly moment: 'at once' | 'asked' | 'counting' | 'mid-answer' | 'stays';
}

const visits: fc.Arbitrary<Visit> = fc.record({
  path: fc.constantFrom(CHAT, MESSAGES, COUNT),
  stream: fc.boolean(),
  moment: fc.constantFrom('at once', 'asked', 'counting', 'mid-answer', 'stays'),
});

/** The upstream's view of one client. */
interface Trace {
  readonly visit: Visit;
  readonly asked: Held;
  readonly counting: Held;
  readonly answering: Held;
}

/** Answers those that stay; the rest is held at the moment at which its client leaves. */
function scriptVisits(traces: readonly Trace[]): void {
  gateway.upstream.script(async ({ path, bytes }) => {
    const trace = traces[Number(/client (\d+)/.exec(bytes.toString())?.[1])];
    if (trace === undefined) return undefined;
    const { visit, asked, counting, answering } = trace;
    asked.release();
    if (path !== CHAT) {
      counting.release();
      return { beforePiece: () => (visit.moment === 'counting' ? forever : undefined) };
    }
    const heldPiece = visit.stream ? 2 : 0;
    const beforePiece = async (index: number) => {
      if (index === heldPiece) answering.release();
      if (index === heldPiece && visit.moment !== 'stays') await forever;
    };
    return { text: 'abcdefgh', beforePiece };
  });
}

async function untilMoment(call: TextCall, { visit, asked, counting, answering }: Trace): Promise<void> {
  const { moment, path, stream } = visit;
  const isCounted = path === COUNT || (path === MESSAGES && stream);
  if (moment === 'asked' || (moment === 'mid-answer' && path === COUNT)) await asked.until;
  // A server that sends the prompt's tokens with its first chunk is not asked to count.
  const counted = Promise.race([counting.until, answering.until]);
  if (moment === 'counting') await (isCounted ? counted : asked.until);
  if (moment !== 'mid-answer' || path === COUNT) return;
  if (stream) await call.until((received) => received.includes('"abcd"'));
  else await answering.until;
}

async function come(trace: Trace, index: number): Promise<string> {
  const { path, stream, moment } = trace.visit;
  const messages = [{ role: 'user', content: `client ${index}` }];
  const call = gateway.post(path, { model: 'tiny', stream, messages });
  if (moment === 'stays') return (await call.answer()).body;
  await untilMoment(call, trace);
  call.leave();
  return await call.ended;
}

function wholeAnswer({ path, stream }: Visit): RegExp {
  if (path === COUNT) return /^\{"input_tokens":\d+\}$/;
  return stream ? /message_stop|\[DONE\]/ : /"abcdefgh"/;
}

describe(`${CLIENTS} clients that leave at random moments`, () => {
  it.each([1, 2])('leave nothing behind, and those that stay are answered (%i)', async (seed) => {
    await start({ engine: { made: { limits: { connectionsPerServer: 32, countsPerServer: 4 } } } });
    await gateway.chat().answer();
    await gateway.untilIdle();
    const timersBefore = timers();
    const traces = fc
      .sample(visits, { numRuns: CLIENTS, seed })
      .map((visit): Trace => ({ visit, asked: hold(), counting: hold(), answering: hold() }));
    scriptVisits(traces);
    const ends = await Promise.all(traces.map(come));
    for (const [index, { visit }] of traces.entries()) {
      if (visit.moment === 'stays') expect(ends[index]).toMatch(wholeAnswer(visit));
    }
    await expectNothingLeft(timersBefore);
    expect(gateway.http.log).not.toContain('request failed');
  });
});

describe('a client that leaves', () => {
  const moments: readonly {
    name: string;
    leaveAfter: (wire: ClientWire, call: TextCall, round: number) => Promise<void>;
  }[] = [
    {
      name: 'before the upstream has answered',
      leaveAfter: (_wire, _call, round) => gateway.upstream.until(() => gateway.asked.length === round),
    },
    {
      name: 'amid a stream',
      leaveAfter: (wire, call) => call.until((received) => wire.hasSaid(received, 'abcd')),
    },
  ];
  const cases = moments.flatMap((moment) => clientWires.map((wire) => ({ ...moment, wire })));

  /** Leaves; returns the time until the upstream noticed. */
  async function toldAfterMs(call: TextCall): Promise<number> {
    const gone = gateway.upstream.clientGone(AbortSignal.timeout(60_000));
    const leftMs = performance.now();
    call.leave();
    await gone;
    return performance.now() - leftMs;
  }

  /** The best of three: one may fall into a pause of a busy machine. */
  async function expectToldInTime(leaveOnce: (round: number) => Promise<number>): Promise<void> {
    const times = [await leaveOnce(1), await leaveOnce(2), await leaveOnce(3)];
    expect(Math.min(...times)).toBeLessThan(TOLD_WITHIN_MS);
    await gateway.untilIdle();
  }

  it.each(cases)('$name ends the upstream call at once: $wire.name', async ({ wire, name, leaveAfter }) => {
    await start();
    const stream = name === 'amid a stream';
    const beforePiece = (index: number) => (index === (stream ? 2 : 0) ? forever : undefined);
    await expectToldInTime(async (round) => {
      gateway.upstream.respond({ text: 'abcdefgh', beforePiece });
      const call = wire.ask(gateway, { stream });
      await leaveAfter(wire, call, round);
      return await toldAfterMs(call);
    });
    const ends = await Promise.all(gateway.asked.map(({ ended }) => ended));
    expect(ends).toEqual(['client-gone', 'client-gone', 'client-gone']);
  });

  it.each([COUNT, MESSAGES])('while its prompt is counted ends the count: %s', async (path) => {
    await start();
    gateway.upstream.script((request) =>
      request.path === '/tokenize' ? { beforePiece: () => forever } : undefined,
    );
    const counts = () => gateway.upstream.requests.filter((request) => request.path === '/tokenize');
    await expectToldInTime(async (round) => {
      const call = path === COUNT ? gateway.count() : gateway.messages({ stream: true });
      await gateway.upstream.until(() => counts().length === round);
      return await toldAfterMs(call);
    });
    const ends = await Promise.all(counts().map(({ ended }) => ended));
    expect(ends).toEqual(['client-gone', 'client-gone', 'client-gone']);
  });

  it('does not end the count that another client waits for', async () => {
    await start();
    const counting = hold();
    gateway.upstream.script(({ path }) =>
      path === '/tokenize' ? { beforePiece: () => counting.until } : undefined,
    );
    const [leaver, stayer] = [gateway.count(), gateway.count()];
    await gateway.upstream.until(({ requests }) => requests.some(({ path }) => path === '/tokenize'));
    await expect.poll(() => gateway.http.inFlight()).toBe(2);
    leaver.leave();
    await expect.poll(() => gateway.http.inFlight()).toBe(1);
    counting.release();
    expect(JSON.parse((await stayer.answer()).body)).toEqual({ input_tokens: 9 });
  });
});

describe('a reader that stalls', () => {
  const PIECES = 600;
  const PIECE_CHARACTERS = 64 * 1024;
  /** More than the system and both processes buffer of an unread stream. */
  const MUCH_BYTES = 24 * 1024 * 1024;

  /** One answer of 38 MB by a server that ignores max_tokens; all others are short. */
  function answerAtLength(): void {
    let isFirst = true;
    gateway.upstream.script((request) => {
      if (request.path !== CHAT || !isFirst) return undefined;
      isFirst = false;
      Object.assign(request, { body: { messages: [], stream: true } });
      return { pieceCount: PIECES, pieceCharacters: PIECE_CHARACTERS };
    });
  }

  /** Other clients come and go until the stalled answer has stood still for some of them. */
  async function untilStill(): Promise<number> {
    for (let still = 0, last = -1; ; ) {
      const sent = gateway.asked[0]?.sentPieces ?? 0;
      still = sent === last && sent > 0 ? still + 1 : 0;
      if (still === 20) return sent;
      last = sent;
      await gateway.chat().answer();
    }
  }

  it.each(clientWires)(
    'pauses the upstream, and gets the whole answer when it reads on: $name',
    async (wire) => {
      await start();
      answerAtLength();
      const call = wire.ask(gateway, { stream: true });
      await call.head;
      call.stall();
      expect((await untilStill()) * PIECE_CHARACTERS).toBeLessThan(MUCH_BYTES);
      call.readOn();
      const text = wire.textOf(await call.answer());
      expect(text.length).toBe(PIECES * PIECE_CHARACTERS);
      expect(/^(abcdefghijklmnopqrstuvwxyz )*[a-z ]{0,26}$/.test(text.slice(0, 100_000))).toBe(true);
      await gateway.untilIdle();
    },
  );

  it('that never reads on is cut, and its upstream call ended', async () => {
    await start({ streamTimes: { stalledMs: 50 } });
    answerAtLength();
    const gone = gateway.upstream.clientGone(AbortSignal.timeout(60_000));
    const call = gateway.chat({ stream: true });
    await call.head;
    call.stall();
    expect((await gone).path).toBe(CHAT);
    await gateway.untilIdle();
    call.leave();
  });
});
