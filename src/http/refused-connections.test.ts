import { Socket } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { MAX_REFUSED_CONNECTIONS, RefusedConnections } from './refused-connections.ts';

const WAIT_MS = 1_000;

let told: Socket[];
let refused: RefusedConnections;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  told = [];
  refused = new RefusedConnections({ waitMs: WAIT_MS, tell: (socket) => told.push(socket) });
});
afterEach(() => {
  vi.useRealTimers();
});

function add(): Socket {
  const socket = new Socket();
  refused.add(socket);
  return socket;
}

const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => void socket.once('close', () => resolve()).destroy());

it('refuses connections after their wait, in the order of arrival, but not one that has closed', async () => {
  const [first, second, third] = [add(), add(), add()];
  await closed(second);
  vi.advanceTimersByTime(WAIT_MS - 1);
  expect(told).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(told).toEqual([first, third]);
});

it('closes connections over the bound without an answer, until another has closed', async () => {
  const [first] = Array.from({ length: MAX_REFUSED_CONNECTIONS }, add);
  const over = add();
  expect(over.destroyed).toBe(true);
  if (first !== undefined) await closed(first);
  expect(add().destroyed).toBe(false);
  expect(add().destroyed).toBe(true);
  vi.advanceTimersByTime(WAIT_MS);
  expect(told).toHaveLength(MAX_REFUSED_CONNECTIONS);
  expect(told).not.toContain(over);
});
