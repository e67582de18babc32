import type { Dfa } from '../automata/dfa.ts';
import { type Loop, loopNest } from '../automata/loop-nest.ts';

/**
 * The path inside a loop: `open` may return to the head or leave the loop; `round` ends at the head and may not leave;
 * `out` may not return to the head before it leaves.
 */
type Path = 'open' | 'round' | 'out';

/** The path in each loop around a state, outermost first. */
export type Paths = readonly Path[];

/**
 * Splits the paths through a loop at its head into a number of rounds and an exit. A repetition then bounds the rounds, and the
 * states of the loop need rules once instead of once per number of characters read.
 */
export class LoopPaths {
  readonly #nest: readonly (readonly Loop[])[];

  constructor(dfa: Dfa) {
    this.#nest = loopNest(dfa).around;
  }

  /** The paths of a state entered from outside all loops. */
  into(state: number): Paths {
    return (this.#nest[state] ?? []).map(() => 'open');
  }

  /** The loop whose rounds start here, if the state is its head. */
  loopFrom(state: number, paths: Paths): Loop | undefined {
    return paths.at(-1) === 'open' ? this.#headed(state) : undefined;
  }

  /** The paths of one round, from the head. */
  round({ head }: Loop): Paths {
    return (this.#nest[head] ?? []).map(() => 'round');
  }

  /** The paths of the exit, from the head. */
  out(paths: Paths): Paths {
    return [...paths.slice(0, -1), 'out'];
  }

  /** The paths after a step; `done` if it completes the round, undefined if it is not allowed. */
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
