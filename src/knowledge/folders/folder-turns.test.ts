import { describe, expect, it } from 'vitest';
import { HeldClock } from '../../../testing/bad-child/clocks.ts';
import { FolderTurns, LONGEST_TURN_MS } from './folder-turns.ts';

describe('turns of folders', () => {
  it('come one at a time, also after one that failed', async () => {
    const turns = new FolderTurns(new HeldClock());
    const order: string[] = [];
    const first = turns.take(async () => {
      order.push('first begins');
      await new Promise(setImmediate);
      order.push('first ends');
      throw new Error('away');
    });
    const second = turns.take(async () => void order.push('second'));
    await expect(first).rejects.toThrow('away');
    await second;
    expect(order).toEqual(['first begins', 'first ends', 'second']);
  });

  it('are not held up for ever by a folder that hangs', async () => {
    const clock = new HeldClock();
    const turns = new FolderTurns(clock);
    const looked: string[] = [];
    void turns.take(() => new Promise(() => {}));
    const next = turns.take(async () => void looked.push('docs'));
    await new Promise(setImmediate);
    expect(looked).toEqual([]);
    clock.pass(LONGEST_TURN_MS);
    await next;
    await new Promise(setImmediate);
    expect([looked, clock.pending]).toEqual([['docs'], 0]);
  });
});
