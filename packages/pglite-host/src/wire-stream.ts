import { Duplex } from 'node:stream';
import { DatabaseAway } from './database-away.ts';
import type { SessionClient } from './session-client.ts';
import type { SessionMultiplexer } from './session-multiplexer.ts';

/** Options of a wire stream. */
export interface WireStreamOptions {
  readonly multiplexer: SessionMultiplexer;
  readonly isAway: () => boolean;
  readonly idleLimitMs: number;
}

/** An in-process connection to the embedded database that node-postgres uses as a socket. */
export class WireStream extends Duplex {
  readonly #options: WireStreamOptions;
  #client: SessionClient | undefined;

  constructor(options: WireStreamOptions) {
    super();
    this.#options = options;
  }

  connect(): this {
    queueMicrotask(() => this.#open());
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, callback: () => void): void {
    this.#client?.receive(chunk);
    callback();
  }

  override _final(callback: () => void): void {
    this.#client?.leave();
    callback();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#client?.leave();
    callback(error);
  }

  #open(): void {
    if (this.destroyed) return;
    const { multiplexer, isAway, idleLimitMs } = this.#options;
    if (isAway()) {
      this.destroy(new DatabaseAway('ECONNREFUSED', 'it is being opened again'));
      return;
    }
    const send = (bytes: Buffer): void => {
      this.push(bytes);
    };
    const end = (error?: Error): void => {
      if (error === undefined) this.push(null);
      else this.destroy(error);
    };
    this.#client = multiplexer.attach({ send, end }, idleLimitMs);
    this.emit('connect');
  }
}
