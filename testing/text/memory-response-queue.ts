import { randomUUID } from 'node:crypto';
import { Fault } from '../../src/faults/fault.ts';
import {
  MOST_RUNNING_PER_STACK,
  MOST_UNFINISHED_PER_STACK,
  type QueuedResponse,
  type ResponseJob,
  ResponseJobLost,
  type ResponseQueue,
} from '../../src/text/responses/response-queue.ts';
import { type MemoryResponses, readResponse } from './memory-responses.ts';

interface MemoryJob {
  readonly queued: QueuedResponse;
  holder: string | undefined;
  attempts: number;
}

/** Background responses in memory. A lease ends only when it is told to. */
export class MemoryResponseQueue implements ResponseQueue {
  readonly #responses: MemoryResponses;
  readonly #jobs = new Map<string, MemoryJob>();
  readonly #events = new Map<string, string[]>();

  constructor(responses: MemoryResponses) {
    this.#responses = responses;
  }

  /** Ends all leases, as if their processes were gone. */
  endLeases(): void {
    for (const job of this.#jobs.values()) job.holder = undefined;
  }

  add: ResponseQueue['add'] = async (queued) => {
    const { response, owner } = queued.response;
    if (this.#ofStack(owner.stackId).length >= MOST_UNFINISHED_PER_STACK)
      throw new Fault('too-many-background-responses', 'Too many.');
    this.#responses.put(queued.response);
    this.#jobs.set(response.id, { queued, holder: undefined, attempts: 0 });
    if (queued.events !== undefined) this.#events.set(response.id, [...queued.events]);
  };

  take: ResponseQueue['take'] = async () => {
    const next = [...this.#jobs].find(
      ([id, { holder, queued }]) =>
        this.#responses.has(id) && holder === undefined && this.#running(queued) < MOST_RUNNING_PER_STACK,
    );
    if (next === undefined) return undefined;
    const [responseId, job] = next;
    job.holder = randomUUID();
    job.attempts += 1;
    this.#responses.change(responseId, { status: 'in_progress' });
    const { response, request, events } = job.queued;
    return {
      responseId,
      stackId: response.owner.stackId,
      keyId: response.owner.keyId,
      holder: job.holder,
      attempts: job.attempts,
      streams: events !== undefined,
      events: this.#events.get(responseId)?.length ?? 0,
      body: { ...request, input: response.input },
      queued: readResponse(response.response),
    };
  };

  renew: ResponseQueue['renew'] = async (job) => {
    this.#held(job);
  };

  addEvents: ResponseQueue['addEvents'] = async (job, before, events) => {
    this.#held(job);
    this.#append(job.responseId, before, events);
  };

  finish: ResponseQueue['finish'] = async (job, before, { response, events, conversation }) => {
    this.#held(job);
    if (conversation !== undefined)
      await this.#responses.conversations.append(job.stackId, conversation.id, conversation.items);
    this.#jobs.delete(job.responseId);
    this.#responses.replace(response);
    this.#append(job.responseId, before, events);
  };

  giveBack: ResponseQueue['giveBack'] = async (job) => {
    const held = this.#held(job);
    held.holder = undefined;
    held.attempts -= 1;
    this.#responses.change(job.responseId, { status: 'queued' });
  };

  cancel: ResponseQueue['cancel'] = async (stackId, id, event) => {
    const job = this.#jobs.get(id);
    if (job === undefined || job.queued.response.owner.stackId !== stackId) return false;
    this.#jobs.delete(id);
    this.#responses.change(id, { status: 'cancelled' });
    const events = this.#events.get(id);
    events?.push(event(events.length));
    return true;
  };

  readEvents: ResponseQueue['readEvents'] = async (stackId, id, after) => {
    const response = await this.#responses.find(stackId, id);
    if (response === undefined) return undefined;
    const events = this.#events.get(id);
    return {
      hasEnded: response.status !== 'queued' && response.status !== 'in_progress',
      hasEvents: events !== undefined,
      events: events?.slice(after + 1) ?? [],
    };
  };

  #held({ responseId, holder }: ResponseJob): MemoryJob {
    const job = this.#jobs.get(responseId);
    if (job?.holder !== holder || !this.#responses.has(responseId)) throw new ResponseJobLost();
    return job;
  }

  #append(id: string, before: number, added: readonly string[]): void {
    const events = this.#events.get(id) ?? [];
    if (added.length > 0 && events.length !== before) throw new Error('an event has the number of another');
    events.push(...added);
  }

  #ofStack(stackId: string): readonly MemoryJob[] {
    return [...this.#jobs.values()].filter((job) => job.queued.response.owner.stackId === stackId);
  }

  #running({ response }: QueuedResponse): number {
    return this.#ofStack(response.owner.stackId).filter(({ holder }) => holder !== undefined).length;
  }
}
