import { STATUS_CODES } from 'node:http';
import type { AnswerHead } from '../http/outlet.ts';
import { headerLines } from '../lib/header-lines.ts';

interface SentHead extends AnswerHead {
  /** Whether the connection is closed after the answer. */
  readonly closes: boolean;
}

/** Writes response heads, including the headers that Node's server adds itself. */
export class AnswerHeads {
  readonly #common: string;
  readonly #keptAlive: string;
  #date = '';
  #dateSecond = 0;

  /** `common`: headers of every response. */
  constructor(common: Readonly<Record<string, string>>, keepAliveMs: number) {
    this.#common = headerLines(common);
    this.#keptAlive = `connection: keep-alive\r\nkeep-alive: timeout=${Math.floor(keepAliveMs / 1000)}\r\n`;
  }

  /** Returns a head with the empty line that ends it. */
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
