import { STATUS_CODES } from 'node:http';

/** What the head of an answer says. */
export interface AnswerHead {
  readonly status: number;
  readonly requestId: string;
  /** Its own headers; see `headerLines`. */
  readonly lines: string;
  /** Whether the connection is closed after it. */
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
  write({ status, requestId, lines, closes }: AnswerHead): string {
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

/** Headers as they stand in a head. */
export function headerLines(headers: Readonly<Record<string, string>>): string {
  let text = '';
  for (const name in headers) text += `${name}: ${headers[name]}\r\n`;
  return text;
}
