import type { Caller } from '../../access/caller.ts';
import type { CallerDirectory } from '../../access/caller-directory.ts';
import { type Metering, RequestMeter } from '../../access/request-meter.ts';
import { outcomeOfStatus } from '../../access/usage-recorder.ts';
import { Fault, toFault } from '../../faults/fault.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { keepLease } from '../../lib/kept-lease.ts';
import type { Log } from '../../telemetry/log.ts';
import type { HostedTools } from '../hosted-tools.ts';
import type { TextService } from '../text-service.ts';
import { eventText } from '../wire/responses/item-events.ts';
import { endOf, queuedEvents } from '../wire/responses/replayed-events.ts';
import { failedResponse, type ResponseObject, writtenResponse } from '../wire/responses/response-object.ts';
import { JobAnswer } from './job-answer.ts';
import { type ResponseJob, ResponseJobLost, type ResponseQueue } from './response-queue.ts';
import type { ResponseStore } from './response-store.ts';
import { type CompletedRequest, notStored, type ResponsesService } from './responses-service.ts';

export interface BackgroundResponsesParts {
  readonly queue: ResponseQueue;
  readonly store: Pick<ResponseStore, 'find'>;
  readonly responses: Pick<ResponsesService, 'open'>;
  readonly text: Pick<TextService, 'answer'>;
  readonly hosted: Pick<HostedTools, 'answer'>;
  readonly keys: Pick<CallerDirectory, 'findKey'>;
  readonly metering: Metering;
  readonly log: Log;
  readonly clock?: Clock;
}

/** How soon jobs that other processes queued are found. */
const POLL_MS = 1_000;
/** Also how soon a job that was cancelled elsewhere is stopped; well below the lease. */
const RENEW_MS = 2_000;
const MOST_RUNNING = 16;
const MOST_ATTEMPTS = 3;
const ENDPOINT = '/v1/responses';

/** Makes queued responses, several at a time. */
export class BackgroundResponses {
  readonly #parts: BackgroundResponsesParts;
  readonly #clock: Clock;
  readonly #stopping = new AbortController();
  /** Aborted when running jobs must end now. */
  readonly #ending = new AbortController();
  readonly #running = new Set<Promise<void>>();
  #looking: Promise<void> = Promise.resolve();
  #wake: () => void = () => {};
  #isWoken = false;

  constructor(parts: BackgroundResponsesParts) {
    this.#parts = parts;
    this.#clock = parts.clock ?? systemClock;
  }

  /** Jobs that this process makes now. */
  get running(): number {
    return this.#running.size;
  }

  start(): void {
    this.#looking = this.#look();
  }

  /** Lets running jobs end until the signal aborts; others, here or elsewhere, do the rest. */
  async stop(signal: AbortSignal): Promise<void> {
    this.#stopping.abort();
    this.#wake();
    const end = () => this.#ending.abort(new Error('the gateway is stopping'));
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
    await this.#looking;
    await Promise.all(this.#running);
    signal.removeEventListener('abort', end);
  }

  /** Queues a request, and returns its response. */
  async enqueue({ fields, queued, recordOf }: CompletedRequest): Promise<ResponseObject> {
    const response = queued();
    if (recordOf === undefined) throw new Error('a response that is not stored cannot be queued');
    const { input: _, ...request } = fields;
    const events = fields.stream ? queuedEvents(response) : undefined;
    try {
      await this.#parts.queue.add({ response: recordOf(writtenResponse(response)), request, events });
    } catch (error) {
      throw notStored(error);
    }
    this.#isWoken = true;
    this.#wake();
    return response;
  }

  /** Cancels a response, whichever process makes it, and returns it. */
  async cancel(stackId: string, id: string): Promise<ResponseObject> {
    const { queue, store } = this.#parts;
    const response = await store.find(stackId, id);
    if (response === undefined) throw responseNotFound(id);
    if (response.status === 'cancelled') return response;
    const cancelled = { ...response, status: 'cancelled' };
    const event = (sequence: number) => eventText(endOf('cancelled'), sequence, { response: cancelled });
    if (await queue.cancel(stackId, id, event)) return cancelled;
    const why = response.background === true ? 'has ended' : 'was not made with `background: true`';
    throw new Fault('response-not-cancellable', `The response ${why}, so it cannot be cancelled.`);
  }

  async #look(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      this.#isWoken = false;
      const job = await this.#take();
      if (job !== undefined) this.#run(job);
      else if (!this.#isWoken && !signal.aborted) await this.#pause();
    }
  }

  async #take(): Promise<ResponseJob | undefined> {
    if (this.#running.size >= MOST_RUNNING) return undefined;
    try {
      return await this.#parts.queue.take();
    } catch (error) {
      this.#parts.log.error({ error }, 'responses in the background cannot be made at the moment');
      return undefined;
    }
  }

