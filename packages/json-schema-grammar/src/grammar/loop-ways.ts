import type { Dfa } from '../automata/dfa.ts';
import { type Loop, loopNest } from '../automata/loop-nest.ts';

/**
 * How a loop goes on: `open`, its head may come next as well as what lies behind it; `round`, up to its head and no
 * further; `out`, without its head, until the loop is left.
 */
type Way = 'open' | 'round' | 'out';

/** How each loop around a state goes on, the outermost first. */
export type Ways = readonly Way[];

/**
 * Takes the loops of an automaton apart: from its head, a loop is gone round some times and then left.
 * So a repetition says how often, and what is read on the way is written once instead of once for each number of characters.
 */
export class LoopWays {
  readonly #nest: readonly (readonly Loop[])[];

  constructor(dfa: Dfa) {
    this.#nest = loopNest(dfa).around;
  }

  /** The ways of a state that is reached from outside of all loops. */
  into(state: number): Ways {
    return (this.#nest[state] ?? []).map(() => 'open');
  }

  /** The loop to be gone round at a place, if it is the head of one. */
  loopFrom(state: number, ways: Ways): Loop | undefined {
    return ways.at(-1) === 'open' ? this.#headed(state) : undefined;
  }

  /** Once around the loop, from its head. */
  round({ head }: Loop): Ways {
    return (this.#nest[head] ?? []).map(() => 'round');
  }

  /** Out of the loop, from its head. */
  out(ways: Ways): Ways {
    return [...ways.slice(0, -1), 'out'];
  }

  /** The ways after a step; `done` where it closes the round, undefined where it may not be taken. */
  after(state: number, ways: Ways, target: number): Ways | 'done' | undefined {
    const [left, entered] = [this.#nest[state] ?? [], this.#nest[target] ?? []];
    let shared = 0;
    while (shared < left.length && left[shared] === entered[shared]) shared++;
    if (ways[shared] === 'round') return undefined;
    const isReturn = shared > 0 && this.#headed(target) === left[shared - 1];
    const way = ways[shared - 1];
    if (isReturn && way !== 'open') return way === 'round' ? 'done' : undefined;
    return entered.map((_, index) => (index < shared ? (ways[index] ?? 'open') : 'open'));
  }

  isHead(state: number): boolean {
    return this.#headed(state) !== undefined;
  }

  #headed(state: number): Loop | undefined {
    const loop = this.#nest[state]?.at(-1);
    return loop?.head === state ? loop : undefined;
  }
}
