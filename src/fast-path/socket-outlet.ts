import { Buffer } from 'node:buffer';
import type { AnswerHead, Outlet, OutletListener } from '../http/outlet.ts';
import type { AnswerHeads } from './answer-heads.ts';
import type { EndingAnswer, EndingAnswers } from './ending-answers.ts';
import type { FastConnection } from './fast-connection.ts';

const CHUNKED = 'transfer-encoding: chunked\r\n';
const LAST_CHUNK = '0\r\n\r\n';

export interface SocketOutletParts {
  readonly connection: FastConnection;
  readonly heads: AnswerHeads;
  readonly endings: EndingAnswers;
  /** Whether to close the connection after the answer. */
  readonly isDraining: () => boolean;
}

/** An answer on a fast-path connection. Its head is sent together with the first bytes of the body, its end with those of others. */
export class SocketOutlet implements Outlet, EndingAnswer {
  readonly #parts: SocketOutletParts;
  #listener: OutletListener | undefined;
  #head = '';
  #end = '';
  #isPlainEnd = false;
  #isOpen = false;
  #isComplete = false;
  #isClosed = false;

  constructor(parts: SocketOutletParts) {
    this.#parts = parts;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get isGone(): boolean {
    return !this.#isComplete && this.#parts.connection.socket.destroyed;
  }

  listen(listener: OutletListener): void {
    this.#listener = listener;
  }

  send(head: AnswerHead, body: string | Buffer): void {
    const text = typeof body === 'string' ? body : body.toString('latin1');
    const sizeBytes = Buffer.byteLength(body);
    this.#open(head, `content-length: ${sizeBytes}\r\n`);
    this.#endWith(text, sizeBytes === text.length);
  }

  open(head: AnswerHead): void {
    this.#open(head, CHUNKED);
  }

  write(piece: string): boolean {
    const sizeBytes = Buffer.byteLength(piece);
    return this.#write(chunkOf(piece, sizeBytes), sizeBytes === piece.length);
  }

  end(piece: string): void {
    const sizeBytes = Buffer.byteLength(piece);
    this.#endWith(chunkOf(piece, sizeBytes) + LAST_CHUNK, sizeBytes === piece.length);
  }

  leave(): void {
    if (this.#isClosed) return;
    this.#listener?.ending?.();
    this.#write(this.#end, this.#isPlainEnd);
    this.#parts.connection.whenFlushed((isSent) => this.#close(isSent));
  }

  destroy(): void {
    this.#parts.connection.socket.destroy();
  }

  /** The client reads again. */
  drained(): void {
    this.#listener?.drained();
  }

  /** The connection is closed. */
  gone(): void {
    this.#close(false);
  }

  #open({ status, requestId, lines }: AnswerHead, framing: string): void {
    const { connection, heads, isDraining } = this.#parts;
    const closes = isDraining() && !connection.hasMore;
    if (closes) connection.closeSoon();
    this.#isOpen = true;
    this.#head = heads.write({ status, requestId, lines: lines + framing, closes });
  }

  #write(text: string, isPlain: boolean): boolean {
    const head = this.#head;
    this.#head = '';
    return this.#parts.connection.write(head + text, isPlain);
  }

  #endWith(text: string, isPlain: boolean): void {
    this.#end = text;
    this.#isPlainEnd = isPlain;
    this.#parts.endings.add(this);
  }

  #close(isComplete: boolean): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#isComplete = isComplete;
    this.#listener?.closed(isComplete);
    if (isComplete) this.#parts.connection.next();
  }
}

/** Encodes a piece as one HTTP chunk. */
function chunkOf(piece: string, sizeBytes: number): string {
  return sizeBytes === 0 ? '' : `${sizeBytes.toString(16)}\r\n${piece}\r\n`;
}
