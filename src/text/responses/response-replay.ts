import type { Clock } from '../../lib/clock.ts';
import { orAborted } from '../../lib/or-aborted.ts';
import { replayedEvents } from '../wire/responses/replayed-events.ts';
import type { ResponseQueue } from './response-queue.ts';
import type { ResponseStore } from './response-store.ts';

export interface ResponseReplayParts {
  readonly store: Pick<ResponseStore, 'find'>;
  readonly queue: Pick<ResponseQueue, 'readEvents'>;
  readonly clock: Pick<Clock, 'after'>;
}

/** A response of a stack, and the number of the last event that its reader has. */
export interface ReplayStart {
  readonly stackId: string;
  readonly id: string;
  /** -1: none. */
  readonly after: number;
}

/** How soon an event of another replica is noticed. */
const POLL_MS = 250;

/** Streams stored responses: their stored events, also while they are made, or else events made from the whole response. */
export class ResponseReplay {
  readonly #parts: ResponseReplayParts;

  constructor(parts: ResponseReplayParts) {
    this.#parts = parts;
  }

  /** Pieces of a stream, each of whole events. It ends early if the response is deleted. */
  async *pieces({ stackId, id, after }: ReplayStart, signal: AbortSignal): AsyncGenerator<string> {
    for (let last = after; ; ) {
      const page = await this.#parts.queue.readEvents(stackId, id, last);
      if (page === undefined) return;
      const { events, hasEvents, hasEnded } = page;
      if (events.length > 0) {
        last += events.length;
        yield events.join('');
      } else if (!hasEnded) await this.#pause(signal);
      else {
        if (!hasEvents) yield* this.#whole({ stackId, id, after });
        return;
      }
    }
  }

  async *#whole({ stackId, id, after }: ReplayStart): AsyncGenerator<string> {
    const response = await this.#parts.store.find(stackId, id);
    const rest = response === undefined ? [] : replayedEvents(response).slice(after + 1);
    if (rest.length > 0) yield rest.join('');
  }

  async #pause(signal: AbortSignal): Promise<void> {
    let cancel = () => {};
    const passed = new Promise<void>((resolve) => {
      const timer = this.#parts.clock.after(POLL_MS, resolve);
      cancel = () => timer.cancel();
    });
    await orAborted(passed, signal).finally(cancel);
  }
}
