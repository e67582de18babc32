import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { closeUnlessComplete } from './unread-body.ts';

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
