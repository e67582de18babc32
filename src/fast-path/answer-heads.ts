import { STATUS_CODES } from 'node:http';
import type { AnswerHead } from '../http/outlet.ts';
import { headerLines } from '../lib/header-lines.ts';

interface SentHead extends AnswerHead {
  /** Whether the connection is closed after the answer. */
  readonly closes: boolean;
}

/** Writes the heads of answers, with what Node's server would add to them. */
export class AnswerHeads {
  readonly #common: string;
  readonly #keptAlive: string;
  #date = '';
  #dateSecond = 0;

  /** The common headers are part of every answer. */
  constructor(common: Readonly<Record<string, string>>, keepAliveMs: number) {
    this.#common = headerLines(common);
    this.#keptAlive = `connection: keep-alive\r\nkeep-alive: timeout=${Math.floor(keepAliveMs / 1000)}\r\n`;
  }

  /** A head up to and with the empty line. */
  write({ status, requestId, lines, closes }: SentHead): string {
    const ids = `x-request-id: ${requestId}\r\nrequest-id: ${requestId}\r\n`;
    const connection = closes ? 'connection: close\r\n' : this.#keptAlive;
    return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${this.#common}${lines}${ids}${this.#dateLine()}${connection}\r\n`;
  }

  #dateLine(): string {
    const second = Math.floor(Date.now() / 1000);
    if (second !== this.#dateSecond) {
      this.#dateSecond = second;
      this.#date = `date: ${new Date(second * 1000).toUTCString()}\r\n`;
    }
    return this.#date;
  }
}
