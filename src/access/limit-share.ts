import { LastMinute } from './last-minute.ts';
import type { LimitSubject } from './limit-subject.ts';
import type { ShareAnswer, ShareAsk } from './share-book.ts';

const MINUTE_MS = 60_000;
// Not 0: a field that holds an integer first and fractions later changes the shape of its object, and V8 then compiles in vain.
const NEVER_MS = Number.NEGATIVE_INFINITY;

/**
 * What this process may give out of one ceiling, and what became of it. A part is taken, and then given back or
 * settled; of a rate, it comes back by itself after a minute.
 */
export class LimitShare {
  readonly subject: LimitSubject;
  /** As the newest caller's plan has it. */
  ceiling: number;
  /** Whether nobody takes from it any more. */
  isOver = false;
  /** How many wait until more can be taken. */
  waiting = 0;
  /** Whether it is a part of what processes share. */
  readonly isLeased: boolean;
  /** Of a rate: when the parts in use were taken. */
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

  /** What can be taken without asking anybody. */
  left(nowMs: number): number {
    if (!this.isLeased) return this.ceiling - this.#reservedAt(nowMs);
    if (nowMs >= this.#leaseEndsMs) return 0;
    // A call that went over is granted what it uses, but when it ends that is nobody's.
    return Math.min(this.#granted, this.ceiling - this.#othersHold) - this.#consumed(nowMs);
  }

  /** Whether the others were asked once. */
  get isKnown(): boolean {
    return this.#leaseEndsMs !== NEVER_MS;
  }

  /** What is used and in use, here and, as last heard, elsewhere. */
  used(nowMs: number): number {
    return this.#consumed(nowMs) + this.#othersHold;
  }

  /** What is used and in use in this process. */
  usedHere(nowMs: number): number {
    return this.#consumed(nowMs);
  }

  /** Of a rate: until the next part in use here is free again, or all of them; undefined where none is. */
  freeInMs(nowMs: number, which: 'next' | 'all'): number | undefined {
    this.#freeOld(nowMs);
    return this.#lastMinute?.overInMs(nowMs, which);
  }

  take(amount: number, nowMs: number): void {
    this.#reserved += amount;
    this.#takenSinceBeat += amount;
    this.#lastMinute?.add(amount, nowMs);
  }

  /** Ends the use of what was taken: the settled part of it is used up for good. */
  release(amount: number, settled = 0): void {
    this.#reserved -= amount;
    this.#settled += settled;
  }

  /** Whether nothing is in use and nothing is held, so that it can be forgotten. */
  isEmpty(nowMs: number): boolean {
    if (this.waiting > 0 || (this.#settled > 0 && !this.isOver)) return false;
    return !this.needsBeat(nowMs);
  }

  /** Whether the others must hear of it: something changed, or a lease must not end. */
  needsBeat(nowMs: number): boolean {
    return this.#consumed(nowMs) !== this.#toldSettled || this.#granted !== this.#toldSettled;
  }

  /** What to say to get more. */
  askForMore(nowMs: number, leaseMs: number): ShareAsk {
    return this.#ask({ nowMs, leaseMs, want: this.ceiling });
  }

  /**
   * What to say at a beat: as much is kept as was taken since the last one, twice, or all where nobody else wants any. The
   * rest is given up at once, because requests go on taking while the answer is under way.
   */
  askAtBeat(nowMs: number, leaseMs: number, isAlone = false): ShareAsk {
    const want = isAlone && this.#takenSinceBeat > 0 ? this.ceiling : 2 * this.#takenSinceBeat;
    this.#takenSinceBeat = 0;
    this.#granted = Math.min(this.#granted, Math.max(this.#toldSettled, this.#consumed(nowMs) + want));
    return this.#ask({ nowMs, leaseMs, want });
  }

  /** Gives up all that is not in use. */
  askForNothing(nowMs: number, leaseMs: number): ShareAsk {
    this.#takenSinceBeat = 0;
    return this.askAtBeat(nowMs, leaseMs);
  }

  /** The lease is counted from before the question, so it ends here before it ends for the others. */
  hear(answer: ShareAnswer, asked: ShareAsk, leaseEndsMs: number): void {
    this.#granted = answer.granted;
    this.#othersHold = answer.othersHold;
    this.#toldSettled = asked.settled;
    this.#leaseEndsMs = leaseEndsMs;
  }

  #ask({ nowMs, leaseMs, want }: { nowMs: number; leaseMs: number; want: number }): ShareAsk {
    const { subject, ceiling } = this;
    const reserved = this.#reservedAt(nowMs);
    // What a killed process took of a rate counts for a minute after the last moment at which it may have taken it.
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
