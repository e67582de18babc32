import { Fault } from '../faults/fault.ts';
import type { Clock, Timer } from '../lib/clock.ts';
import type { ImageLine } from './image-line.ts';

/** The timing of leases and looks. */
export interface PlaceTimes {
  /** The lease: a place lasts this long after its process ends. */
  readonly leaseMs: number;
  /** The time between two renewals. */
  readonly renewMs: number;
  /** The time between two looks at the database, while a place waits for its turn. */
  readonly lookMs: number;
}

/** A place in a line that this process holds. */
export class HeldPlace {
  readonly stackId: string;
  readonly place: string;
  readonly #lost = new AbortController();
  readonly #turn: Promise<void>;
  #startTurn: () => void = () => {};
  isRendering: boolean;
  /** When the lease began, by this process's clock: never later than in the database. */
  leasedAtMs: number;

  constructor(stackId: string, place: string, state: { isRendering: boolean; leasedAtMs: number }) {
    this.stackId = stackId;
    this.place = place;
    this.isRendering = state.isRendering;
    this.leasedAtMs = state.leasedAtMs;
    this.#turn = new Promise((resolve) => {
      this.#startTurn = resolve;
    });
    if (state.isRendering) this.#startTurn();
  }

  /** Resolves when the turn comes. */
  get turn(): Promise<void> {
    return this.#turn;
  }

  /** Aborts when this process loses the place. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  render(): void {
    this.isRendering = true;
    this.#startTurn();
  }

  lose(): void {
    this.#lost.abort(new Fault('model-not-ready', 'The image lost its place in the queue; retry.'));
  }
}

/** Holds the places of this process: renews their leases together, and notices their turns. Two timers serve all places. */
export class ImagePlaces {
  readonly #line: ImageLine;
  readonly #clock: Clock;
  readonly #times: PlaceTimes;
  readonly #held = new Map<string, HeldPlace>();
  #nextLook: Timer | undefined;
  #nextWatch: Timer | undefined;
  #isLooking = false;

  constructor(line: ImageLine, clock: Clock, times: PlaceTimes) {
    this.#line = line;
    this.#clock = clock;
    this.#times = times;
  }

  get size(): number {
    return this.#held.size;
  }

  hold(place: HeldPlace): void {
    const isFirstToWait = !place.isRendering && this.#waiting().length === 0;
    this.#held.set(place.place, place);
    if (isFirstToWait) this.#cancelLook();
    this.#scheduleLook();
    this.#watchLeases();
  }

  /** Gives a place back at once. Never rejects: if the database cannot be reached, the lease runs out. */
  async leave(held: HeldPlace): Promise<void> {
    if (!this.#held.delete(held.place)) return;
    if (this.#held.size === 0) this.#stop();
    const turns = await this.#line.leave(held.stackId, held.place).catch(() => []);
    this.#startTurns(turns);
  }

  /** Gives all places back. */
  async close(): Promise<void> {
    await Promise.all([...this.#held.values()].map((held) => this.leave(held)));
    this.#stop();
  }

  #scheduleLook(): void {
    if (this.#nextLook !== undefined || this.#isLooking || this.#held.size === 0) return;
    const delayMs = this.#waiting().length > 0 ? this.#times.lookMs : this.#times.renewMs;
    this.#nextLook = this.#clock.after(delayMs, () => {
      this.#nextLook = undefined;
      this.#isLooking = true;
      // A failed look is repeated at the next one; without the database, leases run out.
      void this.#look()
        .catch(() => {})
        .finally(() => {
          this.#isLooking = false;
          this.#scheduleLook();
        });
    });
  }

  /** Separate from the look, which waits when the database does not answer. */
  #watchLeases(): void {
    if (this.#nextWatch !== undefined || this.#held.size === 0) return;
    this.#nextWatch = this.#clock.after(this.#times.renewMs, () => {
      this.#nextWatch = undefined;
      this.#loseExpired();
      this.#watchLeases();
    });
  }

  #cancelLook(): void {
    this.#nextLook?.cancel();
    this.#nextLook = undefined;
  }

  #stop(): void {
    this.#cancelLook();
    this.#nextWatch?.cancel();
    this.#nextWatch = undefined;
  }

  #waiting(): readonly HeldPlace[] {
    return [...this.#held.values()].filter(({ isRendering }) => !isRendering);
  }

  async #look(): Promise<void> {
    await this.#renewDue();
    const waiting = this.#waiting();
    if (waiting.length > 0) await this.#lookForTurns(waiting);
  }

  async #renewDue(): Promise<void> {
    const nowMs = this.#clock.nowMs();
    const isDue = ({ leasedAtMs }: HeldPlace) => nowMs - leasedAtMs >= this.#times.renewMs;
    const due = [...this.#held.values()].filter(isDue);
    if (due.length === 0) return;
    const kept = await this.#line.renew(due.map(({ place }) => place));
    for (const held of due) {
      if (kept.has(held.place)) held.leasedAtMs = nowMs;
      else this.#lose(held);
    }
  }

  async #lookForTurns(waiting: readonly HeldPlace[]): Promise<void> {
    const seen = new Map(
      (await this.#line.look(waiting.map(({ place }) => place))).map((each) => [each.place, each]),
    );
    const staleLines = new Set<string>();
    for (const held of waiting) {
      const now = seen.get(held.place);
      if (now === undefined) this.#lose(held);
      else if (now.rendering) held.render();
      else if (now.lineIsStale) staleLines.add(held.stackId);
    }
    for (const stackId of staleLines) this.#startTurns(await this.#line.tidy(stackId));
  }

  #startTurns(places: readonly string[]): void {
    for (const place of places) this.#held.get(place)?.render();
  }

  /** Gives up places before their lease ends in the database, also when it cannot be reached. */
  #loseExpired(): void {
    const nowMs = this.#clock.nowMs();
    for (const held of this.#held.values()) {
      // The next watch would come too late.
      if (nowMs - held.leasedAtMs >= this.#times.leaseMs - 2 * this.#times.renewMs) this.#lose(held);
    }
  }

  #lose(held: HeldPlace): void {
    // It may have been given back during the query.
    if (this.#held.get(held.place) === held) held.lose();
  }
}
