import { describe, expect, it } from 'vitest';
import { FakeOutlet, openExchange } from '../../testing/fake-outlet.ts';
import { Fault } from '../faults/fault.ts';
import type { TextAnswer } from '../text/text-engine.ts';
import type { TextEvent } from '../text/text-event.ts';
import type { TextRequest } from '../text/text-wire.ts';
import { conversationOf, readResponse } from '../text/wire/responses/read-response.ts';
import { openResponse } from '../text/wire/responses/responses-wire.ts';
import { defaultStreamTimes, StreamWatch } from './stream-watch.ts';
import { TextDelivery } from './text-delivery.ts';

const late = new Fault('engine-failed', 'The model server broke off.');
const finish: TextEvent = {
  type: 'finish',
  reason: 'stop',
  stopSequence: undefined,
  usage: { promptTokens: 1, completionTokens: 1 },
};
const said = (text: string): TextEvent => ({ type: 'block-delta', text });

/** A format that writes texts unchanged. */
function plain(format: Partial<TextRequest>): TextRequest {
  return {
    streaming: true,
    countFirst: false,
    conversation: {} as TextRequest['conversation'],
    reply: ({ reason }) => `whole: ${reason}`,
    writer: () => {
      let hasStarted = false;
      return {
        write: (event) => {
          if (event.type === 'block-delta') return `${event.text};`;
          if (event.type !== 'start' || hasStarted) return '';
          hasStarted = true;
          return 'start;';
        },
        ping: () => 'ping;',
        fail: ({ code }) => `error ${code};`,
      };
    },
    ...format,
  };
}

/** The pings of a response. */
function respondingFormat(): Partial<TextRequest> {
  const read = readResponse({ model: 'm', input: 'Hi', stream: true });
  const asked = conversationOf(read, { history: [], input: read.input });
  const { nextPingMs } = openResponse(read, asked, { answerId: 'a', created: 1, stored: false });
  return nextPingMs === undefined ? {} : { nextPingMs };
}

function delivered(format: Partial<TextRequest> = {}, outlet = new FakeOutlet()) {
  const calls: string[] = [];
  const answer: TextAnswer = {
    passages: [],
    begin: () => calls.push('begin'),
    stop: () => calls.push('stop'),
    setFlowing: (isFlowing) => calls.push(isFlowing ? 'flow' : 'hold on'),
    start: async () => ({ type: 'start', promptTokens: 1 }),
  };
  const exchange = openExchange(outlet);
  const delivery = new TextDelivery(plain(format), new StreamWatch(defaultStreamTimes)).of(answer);
  delivery.deliver(exchange);
  return { calls, outlet, delivery };
}

describe('a stream', () => {
  it('sends a batch in one piece, and its head with the first', () => {
    const { delivery, outlet, calls } = delivered();
    delivery.onEvents([{ type: 'block-start', block: { type: 'text' } }]);
    expect([calls, outlet.isOpen]).toEqual([['begin'], false]);
    delivery.onEvents([said('one'), said('two')]);
    delivery.onEvents([said('three'), finish]);
    expect(outlet.pieces).toEqual(['one;two;', 'three;']);
    expect(outlet.head).toMatchObject({ status: 200, lines: expect.stringContaining('text/event-stream') });
    expect(outlet.isEnded).toBe(true);
  });

  it('that fails before its head is an HTTP error, and later ends with an error of its format', () => {
    const early = delivered();
    early.delivery.onFailure(late);
    expect([early.outlet.head?.status, early.outlet.isEnded]).toEqual([502, true]);
    const begun = delivered();
    begun.delivery.onEvents([said('one')]);
    begun.delivery.onFailure(late);
    expect([begun.outlet.head?.status, begun.outlet.pieces]).toEqual([200, ['one;', 'error engine-failed;']]);
  });

  it('that must begin with a count does so before a failure, but not before a refusal', async () => {
    const failed = delivered({ countFirst: true });
    failed.delivery.onFailure(late);
    await expect.poll(() => failed.outlet.pieces).toEqual(['start;error engine-failed;']);
    const refused = delivered({ countFirst: true });
    refused.delivery.onFailure(new Fault('invalid-request', 'The schema cannot be followed.'));
    expect(refused.outlet.head?.status).toBe(400);
  });

  it.each([
    ['of the gateway', {}, defaultStreamTimes.nextPingMs],
    // Codex disconnects after some seconds without an event.
    ['of the responses format', respondingFormat(), 5_000],
  ])('is pinged after a silence, and again after the time %s', (_, format, nextPingMs) => {
    const { delivery, outlet } = delivered(format);
    const { firstPingMs } = defaultStreamTimes;
    let nowMs = performance.now();
    const piecesAfter = (ms: number) => {
      nowMs += ms;
      delivery.sweep(nowMs);
      return outlet.pieces.length;
    };
    expect(piecesAfter(firstPingMs / 2)).toBe(0);
    expect(piecesAfter(firstPingMs)).toBe(1);
    expect(piecesAfter(nextPingMs / 2)).toBe(1);
    expect(piecesAfter(nextPingMs)).toBe(2);
    expect(outlet.pieces).toEqual(['ping;', 'ping;']);
  });

  it('pauses its engine while the client reads nothing, and closes the connection in the end', () => {
    const { delivery, outlet, calls } = delivered();
    outlet.isFull = true;
    delivery.onEvents([said('one')]);
    outlet.drain();
    delivery.onEvents([said('two')]);
    expect(calls).toEqual(['begin', 'hold on', 'flow', 'hold on']);
    const nowMs = performance.now();
    delivery.sweep(nowMs + defaultStreamTimes.stalledMs / 2);
    expect(outlet.isGone).toBe(false);
    delivery.sweep(nowMs + 2 * defaultStreamTimes.stalledMs);
    expect([outlet.isGone, calls.at(-1)]).toEqual([true, 'stop']);
  });

  it('stops its engine when the client leaves, and says nothing more', () => {
    const { delivery, outlet, calls } = delivered();
    delivery.onEvents([said('one')]);
    outlet.destroy();
    delivery.onEvents([said('two')]);
    delivery.onFailure(late);
    expect([calls, outlet.pieces]).toEqual([['begin', 'stop'], ['one;']]);
  });
});

it('a whole answer is sent once it is complete', () => {
  const { delivery, outlet } = delivered({ streaming: false });
  delivery.onEvents([{ type: 'start', promptTokens: 1 }]);
  expect(outlet.isOpen).toBe(false);
  delivery.onEvents([finish]);
  expect([outlet.head?.status, outlet.pieces, outlet.isEnded]).toEqual([200, ['whole: stop'], true]);
});

it('asks no engine if the client has already left', () => {
  const outlet = new FakeOutlet();
  outlet.destroy();
  expect(delivered({}, outlet).calls).toEqual(['stop']);
});
