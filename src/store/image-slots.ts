import { Fault } from '../faults/fault.ts';
import type { Clock, Timer } from '../lib/clock.ts';
import type { ImageQueueTable } from './image-queue-table.ts';

/** The timing of leases and looks. */
export interface SlotTimes {
  /** The lease: a slot lasts this long after its process ends. */
  readonly leaseMs: number;
  /** The time between two renewals. */
  readonly renewMs: number;
  /** The time between two looks at the database, while a slot waits for its turn. */
  readonly lookMs: number;
}

/** A slot in a queue that this process holds. */
export class HeldSlot {
  readonly stackId: string;
  readonly slot: string;
  readonly #lost = new AbortController();
  readonly #turn: Promise<void>;
  #startTurn: () => void = () => {};
  isRendering: boolean;
  /** When the lease began, by this process's clock: never later than in the database. */
  leasedAtMs: number;

  constructor(stackId: string, slot: string, state: { isRendering: boolean; leasedAtMs: number }) {
    this.stackId = stackId;
    this.slot = slot;
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

  /** Aborts when this process loses the slot. */
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

/** The slots of this process: renews their leases together, and notices their turns. Two timers serve all slots. */
export class ImageSlots {
  readonly #table: ImageQueueTable;
  readonly #clock: Clock;
  readonly #times: SlotTimes;
  readonly #held = new Map<string, HeldSlot>();
  #nextLook: Timer | undefined;
  #nextWatch: Timer | undefined;
  #isLooking = false;

  constructor(table: ImageQueueTable, clock: Clock, times: SlotTimes) {
    this.#table = table;
    this.#clock = clock;
    this.#times = times;
  }

  get size(): number {
    return this.#held.size;
  }

  hold(held: HeldSlot): void {
    const isFirstToWait = !held.isRendering && this.#waiting().length === 0;
    this.#held.set(held.slot, held);
    if (isFirstToWait) this.#cancelLook();
    this.#scheduleLook();
    this.#watchLeases();
  }

  /** Releases a slot at once. Never rejects: if the database cannot be reached, the lease runs out. */
  async leave(held: HeldSlot): Promise<void> {
    if (!this.#held.delete(held.slot)) return;
    if (this.#held.size === 0) this.#stop();
    const turns = await this.#table.leave(held.stackId, held.slot).catch(() => []);
    this.#startTurns(turns);
  }

  /** Releases all slots. */
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

  #waiting(): readonly HeldSlot[] {
    return [...this.#held.values()].filter(({ isRendering }) => !isRendering);
  }

  async #look(): Promise<void> {
    await this.#renewDue();
    const waiting = this.#waiting();
    if (waiting.length > 0) await this.#lookForTurns(waiting);
  }

  async #renewDue(): Promise<void> {
    const nowMs = this.#clock.nowMs();
    const isDue = ({ leasedAtMs }: HeldSlot) => nowMs - leasedAtMs >= this.#times.renewMs;
    const due = [...this.#held.values()].filter(isDue);
    if (due.length === 0) return;
    const kept = await this.#table.renew(due.map(({ slot }) => slot));
    for (const held of due) {
      if (kept.has(held.slot)) held.leasedAtMs = nowMs;
      else this.#lose(held);
    }
  }

  async #lookForTurns(waiting: readonly HeldSlot[]): Promise<void> {
    const seen = new Map(
      (await this.#table.look(waiting.map(({ slot }) => slot))).map((each) => [each.slot, each]),
    );
    const staleQueues = new Set<string>();
    for (const held of waiting) {
      const now = seen.get(held.slot);
      if (now === undefined) this.#lose(held);
      else if (now.rendering) held.render();
      else if (now.queueIsStale) staleQueues.add(held.stackId);
    }
    for (const stackId of staleQueues) this.#startTurns(await this.#table.tidy(stackId));
  }

  #startTurns(slots: readonly string[]): void {
    for (const slot of slots) this.#held.get(slot)?.render();
  }

  /** Gives up slots before their lease ends in the database, also when the database cannot be reached. */
  #loseExpired(): void {
    const nowMs = this.#clock.nowMs();
    for (const held of this.#held.values()) {
      // The next watch would come too late.
      if (nowMs - held.leasedAtMs >= this.#times.leaseMs - 2 * this.#times.renewMs) this.#lose(held);
    }
  }

  #lose(held: HeldSlot): void {
    // It may have been released during the query.
    if (this.#held.get(held.slot) === held) held.lose();
  }
}
