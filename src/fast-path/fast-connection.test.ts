import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { DrainGate } from '../http/drain-gate.ts';
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
