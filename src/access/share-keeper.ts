import type { Clock, Timer } from '../lib/clock.ts';
import type { LimitShare } from './limit-share.ts';
import type { ShareAsk, ShareBook } from './share-book.ts';

export interface ShareTimes {
  /** How long a share outlives its process. */
  readonly leaseMs: number;
  /** How often use is reported and surplus given up. */
  readonly beatMs: number;
  /** How long a refusal is cached. */
  readonly refusedMs: number;
}

export interface ShareKeeperParts {
  readonly book: ShareBook;
  readonly clock: Clock;
  readonly times?: Partial<ShareTimes>;
  /** Whether no other process serves the same stacks. */
  readonly isAlone?: boolean;
}

// A lease survives several failed beats.
const defaultTimes: ShareTimes = { leaseMs: 15_000, beatMs: 2_000, refusedMs: 500 };
// Keeps statements short; the rest follows in the next.
const MAX_SHARES_PER_EXCHANGE = 200;

/**
 * Maintains the leased shares of this process: asks for more when one runs out, and reports all of them together at each beat.
 */
export class ShareKeeper {
  readonly #book: ShareBook;
  readonly #clock: Clock;
  readonly #times: ShareTimes;
  readonly #isAlone: boolean;
  readonly #kept = new Set<LimitShare>();
  readonly #growing = new Map<LimitShare, Promise<void>>();
  readonly #refusedUntilMs = new WeakMap<LimitShare, number>();
  #beating: Promise<void> | undefined;
  #nextBeat: Timer | undefined;

  constructor({ book, clock, times, isAlone = false }: ShareKeeperParts) {
    this.#isAlone = isAlone;
    this.#book = book;
    this.#clock = clock;
    this.#times = { ...defaultTimes, ...times };
  }

  get book(): ShareBook {
    return this.#book;
  }

  /** Number of shares held. */
  get size(): number {
    return this.#kept.size;
  }

  /** Resolves with whether something is available now, asking for more if needed. Rejects if the book cannot be reached. */
  async grow(share: LimitShare): Promise<boolean> {
    if (this.#clock.nowMs() < (this.#refusedUntilMs.get(share) ?? 0)) return false;
    share.waiting += 1;
    try {
      // A running beat uses older numbers, but its result may suffice.
      await this.#beating;
      if (share.left(this.#clock.nowMs()) <= 0) await (this.#growing.get(share) ?? this.#askForMore(share));
      return share.left(this.#clock.nowMs()) > 0;
    } finally {
      share.waiting -= 1;
    }
  }

  /** Reports use and gives up the rest. Never rejects: if the report fails, the leases expire. */
  async close(): Promise<void> {
    this.#nextBeat?.cancel();
    await this.#beating;
    await Promise.allSettled(this.#growing.values());
    const nowMs = this.#clock.nowMs();
    const open = [...this.#kept].filter((share) => share.needsBeat(nowMs));
    await this.#tell(open, (share) => share.askForNothing(nowMs, this.#times.leaseMs)).catch(() => {});
    this.#nextBeat?.cancel();
    this.#kept.clear();
  }

  #askForMore(share: LimitShare): Promise<void> {
    this.#kept.add(share);
    const asking = this.#exchange([share], (each) =>
      each.askForMore(this.#clock.nowMs(), this.#times.leaseMs),
    )
      .then(() => {
        const nowMs = this.#clock.nowMs();
        if (share.left(nowMs) <= 0) this.#refusedUntilMs.set(share, nowMs + this.#times.refusedMs);
      })
      .finally(() => {
        this.#growing.delete(share);
        this.#scheduleBeat();
      });
    this.#growing.set(share, asking);
    return asking;
  }

  #scheduleBeat(): void {
    if (this.#nextBeat !== undefined || this.#kept.size === 0) return;
    this.#nextBeat = this.#clock.after(this.#times.beatMs, () => {
      this.#nextBeat = undefined;
      // A failed beat is repeated at the next one; meanwhile the leases run down.
      this.#beating = this.#beat()
        .catch(() => {})
        .finally(() => {
          this.#beating = undefined;
          this.#scheduleBeat();
        });
    });
  }

  async #beat(): Promise<void> {
    const nowMs = this.#clock.nowMs();
    const due = [...this.#kept].filter((share) => !this.#growing.has(share));
    await this.#tell(due, (share) => share.askAtBeat(nowMs, this.#times.leaseMs, this.#isAlone));
    for (const share of due) {
      if (!share.needsBeat(nowMs)) this.#kept.delete(share);
    }
  }

  async #tell(shares: readonly LimitShare[], ask: (share: LimitShare) => ShareAsk): Promise<void> {
    for (let first = 0; first < shares.length; first += MAX_SHARES_PER_EXCHANGE) {
      await this.#exchange(shares.slice(first, first + MAX_SHARES_PER_EXCHANGE), ask);
    }
  }

  async #exchange(shares: readonly LimitShare[], ask: (share: LimitShare) => ShareAsk): Promise<void> {
    const leaseEndsMs = this.#clock.nowMs() + this.#times.leaseMs;
    const asks = shares.map(ask);
    const answers = await this.#book.exchange(asks);
    shares.forEach((share, index) => {
      const [asked, answer] = [asks[index], answers[index]];
      if (asked !== undefined && answer !== undefined) share.hear(answer, asked, leaseEndsMs);
    });
  }
}
