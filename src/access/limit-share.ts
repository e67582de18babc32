import { LastMinute } from './last-minute.ts';
import type { LimitSubject } from './limit-subject.ts';
import type { ShareAnswer, ShareAsk } from './share-book.ts';

const MINUTE_MS = 60_000;
// -Infinity, not 0: an integer field that later holds a double deoptimises its readers.
const NEVER_MS = Number.NEGATIVE_INFINITY;

/**
 * The part of a ceiling that this process may give out, and its use. What is taken is later released or settled; with a rate, it
 * returns after a minute.
 */
export class LimitShare {
  readonly subject: LimitSubject;
  /** From the most recent caller's plan. */
  ceiling: number;
  /** Whether nothing is taken from it any more: its day is over. */
  isOver = false;
  /** Requests waiting for more. */
  waiting = 0;
  /** Whether it is shared with other processes. */
  readonly isLeased: boolean;
  /** For rates: when the amounts in use were taken. */
  readonly #lastMinute: LastMinute | undefined;
  #reserved = 0;
  #settled = 0;
  #toldSettled = 0;
  #granted = 0;
  #leaseEndsMs = NEVER_MS;
  #othersHold = 0;
  #takenSinceBeat = 0;

  constructor(subject: LimitSubject, { ceiling, isLeased }: { ceiling: number; isLeased: boolean }) {
    this.subject = subject;
    this.ceiling = ceiling;
    this.isLeased = isLeased;
    if (subject.kind === 'requests') this.#lastMinute = new LastMinute();
  }

  /** The amount available without asking other processes. */
  left(nowMs: number): number {
    if (!this.isLeased) return this.ceiling - this.#reservedAt(nowMs);
    if (nowMs >= this.#leaseEndsMs) return 0;
    // Tokens granted above the ceiling are not handed out again.
    return Math.min(this.#granted, this.ceiling - this.#othersHold) - this.#consumed(nowMs);
  }

  /** Used up for good in this process. */
  get settled(): number {
    return this.#settled;
  }

  /** Whether the others were asked at least once. */
  get isKnown(): boolean {
    return this.#leaseEndsMs !== NEVER_MS;
  }

  /** Used and in use, here and, as last reported, elsewhere. */
  used(nowMs: number): number {
    return this.#consumed(nowMs) + this.#othersHold;
  }

  /** Used and in use in this process. */
  usedHere(nowMs: number): number {
    return this.#consumed(nowMs);
  }

  /** For rates: time until the next, or all, of what is in use here is free; undefined if nothing is. */
  freeInMs(nowMs: number, which: 'next' | 'all'): number | undefined {
    this.#freeOld(nowMs);
    return this.#lastMinute?.overInMs(nowMs, which);
  }

  take(amount: number, nowMs: number): void {
    this.#reserved += amount;
    this.#takenSinceBeat += amount;
    this.#lastMinute?.add(amount, nowMs);
  }

  /** Releases an amount; the settled part stays used. */
  release(amount: number, settled = 0): void {
    this.#reserved -= amount;
    this.#settled += settled;
  }

  /** Whether nothing is used or held, so that it can be dropped. */
  isEmpty(nowMs: number): boolean {
    if (this.waiting > 0 || (this.#settled > 0 && !this.isOver)) return false;
    return !this.needsBeat(nowMs);
  }

  /** Whether it must be reported: its use changed, or its lease must be renewed. */
  needsBeat(nowMs: number): boolean {
    return this.#consumed(nowMs) !== this.#toldSettled || this.#granted !== this.#toldSettled;
  }

  /** A request for more. */
  askForMore(nowMs: number, leaseMs: number): ShareAsk {
    return this.#ask({ nowMs, leaseMs, want: this.ceiling });
  }

  /**
   * The report at a heartbeat: keeps twice what was taken since the last one, or everything if this process is alone. The rest
   * is released before asking, because requests keep taking while the answer is under way.
   */
  askAtBeat(nowMs: number, leaseMs: number, isAlone = false): ShareAsk {
    const want = isAlone && this.#takenSinceBeat > 0 ? this.ceiling : 2 * this.#takenSinceBeat;
    this.#takenSinceBeat = 0;
    this.#granted = Math.min(this.#granted, Math.max(this.#toldSettled, this.#consumed(nowMs) + want));
    return this.#ask({ nowMs, leaseMs, want });
  }

  /** Gives up everything not in use. */
  askForNothing(nowMs: number, leaseMs: number): ShareAsk {
    this.#takenSinceBeat = 0;
    return this.askAtBeat(nowMs, leaseMs);
  }

  /** The lease is counted from before the request, so it ends here before it ends for others. */
  hear(answer: ShareAnswer, asked: ShareAsk, leaseEndsMs: number): void {
    this.#granted = answer.granted;
    this.#othersHold = answer.othersHold;
    this.#toldSettled = asked.settled;
    this.#leaseEndsMs = leaseEndsMs;
  }

  #ask({ nowMs, leaseMs, want }: { nowMs: number; leaseMs: number; want: number }): ShareAsk {
    const { subject, ceiling } = this;
    const reserved = this.#reservedAt(nowMs);
    // A killed process may have used a rate until its lease ended, so that counts for another minute.
    const lastsMs = subject.kind === 'requests' ? leaseMs + MINUTE_MS : leaseMs;
    return {
      subject,
      ceiling,
      settled: this.#settled,
      reserved,
      want,
      need: this.waiting,
      leaseMs: lastsMs,
    };
  }

  #consumed(nowMs: number): number {
    return this.#settled + this.#reservedAt(nowMs);
  }

  #reservedAt(nowMs: number): number {
    this.#freeOld(nowMs);
    return this.#reserved;
  }

  #freeOld(nowMs: number): void {
    if (this.#lastMinute !== undefined) this.#reserved -= this.#lastMinute.forgetOld(nowMs);
  }
}
