import type { Dfa } from '../automata/dfa.ts';
import { type Loop, loopNest } from '../automata/loop-nest.ts';

/**
 * How a loop goes on: `open`, its head may come next as well as what lies behind it; `round`, up to its head and no
 * further; `out`, without its head, until the loop is left.
 */
type Path = 'open' | 'round' | 'out';

/** How each loop around a state goes on, the outermost first. */
export type Paths = readonly Path[];

/**
 * Takes the loops of an automaton apart: from its head, a loop is gone round some times and then left.
 * So a repetition says how often, and what is read on the path is written once instead of once for each number of characters.
 */
export class LoopPaths {
  readonly #nest: readonly (readonly Loop[])[];

  constructor(dfa: Dfa) {
    this.#nest = loopNest(dfa).around;
  }

  /** The paths of a state that is reached from outside of all loops. */
  into(state: number): Paths {
    return (this.#nest[state] ?? []).map(() => 'open');
  }

  /** The loop to be gone round at a place, if it is the head of one. */
  loopFrom(state: number, paths: Paths): Loop | undefined {
    return paths.at(-1) === 'open' ? this.#headed(state) : undefined;
  }

  /** Once around the loop, from its head. */
  round({ head }: Loop): Paths {
    return (this.#nest[head] ?? []).map(() => 'round');
  }

  /** Out of the loop, from its head. */
  out(paths: Paths): Paths {
    return [...paths.slice(0, -1), 'out'];
  }

  /** The paths after a step; `done` where it closes the round, undefined where it may not be taken. */
  after(state: number, paths: Paths, target: number): Paths | 'done' | undefined {
    const [left, entered] = [this.#nest[state] ?? [], this.#nest[target] ?? []];
    let shared = 0;
    while (shared < left.length && left[shared] === entered[shared]) shared++;
    if (paths[shared] === 'round') return undefined;
    const isReturn = shared > 0 && this.#headed(target) === left[shared - 1];
    const path = paths[shared - 1];
    if (isReturn && path !== 'open') return path === 'round' ? 'done' : undefined;
    return entered.map((_, index) => (index < shared ? (paths[index] ?? 'open') : 'open'));
  }

  isHead(state: number): boolean {
    return this.#headed(state) !== undefined;
  }

  #headed(state: number): Loop | undefined {
    const loop = this.#nest[state]?.at(-1);
    return loop?.head === state ? loop : undefined;
  }
}
