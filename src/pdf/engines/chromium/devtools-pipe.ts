import type { Readable, Writable } from 'node:stream';
import { isRecord } from '../../../lib/json-record.ts';
import { BrowserGone, CommandFailed } from './browser-errors.ts';

export type Fields = Readonly<Record<string, unknown>>;

export interface DevToolsEvent {
  readonly method: string;
  readonly params: Fields;
}

interface CallOptions {
  /** The target page; absent: the browser. */
  readonly sessionId?: string;
  readonly signal: AbortSignal;
}

interface Waiting {
  resolve(result: Fields): void;
  reject(error: unknown): void;
}

// The largest messages are chunks of a PDF in base64, or references in log entries.
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
const SEPARATOR = 0;

/** The DevTools protocol over two pipes: commands with answers, and events per page. */
export class DevToolsPipe {
  readonly #toBrowser: Writable;
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners = new Map<string, (event: DevToolsEvent) => void>();
  #pieces: Buffer[] = [];
  #pieceBytes = 0;
  #lastId = 0;
  readonly #closing = new AbortController();

  constructor(toBrowser: Writable, fromBrowser: Readable) {
    this.#toBrowser = toBrowser;
    // A broken pipe means that the browser is gone; its exit is reported separately.
    toBrowser.on('error', () => {});
    fromBrowser.on('error', () => {});
    fromBrowser.on('data', (chunk: Buffer) => this.#receive(chunk));
  }

  /** Aborts when the connection is closed. */
  get closed(): AbortSignal {
    return this.#closing.signal;
  }

  call(method: string, params: Fields, { sessionId, signal }: CallOptions): Promise<Fields> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      this.closed.throwIfAborted();
      this.#lastId += 1;
      const id = this.#lastId;
      const leave = () => {
        this.#waiting.delete(id);
        signal.removeEventListener('abort', abort);
      };
      const abort = () => {
        leave();
        reject(signal.reason);
      };
      signal.addEventListener('abort', abort);
      this.#waiting.set(id, {
        resolve: (result) => {
          leave();
          resolve(result);
        },
        reject: (error) => {
          leave();
          reject(error);
        },
      });
      this.#toBrowser.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  /** Receives the events of a page until the returned function is called. */
  listen(sessionId: string, listener: (event: DevToolsEvent) => void): () => void {
    this.#listeners.set(sessionId, listener);
    return () => this.#listeners.delete(sessionId);
  }

  /** Fails all pending and future calls. */
  close(error: Error): void {
    this.#closing.abort(error);
    this.#listeners.clear();
    for (const waiting of [...this.#waiting.values()]) waiting.reject(error);
  }

  #receive(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(SEPARATOR); end !== -1; end = chunk.indexOf(SEPARATOR, start)) {
      this.#keep(chunk.subarray(start, end));
      start = end + 1;
      const message = Buffer.concat(this.#pieces).toString('utf8');
      this.#pieces = [];
      this.#pieceBytes = 0;
      this.#dispatch(message);
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
  }

  #keep(piece: Buffer): void {
    this.#pieceBytes += piece.length;
    if (this.#pieceBytes > MAX_MESSAGE_BYTES) {
      this.close(new BrowserGone('the browser sent a message without end'));
      this.#pieces = [];
    }
    if (!this.closed.aborted) this.#pieces.push(piece);
  }

  #dispatch(text: string): void {
    if (this.closed.aborted) return;
    const message = parsed(text);
    if (!isRecord(message)) {
      this.close(new BrowserGone('the browser sent something that is no message'));
      return;
    }
    const { id, method, params, sessionId } = message;
    if (typeof id === 'number') this.#settle(id, message);
    else if (typeof method === 'string' && typeof sessionId === 'string') {
      this.#listeners.get(sessionId)?.({ method, params: isRecord(params) ? params : {} });
    }
  }

  #settle(id: number, { result, error }: Fields): void {
    const waiting = this.#waiting.get(id);
    if (isRecord(error)) waiting?.reject(new CommandFailed(String(error.message)));
    else waiting?.resolve(isRecord(result) ? result : {});
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A member that must be a string. */
export function textField(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value === 'string') return value;
  throw new CommandFailed(`the browser's answer has no ${name}`);
}
