import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LoopTurns } from './loop-turns.ts';

/** Records which pieces go on in which turn of the event loop. Pieces are named after their stack and a number: `a1`. */
class Floor {
  readonly turns: LoopTurns;
  readonly began: string[] = [];

  constructor(piecesPerTurn: number, maxWaiting = 1_000) {
    this.turns = new LoopTurns({ piecesPerTurn, maxWaiting });
  }

  ask(...pieces: readonly string[]): void {
    for (const piece of pieces) {
      const turn = this.turns.take(piece.charAt(0));
      if (turn === undefined) this.began.push(piece);
      else void turn.then(() => this.began.push(piece));
    }
  }

  /** The pieces that began since the last call. */
  taken(): readonly string[] {
    return this.began.splice(0);
  }

  async untilIdle(): Promise<readonly (readonly string[])[]> {
    const turns = [this.taken()];
    while (this.turns.waiting > 0) {
      await setImmediate();
      turns.push(this.taken());
    }
    return turns.filter((pieces) => pieces.length > 0);
  }
}

describe('turns of the event loop', () => {
  it('give each stack some pieces at once, and the rest in later turns', async () => {
    const floor = new Floor(2);
    floor.ask('a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'b3', 'c1');
    expect(await floor.untilIdle()).toEqual([['a1', 'a2', 'b1', 'b2', 'c1'], ['a3', 'b3', 'a4'], ['a5']]);
  });

  it('give a stack no piece at once while it has others waiting', async () => {
    const floor = new Floor(1);
    floor.ask('a1', 'a2', 'a3');
    await setImmediate();
    floor.ask('a4', 'b1');
    expect(floor.taken()).toEqual(['a1', 'a2', 'b1']);
    expect((await floor.untilIdle()).flat()).toEqual(['a3', 'a4']);
  });

  it('are new for everyone after each turn', async () => {
    const floor = new Floor(2);
    for (let turn = 0; turn < 3; turn += 1) {
      floor.ask('a1', 'a2', 'b1');
      expect(floor.taken()).toEqual(['a1', 'a2', 'b1']);
      await setImmediate();
    }
  });

  it('let pieces beyond the bound go on at once', async () => {
    const floor = new Floor(1, 2);
    floor.ask('a1', 'a2', 'a3', 'a4');
    expect(floor.taken()).toEqual(['a1', 'a4']);
    expect((await floor.untilIdle()).flat()).toEqual(['a2', 'a3']);
  });

  it('keep the order of a stack, its part of each turn, and nobody waiting longer than its own pieces take', async () => {
    const pieces = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), pieces, async (piecesPerTurn, stacks) => {
        const floor = new Floor(piecesPerTurn);
        const asked = stacks.map((stack, place) => `${stack}${place}`);
        floor.ask(...asked);
        const turns = await floor.untilIdle();
        for (const stack of 'abcd') {
          const isOwn = (piece: string) => piece.startsWith(stack);
          const own = asked.filter(isOwn);
          expect(turns.flat().filter(isOwn)).toEqual(own);
          const perTurn = turns.map((turn) => turn.filter(isOwn).length);
          expect(Math.max(0, ...perTurn)).toBeLessThanOrEqual(piecesPerTurn);
          const last = perTurn.findLastIndex((count) => count > 0);
          expect(last + 1).toBe(Math.ceil(own.length / piecesPerTurn));
        }
      }),
    );
  });
});
