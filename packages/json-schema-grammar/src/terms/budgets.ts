import { SchemaRefused } from './schema-refused.ts';

/** How far a grammar reaches where the schema sets no end, so that generation always ends. */
export interface Caps {
  readonly stringLength: number;
  /** For a text with a pattern, where every character costs as many rules as the pattern has states. */
  readonly patternLength: number;
  readonly items: number;
  readonly openProperties: number;
}

/** llama.cpp refuses a repetition above this. */
export const MAX_REPETITION = 2_000;

export const DEFAULT_CAPS: Caps = {
  stringLength: MAX_REPETITION,
  patternLength: 200,
  items: 1_000,
  openProperties: 200,
};

/** How many rules a grammar may have. */
export const MAX_RULES = 60_000;
/** How many ways of combining anyOf, oneOf, not and if are followed for one value. */
export const MAX_LEAVES = 200;
export const MAX_EXPANSIONS = 1_500;
/** How many alternatives a negation may have. */
export const MAX_NEGATION = 64;
/** How deep a schema may nest. */
export const MAX_DEPTH = 400;
/** How many states an array or object may be counted through. */
export const MAX_COUNTING_STATES = 8_000;
/** How many values of an enum are kept apart by uniqueItems: their subsets are states. */
export const MAX_UNIQUE_VALUES = 7;
/** How many kinds of keys are told apart by the patternProperties that they match. */
export const MAX_KEY_CLASSES = 32;

/** How many checks of a deadline share one look at the clock. */
const CHECKS_PER_LOOK = 32;

/** Tells time in milliseconds; CPU time only where the system tells that of one thread. */
export interface WorkClock {
  nowMs(): number;
  cpuMs(): number | undefined;
}

/**
 * The time one compilation may take, in CPU time where that is told: a schema is not too complex because the machine is busy.
 * Checked between pieces of work that are bounded themselves, it throws once the time is over.
 */
export class Deadline {
  readonly #limitMs: number;
  readonly #clock: WorkClock;
  readonly #cpuAtStartMs: number | undefined;
  #endMs: number;
  #checks = 0;

  constructor(limitMs: number, clock: WorkClock) {
    this.#limitMs = limitMs;
    this.#clock = clock;
    this.#cpuAtStartMs = clock.cpuMs();
    this.#endMs = clock.nowMs() + limitMs;
  }

  check(): void {
    this.#checks += 1;
    if (this.#checks % CHECKS_PER_LOOK === 0) this.checkNow();
  }

  /** For work that takes long by itself. */
  checkNow(): void {
    const nowMs = this.#clock.nowMs();
    if (nowMs <= this.#endMs) return;
    const leftMs = this.#limitMs - this.#usedMs();
    if (leftMs > 0) {
      // CPU time passes no faster than the clock.
      this.#endMs = nowMs + leftMs;
      return;
    }
    const message = `The schema takes longer than ${this.#limitMs} ms to compile; simplify it, patterns and alternatives above all.`;
    throw new SchemaRefused('too-complex', '', message);
  }

  #usedMs(): number {
    const cpuMs = this.#clock.cpuMs();
    return cpuMs === undefined || this.#cpuAtStartMs === undefined ? Infinity : cpuMs - this.#cpuAtStartMs;
  }
}
