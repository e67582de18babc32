import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '../soak/seeded-random.mjs';
import { replicaFaults, surroundingFaults } from './faults.mjs';

const LONGEST_CALM_MS = 5_000;
/** In a drill shorter than this, spells are shorter too, so that every fault comes. */
const FULL_SPELLS_FROM_MS = 180_000;
const LEAST_PACE = 0.25;

/** Chooses faults by a seed, and causes them: one of a replica and one of its surroundings at a time. */
export class Weather {
  /** The spells so far: name, detail, and from when to when. */
  history = [];
  #world;
  #seed;

  constructor(world, seed) {
    this.#world = world;
    this.#seed = seed;
  }

  /** Lasts this long, or with `isOnce` until every fault came once; then everything works again. */
  async last(lengthMs, { isOnce = false } = {}) {
    const over = new AbortController();
    const bound = isOnce ? undefined : setTimeout(() => over.abort(), lengthMs);
    await Promise.all(
      [replicaFaults, surroundingFaults].map((faults, index) =>
        this.#rage(faults, {
          random: seededRandom(this.#seed * 10 + index),
          lengthMs,
          isOnce,
          signal: over.signal,
        }),
      ),
    );
    clearTimeout(bound);
    await this.#world.clock.stepTo(0);
  }

  /** The faults of these names that overlap with a time. */
  during(names, fromMs, untilMs) {
    return this.history.filter(
      (spell) => names.includes(spell.name) && spell.fromMs < untilMs && spell.untilMs > fromMs,
    );
  }

  /** Every fault comes once, in any order, before one comes again by its weight. */
  async #rage(faults, { random, lengthMs, isOnce, signal }) {
    const within = (least, most) => least + random() * (most - least);
    const pick = (list) => list[Math.floor(random() * list.length)];
    const pace = Math.max(LEAST_PACE, Math.min(1, lengthMs / FULL_SPELLS_FROM_MS));
    const wait = (ms) => sleep(ms * pace, undefined, { signal }).catch(() => {});
    let unused = [...faults];
    while (!signal.aborted && !(isOnce && unused.length === 0)) {
      const fault =
        unused.length > 0 ? pick(unused) : pick(faults.flatMap((each) => Array(each[1]).fill(each)));
      unused = unused.filter((each) => each !== fault);
      const [name, , happen] = fault;
      const fromMs = performance.now();
      const detail = await happen({ ...this.#world, random, within, pick, wait, lengthMs });
      const untilMs = performance.now();
      this.history.push({ name, detail, fromMs, untilMs });
      console.error(`${inSeconds(untilMs)} ${name}: ${detail}, ${inSeconds(untilMs - fromMs)} s`);
      await wait(within(0, LONGEST_CALM_MS));
    }
  }
}

function inSeconds(ms) {
  return (ms / 1000).toFixed(1);
}
