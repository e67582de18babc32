import type { Outcome } from '../access/usage-recorder.ts';
import type { KeptAnswer } from '../idempotency/kept-answer.ts';
import type { RunningRequest } from '../idempotency/running-request.ts';
import { listedHeaders } from '../lib/header-lines.ts';
import type { HeldMemory } from './body-memory.ts';
import type { AnswerHead, Outlet } from './outlet.ts';

/** A larger answer is not kept. */
const MOST_BYTES = 64 * 1024 * 1024;
/** Answers that clients ask for again by themselves: kept, they would come back for a day. */
const NOT_KEPT: readonly number[] = [408, 409, 425, 429];
/** Headers of one request only. */
const OF_ONE_REQUEST = /ratelimit/;

export interface AnswerRecorderParts {
  readonly outlet: Outlet;
  readonly running: Pick<RunningRequest, 'end'>;
  readonly memory: HeldMemory;
  /** Called when the whole answer was sent, if its client had left before. */
  readonly onOver: () => void;
}

/**
 * The outlet of a request with an Idempotency-Key. It records the answer, and holds its last bytes back until the answer is kept. A
 * client that leaves does not end the request: the answer is for its next try.
 */
export class AnswerRecorder implements Outlet {
  readonly #parts: AnswerRecorderParts;
  #pieces: Buffer[] | undefined = [];
  #sizeBytes = 0;
  #head: AnswerHead | undefined;
  #sendRest: (() => void) | undefined;
  #isOver = false;
  #hasClientLeft = false;

  constructor(parts: AnswerRecorderParts) {
    this.#parts = parts;
  }

  get isOpen(): boolean {
    return this.#head !== undefined;
  }

  /** False while the answer is made, wherever its client is. */
  get isGone(): boolean {
    return this.#isOver && this.#parts.outlet.isGone;
  }

  /** The recorded outlet keeps its listener, which asks `outlivesClient`. */
  listen(): void {
    throw new Error('a recorded outlet has its listener already');
  }

  send(head: AnswerHead, body: string | Buffer): void {
    this.#head = head;
    this.#record(body);
    this.#sendRest = () => this.#parts.outlet.send(head, body);
  }

  open(head: AnswerHead): void {
    this.#head = head;
    if (!this.#hasClientLeft) this.#parts.outlet.open(head);
  }

  write(piece: string): boolean {
    this.#record(piece);
    return this.#hasClientLeft || this.#parts.outlet.write(piece);
  }

  end(piece: string): void {
    this.#record(piece);
    this.#sendRest = () => this.#parts.outlet.end(piece);
  }

  destroy(): void {
    this.#parts.outlet.destroy();
  }

  /** Whether the request goes on although its connection closed. */
  outlivesClient(): boolean {
    if (this.#isOver) return false;
    this.#hasClientLeft = true;
    return true;
  }

  /** The request has ended: keeps its answer if it is to be kept, then sends the rest of it. Never rejects: what cannot be sent is cut. */
  async settled(outcome: Outcome): Promise<void> {
    const { running, memory, onOver } = this.#parts;
    await running.end(this.#answer(outcome));
    this.#isOver = true;
    this.#pieces = undefined;
    memory[Symbol.dispose]();
    if (this.#hasClientLeft) onOver();
    else this.#finish();
  }

  #finish(): void {
    const { outlet } = this.#parts;
    try {
      if (this.#sendRest === undefined) outlet.destroy();
      else this.#sendRest();
    } catch {
      // Thrown on, it would be an unhandled rejection and end the process. Node throws at a header that is none.
      outlet.destroy();
    }
  }

  #answer(outcome: Outcome): KeptAnswer | undefined {
    const head = this.#head;
    if (this.#sendRest === undefined || head === undefined || this.#pieces === undefined) return undefined;
    const isKept = (outcome === 'ok' || outcome === 'client') && head.status < 500;
    if (!isKept || NOT_KEPT.includes(head.status)) return undefined;
    const body = Buffer.concat(this.#pieces);
    return { status: head.status, lines: lastingLines(head.lines), body };
  }

  #record(piece: string | Buffer): void {
    if (this.#pieces === undefined) return;
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    this.#sizeBytes += bytes.length;
    if (this.#sizeBytes <= MOST_BYTES && this.#parts.memory.grow(bytes.length) === undefined)
      this.#pieces.push(bytes);
    else this.#pieces = undefined;
  }
}

function lastingLines(lines: string): string {
  const listed = listedHeaders(lines);
  let kept = '';
  for (let index = 0; index + 1 < listed.length; index += 2) {
    const name = listed[index] ?? '';
    if (!OF_ONE_REQUEST.test(name)) kept += `${name}: ${listed[index + 1]}\r\n`;
  }
  return kept;
}