  #run(job: ResponseJob): void {
    const running = this.#work(job).finally(() => {
      this.#running.delete(running);
      // Its stack may run another one now.
      this.#isWoken = true;
      this.#wake();
    });
    this.#running.add(running);
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.#clock.after(POLL_MS, resolve);
      this.#wake = () => {
        timer.cancel();
        resolve();
      };
    });
  }

  async #work(job: ResponseJob): Promise<void> {
    const { log, queue } = this.#parts;
    const lease = keepLease({
      clock: this.#clock,
      periodMs: RENEW_MS,
      renew: () => queue.renew(job),
      isLost: (error) => error instanceof ResponseJobLost,
    });
    try {
      await this.#make(job, AbortSignal.any([lease.lost, this.#ending.signal]));
    } catch (error) {
      if (error instanceof ResponseJobLost || lease.lost.aborted) return;
      // Its lease ends, and it is begun again.
      log.error({ response: job.responseId, error }, 'a response in the background was left');
    } finally {
      lease.end();
    }
  }

  async #make(job: ResponseJob, signal: AbortSignal): Promise<void> {
    const { keys, metering } = this.#parts;
    const caller = (await keys.findKey(job.stackId, job.keyId))?.caller;
    const refusal = refusalOf(job, caller);
    if (caller === undefined || refusal !== undefined) {
      await this.#failUnbegun(job, refusal ?? keyGone());
      return;
    }
    const meter = new RequestMeter(metering, caller, ENDPOINT);
    const startedMs = this.#clock.nowMs();
    const close = (status: number | 'gone') =>
      meter.close(status === 'gone' ? 'gone' : outcomeOfStatus(status), this.#clock.nowMs() - startedMs);
    let answer: JobAnswer | undefined;
    try {
      const opened = await this.#open(job, caller, { meter, signal });
      answer = new JobAnswer({ job, opened, queue: this.#parts.queue, clock: this.#clock });
      await answer.make(this.#parts, caller, { meter, signal });
      close(200);
    } catch (error) {
      close(signal.aborted ? 'gone' : toFault(error).status);
      if (error instanceof ResponseJobLost || isStoreAway(error)) throw error;
      if (signal.aborted) await this.#leave(job, answer);
      else await this.#fail(job, answer, error);
    }
  }

  #open(job: ResponseJob, caller: Caller, work: { meter: RequestMeter; signal: AbortSignal }) {
    const { body, queued, responseId } = job;
    return this.#parts.responses.open(caller, {
      body,
      answerId: responseId.slice(responseId.indexOf('_') + 1),
      created: Number(queued.created_at),
      meter: work.meter,
      request: work,
    });
  }

  /** The gateway stops: another process begins the job again, unless events of it were already read. */
  async #leave(job: ResponseJob, answer: JobAnswer | undefined): Promise<void> {
    if (!this.#ending.signal.aborted) return;
    if (answer?.hasEvents) await answer.fail(replicaGone());
    else await this.#parts.queue.giveBack(job);
  }

  async #fail(job: ResponseJob, answer: JobAnswer | undefined, error: unknown): Promise<void> {
    const fault = toFault(error);
    if (fault.status >= 500)
      this.#parts.log.warn(
        { response: job.responseId, fault: fault.code, error: fault.cause },
        'a response in the background failed',
      );
    if (answer === undefined) await this.#failUnbegun(job, fault);
    else await answer.fail(fault);
  }

  /** Fails a job that this process has not begun. */
  async #failUnbegun(job: ResponseJob, fault: Fault): Promise<void> {
    const { queue } = this.#parts;
    const response = failedResponse(job.queued, fault);
    const events = job.streams ? [eventText(endOf('failed'), job.events, { response })] : [];
    await queue.finish(job, job.events, { response, events, conversation: undefined });
  }
}

/** The fault of a response that the stack does not have. */
export function responseNotFound(id: string): Fault {
  const message = `This stack has no response ${JSON.stringify(id.slice(0, 80))}.`;
  return new Fault('response-not-found', message);
}

/** Why a job cannot be begun, or not again. */
function refusalOf(job: ResponseJob, caller: Caller | undefined): Fault | undefined {
  if (caller === undefined) return keyGone();
  if (job.streams && job.events > queuedEvents(job.queued).length) return replicaGone();
  return job.attempts > MOST_ATTEMPTS ? replicaGone() : undefined;
}

/** Not the fault of the response: another process, or this one, makes it when database and storage are back. */
function isStoreAway(error: unknown): boolean {
  return error instanceof Fault && (error.code === 'database-away' || error.code === 'storage-away');
}

function keyGone(): Fault {
  return new Fault('credential-refused', 'The key of this response is not valid any more.');
}

function replicaGone(): Fault {
  return new Fault('engine-failed', 'The process that made this response ended. Ask again.');
}
