import type { Caller } from '../../access/caller.ts';
import type { MeteredWork } from '../../access/meter.ts';
import { type Fault, toFault } from '../../faults/fault.ts';
import type { Clock, Timer } from '../../lib/clock.ts';
import type { HostedTools } from '../hosted-tools.ts';
import { ReplySink } from '../reply.ts';
import type { AnswerSink } from '../text-engine.ts';
import type { TextEvent } from '../text-event.ts';
import type { TextService } from '../text-service.ts';
import type { StreamWriter } from '../text-wire.ts';
import { eventText } from '../wire/responses/item-events.ts';
import { endOf } from '../wire/responses/replayed-events.ts';
import { failedResponse, type ResponseObject, writtenResponse } from '../wire/responses/response-object.ts';
import {
  type FinishedResponse,
  type ResponseJob,
  ResponseJobLost,
  type ResponseQueue,
} from './response-queue.ts';
import type { CompletedRequest } from './responses-service.ts';

export interface JobAnswerParts {
  readonly job: ResponseJob;
  readonly opened: CompletedRequest;
  readonly queue: Pick<ResponseQueue, 'addEvents' | 'finish'>;
  readonly clock: Pick<Clock, 'after'>;
}

/** Answers requests, with hosted tools or without. */
export interface AnsweringParts {
  readonly text: Pick<TextService, 'answer'>;
  readonly hosted: Pick<HostedTools, 'answer'>;
}

/** Events that come within this time are stored together. */
const GATHER_MS = 100;
/** A response that is made is worth some seconds of waiting for a database or a blob store that is away: made again, it costs twice. */
const STORE_AGAIN_MS = 1_000;
const MOST_STORE_TRIES = 20;

/** The answer to a job. Its events are stored as they come, the last ones together with the response. */
export class JobAnswer implements AnswerSink {
  readonly #parts: JobAnswerParts;
  readonly #writer: StreamWriter | undefined;
  readonly #reply = new ReplySink();
  readonly #lost = new AbortController();
  /** Events that are stored; those to store next; and those of the finish, which wait for the response. */
  #stored: number;
  #pending: readonly string[] = [];
  #last: readonly string[] = [];
  #timer: Timer | undefined;
  #storing: Promise<void> = Promise.resolve();

  constructor(parts: JobAnswerParts) {
    this.#parts = parts;
    this.#stored = parts.job.events;
    if (parts.job.streams) this.#writer = parts.opened.writer();
  }

  /** Whether events were made, so that the job cannot begin again. */
  get hasEvents(): boolean {
    return this.#stored + this.#pending.length > this.#parts.job.events;
  }

  /** Asks the engine, and stores the response. Throws `ResponseJobLost`. */
  async make(engines: AnsweringParts, caller: Caller, { meter, signal }: MeteredWork): Promise<void> {
    const { opened, job } = this.#parts;
    const { conversation, showsKnowledge } = opened;
    const request = { signal: AbortSignal.any([signal, this.#lost.signal]) };
    const inOnePiece = !job.streams;
    const ask = { conversation, countFirst: false, inOnePiece, showsKnowledge, meter, request };
    const answering =
      opened.hosted === undefined
        ? engines.text.answer(caller, ask, this)
        : engines.hosted.answer(caller, { ...ask, hosted: opened.hosted }, this);
    const answer = await answering;
    const response = opened.ended(await this.#reply.reply(answer, request.signal));
    await this.#end(response, this.#last, this.#appended(response));
  }

  /** Stores the response as failed. */
  async fail(fault: Fault): Promise<void> {
    const { opened, job } = this.#parts;
    if (this.#last.length > 0) {
      // The answer is complete and could not be stored as it is: its last event is replaced.
      const response = failedResponse(job.queued, fault);
      const sequence = this.#stored + this.#pending.length + this.#last.length - 1;
      const failed = eventText(endOf('failed'), sequence, { response });
      await this.#end(response, [...this.#last.slice(0, -1), failed], undefined);
      return;
    }
    const events = eventsOf(this.#writer?.fail(fault, '') ?? '');
    await this.#end(opened.failed(fault) ?? failedResponse(job.queued, fault), events, undefined);
  }

  onEvents(events: readonly TextEvent[]): void {
    for (const event of events) {
      const written = eventsOf(this.#writer?.write(event) ?? '');
      if (event.type === 'finish') this.#last = written;
      else this.#pending = [...this.#pending, ...written];
    }
    this.#storeLater();
    this.#reply.onEvents(events);
  }

  onFailure(error: unknown): void {
    this.#reply.onFailure(error);
  }

  #appended(response: ResponseObject): FinishedResponse['conversation'] {
    const { conversationId: id, input } = this.#parts.opened.recordOf?.(writtenResponse(response)) ?? {};
    return id === undefined ? undefined : { id, items: [...(input ?? []), ...response.output] };
  }

  async #end(
    response: ResponseObject,
    last: readonly string[],
    conversation: FinishedResponse['conversation'],
  ): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      this.#timer?.cancel();
      this.#timer = undefined;
      await this.#storing;
      const events = [...this.#pending, ...last];
      try {
        return await this.#parts.queue.finish(this.#parts.job, this.#stored, {
          response,
          events,
          conversation,
        });
      } catch (error) {
        const isWorthATry = !(error instanceof ResponseJobLost) && toFault(error).status >= 500;
        if (!isWorthATry || tries === MOST_STORE_TRIES) throw error;
        await new Promise<void>((resolve) => this.#parts.clock.after(STORE_AGAIN_MS, resolve));
      }
    }
  }

  #storeLater(): void {
    if (this.#timer !== undefined || this.#pending.length === 0) return;
    this.#timer = this.#parts.clock.after(GATHER_MS, () => {
      this.#timer = undefined;
      this.#storing = this.#storing.then(() => this.#store());
    });
  }

  async #store(): Promise<void> {
    const { queue, job } = this.#parts;
    const events = this.#pending;
    if (events.length === 0) return;
    this.#pending = [];
    try {
      await queue.addEvents(job, this.#stored, events);
      this.#stored += events.length;
    } catch (error) {
      this.#pending = [...events, ...this.#pending];
      if (error instanceof ResponseJobLost) this.#lost.abort(error);
      else this.#storeLater();
    }
  }
}

function eventsOf(stream: string): readonly string[] {
  return stream
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => `${event}\n\n`);
}
