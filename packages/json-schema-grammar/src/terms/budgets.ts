import { SchemaRefused } from './schema-refused.ts';

/** Limits for what a schema leaves unbounded, so that generation always ends. */
export interface Caps {
  readonly stringLength: number;
  /** For strings with a pattern, where each character costs as many rules as the pattern has states. */
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

/** Most rules of a grammar. */
export const MAX_RULES = 60_000;
/** Most combinations of anyOf, oneOf, not and if for one value. */
export const MAX_LEAVES = 200;
export const MAX_EXPANSIONS = 1_500;
/** Most alternatives of a negation. */
export const MAX_NEGATION = 64;
/** Deepest nesting of a schema. */
export const MAX_DEPTH = 400;
/** Most states for counting the items or properties of one value. */
export const MAX_COUNTING_STATES = 8_000;
/** Most enum values for which uniqueItems is enforced: each subset is a state. */
export const MAX_UNIQUE_VALUES = 7;
/** Most classes of keys, by the patternProperties they match. */
export const MAX_KEY_CLASSES = 32;

/** The clock is read once per this many checks. */
const CHECKS_PER_LOOK = 32;

/** Time in milliseconds; CPU time is undefined if the system does not report it per thread. */
export interface WorkClock {
  nowMs(): number;
  cpuMs(): number | undefined;
}

/**
 * The time limit of one compilation; in CPU time if available, so that a busy machine does not make a schema too complex.
 * The compiler checks it between bounded steps; a check throws once the time is used up.
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

  /** Reads the clock at every call; for use before long steps. */
  checkNow(): void {
    const nowMs = this.#clock.nowMs();
    if (nowMs <= this.#endMs) return;
    const leftMs = this.#limitMs - this.#usedMs();
    if (leftMs > 0) {
      // CPU time passes no faster than wall time: the limit cannot be reached earlier.
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
