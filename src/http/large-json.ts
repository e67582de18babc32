import { Fault } from '../faults/fault.ts';
import type { FaultCode } from '../faults/fault-table.ts';
import { systemClock } from '../lib/clock.ts';
import { compiledEntry } from '../lib/compiled-entry.ts';
import { ownMemory } from '../lib/own-memory.ts';
import { ChildLost, TooManyWaiting } from '../supervision/child-lost.ts';
import type { StackWork } from '../supervision/stack-work.ts';
import { Supervised } from '../supervision/supervised.ts';
import { workerChild } from '../supervision/worker-child.ts';
import type { PromptFormat } from '../text/wire/formats/scan-prompt.ts';
import { ScannedBody, type ScannedParts } from '../text/wire/scanned-body.ts';
import type { HeldMemory } from './body-memory.ts';
import type { ApartOptions } from './json-sink.ts';

export interface LargeJsonOptions extends ApartOptions {
  /** Of a body that is better scanned than parsed where it can be. */
  readonly format?: PromptFormat | undefined;
}

/** Whose body it is, and the memory that it holds. */
export interface LargeJsonWork extends StackWork {
  readonly memory: Pick<HeldMemory, 'growForValue'>;
}

/** What the thread is asked. */
export interface JsonJob extends LargeJsonOptions {
  readonly bytes: Uint8Array;
}

/** What it answers: what the scan found, or the value, or why there is none. */
export type JsonOutcome =
  | { readonly scanned: ScannedParts }
  | { readonly value: unknown }
  | { readonly code: FaultCode; readonly message: string };

/** Of one stack, and in all. */
const MAX_WAITING_PER_STACK = 64;
const MAX_WAITING = 4 * MAX_WAITING_PER_STACK;
/** A body of the largest size takes a second; more is a machine in need. */
const DEADLINE_MS = 30_000;
const IDLE_MS = 5 * 60_000;
/** What a value, and what is written of it for a server, take of memory for each byte of its JSON, beside that byte. */
const VALUE_COST = 3;
const patience = { startTimeoutMs: 30_000, cancelGraceMs: 500, stopGraceMs: 1_000 };
const backoff = { firstMs: 50, maxMs: 1_000, stableMs: 10_000, degradedAfterCrashes: 5 };

/** Reads large JSON on a thread of its own, one body after the other, in turns among stacks. */
export class LargeJson {
  readonly #thread: Supervised;

  constructor() {
    this.#thread = new Supervised({
      name: 'JSON worker',
      launch: workerChild({ entry: compiledEntry(import.meta.url, './json-worker.js'), env: {} }),
      patience,
      backoff,
      concurrency: 1,
      maxWaiting: MAX_WAITING,
      maxWaitingPerStack: MAX_WAITING_PER_STACK,
      streamWindow: 0,
      idleMs: IDLE_MS,
      clock: systemClock,
    });
  }

  /** What the bytes mean, or a `ScannedBody`; they are moved to the thread where that is possible, and back where they were scanned. */
  async parse(
    bytes: Buffer,
    options: LargeJsonOptions,
    { stackId, signal, memory }: LargeJsonWork,
  ): Promise<unknown> {
    const sizeBytes = bytes.length;
    const outcome = await this.#ask({ ...options, bytes }, { stackId, signal });
    if ('scanned' in outcome) return bodyOf(outcome.scanned);
    if (!('value' in outcome)) throw new Fault(outcome.code, outcome.message);
    // Values come one at a time, so at most this one is more than there is room for.
    const noRoom = memory.growForValue(VALUE_COST * sizeBytes);
    if (noRoom !== undefined) throw noRoom;
    return outcome.value;
  }

  async #ask(job: JsonJob, { stackId, signal }: StackWork): Promise<JsonOutcome> {
    const transfer = ownMemory(job.bytes);
    try {
      const answer = await this.#thread.ask(job, { signal, stackId, deadlineMs: DEADLINE_MS, transfer });
      return answer as JsonOutcome;
    } catch (error) {
      if (!(error instanceof ChildLost) && !(error instanceof TooManyWaiting)) throw error;
      throw new Fault('body-memory-full', 'Too many large requests are being read; retry.', { cause: error });
    }
  }

  stop(signal: AbortSignal): Promise<void> {
    return this.#thread.stop(signal);
  }
}

/** On their way between threads, buffers become plain arrays of bytes. */
function bodyOf({ bytes, fields, messages, tools }: ScannedParts): ScannedBody {
  return new ScannedBody({
    bytes: asBuffer(bytes),
    fields,
    messages: { system: messages.system, items: asBuffer(messages.items) },
    tools: tools && asBuffer(tools),
    isLasting: true,
  });
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
