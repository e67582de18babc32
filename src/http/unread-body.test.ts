import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { closeUnlessComplete, endAfterUnreadBody } from './unread-body.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it.each([true, false])(
  'keeps the connection of an answered request only if its body is complete in time: %s',
  (hasCome) => {
    const request = new IncomingMessage(new Socket());
    closeUnlessComplete(request, 2_000);
    vi.advanceTimersByTime(1_999);
    expect(request.socket.destroyed).toBe(false);
    request.complete = hasCome;
    vi.advanceTimersByTime(1);
    expect(request.socket.destroyed).toBe(!hasCome);
  },
);

it('leaves a request alone that is complete, or whose client is gone', () => {
  const complete = Object.assign(new IncomingMessage(new Socket()), { complete: true });
  const gone = new IncomingMessage(new Socket().destroy());
  for (const request of [complete, gone]) closeUnlessComplete(request, 2_000);
  expect(vi.getTimerCount()).toBe(0);
});

it('drops the rest of a body in turns', async () => {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  const taken: number[] = [];
  let begin = () => {};
  const take = (_whose: string, sizeBytes: number) => {
    taken.push(sizeBytes);
    return new Promise<void>((resolve) => {
      begin = resolve;
    });
  };
  endAfterUnreadBody({ request, response }, '{}', { lingerMs: 2_000, turns: { take } });
  const arrive = async (sizeBytes: number) => {
    request.push(Buffer.alloc(sizeBytes));
    await new Promise<void>((resolve) => process.nextTick(resolve));
  };
  await arrive(1_000);
  expect([taken, request.isPaused()]).toEqual([[], false]);
  await arrive(70_000);
  expect([taken, request.isPaused()]).toEqual([[71_000], true]);
  begin();
  await Promise.resolve();
  expect(request.isPaused()).toBe(false);
});
