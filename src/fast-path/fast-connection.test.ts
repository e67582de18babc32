import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { DrainGate } from '../http/drain-gate.ts';
import { turnNowMs } from '../lib/clock.ts';
import { FastConnection } from './fast-connection.ts';
import type { FastServer } from './fast-server.ts';

const idleServer: FastServer = {
  drainGate: new DrainGate(),
  sharesReads: true,
  open: () => {
    throw new Error('nothing is served');
  },
  serve: () => {},
  mayServe: () => false,
  hold: () => undefined,
  onClosed: () => {},
};

/** A socket whose writes a test completes one by one. */
class SlowSocket extends Socket {
  readonly taken: ((error?: Error) => void)[] = [];

  override _write(_chunk: unknown, _encoding: string, done: (error?: Error) => void): void {
    this.taken.push(done);
  }

  // As the system does with a pending write.
  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    for (const fail of this.taken.splice(0)) fail(new Error('gone'));
    done(error);
  }
}

describe('an answer that is not flushed yet', () => {
  it('is waited for, even below the high-water mark', async () => {
    const socket = new SlowSocket();
    const connection = new FastConnection(socket, idleServer, () => {});
    const told: boolean[] = [];
    expect(connection.write('a few bytes', true)).toBe(true);
    connection.whenFlushed((isSent) => told.push(isSent));
    expect(told).toEqual([]);
    socket.taken.shift()?.();
    await expect.poll(() => socket.taken.length).toBe(1);
    socket.taken.shift()?.();
    await expect.poll(() => told).toEqual([true]);
    socket.destroy();
  });

  it('is not waited for after a disconnect', async () => {
    const socket = new SlowSocket();
    const connection = new FastConnection(socket, idleServer, () => {});
    const told: boolean[] = [];
    connection.write('a few bytes', true);
    connection.whenFlushed((isSent) => told.push(isSent));
    socket.destroy();
    await expect.poll(() => told).toEqual([false]);
  });
});

describe('a connection without a request', () => {
  const waits = { silentMs: 15_000, arrivalMs: 2_000, keepAliveMs: 65_000 };
  const openedAt = (bytes = '') => {
    const socket = new SlowSocket();
    const given: Socket[] = [];
    const connection = new FastConnection(socket, { ...idleServer, mayServe: () => true }, (own) =>
      given.push(own),
    );
    const sinceMs = turnNowMs();
    if (bytes !== '') socket.emit('data', Buffer.from(bytes));
    const sweepAfter = (waitedMs: number) => {
      connection.sweep(sinceMs + waitedMs, waits);
      return given.length;
    };
    return { socket, sweepAfter };
  };

  it('stays on the fast path while it is silent, until the time for its head is over', () => {
    const { socket, sweepAfter } = openedAt();
    expect(sweepAfter(14_000)).toBe(0);
    expect(sweepAfter(16_000)).toBe(1);
    socket.destroy();
  });

  it('leaves soon once a part of a request has come', () => {
    const part =
      'POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 5\r\n\r\n{';
    const { socket, sweepAfter } = openedAt(part);
    expect(sweepAfter(1_000)).toBe(0);
    expect(sweepAfter(3_000)).toBe(1);
    socket.destroy();
  });
});
