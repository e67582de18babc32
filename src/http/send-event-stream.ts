import type { ServerResponse } from 'node:http';
import { toFault } from '../faults/fault.ts';
import { isRefusedHere } from '../upstream/engine-faults.ts';
import type { EventStream } from './event-stream.ts';
import type { Exchange } from './exchange.ts';

export interface StreamTimes {
  /** Silence before the first sign of life. */
  readonly firstPingMs: number;
  /** Silence between further ones. */
  readonly nextPingMs: number;
  /** How long a stream that must begin with a count may wait for it, once there is a reason to begin. */
  readonly beginMs: number;
  /** How long a reader may take nothing before it counts as gone. */
  readonly stalledMs: number;
}

/** Well inside the 60 s of common proxies and the 300 s of common clients. */
export const defaultStreamTimes: StreamTimes = {
  firstPingMs: 5_000,
  nextPingMs: 10_000,
  beginMs: 20_000,
  stalledMs: 300_000,
};

/**
 * Sends a stream to its end: the one loop that waits, pings, respects a slow reader and notices one that left.
 * The head goes out with the first piece or the first ping; what fails before that is thrown, and is still an HTTP error,
 * unless the stream must begin with something: then only a refusal is. What fails otherwise ends the stream in the
 * client's dialect, and is what the promise resolves with.
 */
export async function sendEventStream(
  exchange: Exchange,
  stream: EventStream,
  times: StreamTimes,
): Promise<unknown> {
  const { response } = exchange;
  const beginning = new Beginning(exchange, stream, times);
  const keepAlive = new KeepAlive(times, () => {
    if (beginning.isDue) void beginning.write(stream.ping());
    else {
      exchange.openStream();
      response.write(stream.ping());
    }
  });
  try {
    for await (const piece of stream.pieces) {
      if (piece === '') continue;
      exchange.openStream();
      keepAlive.heard();
      if (!response.write(piece)) await roomToWrite(response, times.stalledMs);
      if (response.destroyed) return undefined;
    }
    response.end();
    return undefined;
  } catch (error) {
    const fault = toFault(error);
    keepAlive.stop();
    if (beginning.isDue && !isRefusedHere(fault)) await beginning.write('');
    if (!response.headersSent) throw error;
    response.end(stream.fail(fault));
    return error;
  } finally {
    keepAlive.stop();
  }
}

/** The beginning of a stream whose work has not begun it by itself. */
class Beginning {
  readonly #exchange: Exchange;
  readonly #stream: EventStream;
  readonly #times: StreamTimes;
  #written: Promise<void> | undefined;

  constructor(exchange: Exchange, stream: EventStream, times: StreamTimes) {
    this.#exchange = exchange;
    this.#stream = stream;
    this.#times = times;
  }

  /** Whether the stream has to begin, and has not. */
  get isDue(): boolean {
    const { response, isLeft } = this.#exchange;
    return this.#stream.begin !== undefined && !response.headersSent && !isLeft;
  }

  /** Resolves when it is written, with what follows it at once; the second who asks waits for the first. */
  write(sequel: string): Promise<void> {
    this.#written ??= this.#write(sequel);
    return this.#written;
  }

  async #write(sequel: string): Promise<void> {
    const { response, signal } = this.#exchange;
    const patience = AbortSignal.any([signal, AbortSignal.timeout(this.#times.beginMs)]);
    const piece = (await this.#stream.begin?.(patience)) ?? '';
    if (piece === '' || response.destroyed) return;
    this.#exchange.openStream();
    response.write(piece + sequel);
  }
}

/** Calls out after a first silence, and again after further ones. */
class KeepAlive {
  readonly #times: StreamTimes;
  readonly #call: () => void;
  #timer: NodeJS.Timeout;
  #isFirst = true;

  constructor(times: StreamTimes, call: () => void) {
    this.#times = times;
    this.#call = call;
    this.#timer = setTimeout(() => this.#silence(), times.firstPingMs);
  }

  heard(): void {
    if (this.#isFirst) this.#timer.refresh();
    else this.#restart(this.#times.firstPingMs, true);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #silence(): void {
    this.#call();
    this.#restart(this.#times.nextPingMs, false);
  }

  #restart(delayMs: number, isFirst: boolean): void {
    clearTimeout(this.#timer);
    this.#isFirst = isFirst;
    this.#timer = setTimeout(() => this.#silence(), delayMs);
  }
}

/** Waits until the reader takes more; one that takes nothing for long, or left, ends the response. */
function roomToWrite(response: ServerResponse, stalledMs: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(stalled);
      response.off('drain', done).off('close', done);
      resolve();
    };
    const stalled = setTimeout(() => response.destroy(), stalledMs);
    response.on('drain', done).on('close', done);
  });
}
