import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { HeldClock } from '../../testing/bad-child/clocks.ts';
import { BodyTurns } from './body-turns.ts';

const PIECE = 64 * 1024;
const MIB_PER_SECOND = 32;

/** Reads bodies whose bytes are all there already; counts the bytes of each stack. */
class Readers {
  readonly clock = new HeldClock();
  readonly turns: BodyTurns;
  readonly mib = new Map<string, number>();
  hasOthers = true;

  constructor() {
    this.turns = new BodyTurns({ clock: this.clock, activity: { hasOthers: () => this.hasOthers } });
  }

  async read(stackId: string, pieces: number): Promise<void> {
    for (let piece = 0; piece < pieces; piece += 1) {
      this.mib.set(stackId, (this.mib.get(stackId) ?? 0) + PIECE / 2 ** 20);
      await this.turns.take(stackId, PIECE);
    }
  }

  async pass(durationMs: number): Promise<void> {
    for (let ms = 0; ms < durationMs; ms += 1) {
      await setImmediate();
      this.clock.pass(1);
    }
    await setImmediate();
  }
}

describe('the bodies of a stack', () => {
  it('are read at a pace that they share, beside those of others', async () => {
    const readers = new Readers();
    const bodies = Array.from({ length: 8 }, () => readers.read('noisy', 1_000));
    bodies.push(readers.read('other', 1_000));
    await readers.pass(500);
    for (const stackId of ['noisy', 'other']) {
      // What is read at once, and then half a second at the pace.
      expect(readers.mib.get(stackId)).toBeGreaterThan(MIB_PER_SECOND / 2);
      expect(readers.mib.get(stackId)).toBeLessThan(MIB_PER_SECOND / 2 + 4);
    }
    readers.hasOthers = false;
    await readers.pass(1_000);
    await Promise.all(bodies);
  });

  it('of a few megabytes are read at once after a pause', async () => {
    const readers = new Readers();
    for (let upload = 0; upload < 3; upload += 1) {
      const body = readers.read('shop', 30);
      for (let turn = 0; turn < 40; turn += 1) await setImmediate();
      expect(readers.mib.get('shop')).toBeCloseTo(((upload + 1) * 30) / 16);
      await body;
      await readers.pass(300);
    }
    expect([readers.turns.paced, readers.clock.pending]).toEqual([0, 0]);
  });
});
