import { Fault } from '../faults/fault.ts';
import type { FaultCode } from '../faults/fault-table.ts';
import { systemClock } from '../lib/clock.ts';
import { compiledEntry } from '../lib/compiled-entry.ts';
import { LeasedBytes } from '../lib/leased-bytes.ts';
import { ownMemory } from '../lib/own-memory.ts';
import { ParkedBytes, type ParkedPort } from '../lib/parked-bytes.ts';
import { ChildLost, TooManyWaiting } from '../supervision/child-lost.ts';
import type { StackWork } from '../supervision/stack-work.ts';
import { Supervised } from '../supervision/supervised.ts';
import { workerChild } from '../supervision/worker-child.ts';
import type { ScanRule } from '../text/wire/formats/scan-prompt.ts';
import { ScannedBody, type ScannedParts } from '../text/wire/scanned-body.ts';
import type { HeldMemory } from './body-memory.ts';
import type { ApartOptions } from './json-sink.ts';

export interface LargeJsonOptions extends ApartOptions {
  /** Without it, the body is parsed. */
  readonly scan?: ScanRule | undefined;
}

/** The stack and the memory of a body. */
export interface LargeJsonWork extends StackWork {
  readonly memory: Pick<HeldMemory, 'growForValue' | 'lease'>;
}

/** A body for the thread to read. */
export interface JsonJob extends LargeJsonOptions {
  readonly bytes: Uint8Array | ParkedPort;
}

/** The thread's answer: the result of the scan, the value, or the fault. */
export type JsonOutcome =
  | { readonly scanned: ScannedParts }
  | { readonly value: unknown }
  | { readonly code: FaultCode; readonly message: string };

/** Bodies in the queue. */
const MAX_WAITING_PER_STACK = 64;
const MAX_WAITING = 4 * MAX_WAITING_PER_STACK;
/** The largest body takes a second; the rest is reserve for a busy machine. */
const DEADLINE_MS = 30_000;
const IDLE_MS = 5 * 60_000;
/** Bytes of memory for each byte of JSON, besides that byte: for the value, and for the JSON that is sent to a model server. */
const VALUE_COST = 3;
const patience = { startTimeoutMs: 30_000, cancelGraceMs: 500, stopGraceMs: 1_000 };
const backoff = { firstMs: 50, maxMs: 1_000, stableMs: 10_000, degradedAfterCrashes: 5 };

/** Reads large JSON on a thread, one body at a time; stacks take turns. */
export class LargeJson {
  readonly #thread: Supervised;

  constructor() {
    this.#thread = new Supervised({
      name: 'JSON worker',
      launch: workerChild({ entry: compiledEntry(import.meta.url, './json-worker.js'), env: {} }),
      priority: 'heavy',
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

  /** Returns the value of the bytes, or a `ScannedBody`. The bytes move to the thread if they are parked or own their memory, and back with a scan; then they are freed with the memory of the body. */
  async parse(
    body: Buffer | ParkedBytes,
    options: LargeJsonOptions,
    { stackId, signal, memory }: LargeJsonWork,
  ): Promise<unknown> {
    const sizeBytes = body instanceof ParkedBytes ? body.sizeBytes : body.length;
    const outcome = await this.#ask(body, options, { stackId, signal });
    if ('scanned' in outcome) {
      const lease = new LeasedBytes(outcome.scanned.bytes);
      memory.lease(lease);
      return bodyOf(outcome.scanned, lease);
    }
    if (!('value' in outcome)) throw new Fault(outcome.code, outcome.message);
    // The thread returns one value at a time, so at most this one is in memory without being counted.
    const noRoom = memory.growForValue(VALUE_COST * sizeBytes);
    if (noRoom !== undefined) throw noRoom;
    return outcome.value;
  }

  async #ask(
    body: Buffer | ParkedBytes,
    options: LargeJsonOptions,
    { stackId, signal }: StackWork,
  ): Promise<JsonOutcome> {
    const bytes = body instanceof ParkedBytes ? body.port : body;
    const transfer = 'port' in bytes ? [bytes.port] : ownMemory(bytes);
    const job: JsonJob = { ...options, bytes };
    try {
      const answer = await this.#thread.ask(job, { signal, stackId, deadlineMs: DEADLINE_MS, transfer });
      return answer as JsonOutcome;
    } catch (error) {
      if (!(error instanceof ChildLost) && !(error instanceof TooManyWaiting)) throw error;
      throw new Fault('body-memory-full', 'Too many large requests are being read; retry.', { cause: error });
    } finally {
      if (body instanceof ParkedBytes) body.free();
    }
  }

  stop(signal: AbortSignal): Promise<void> {
    return this.#thread.stop(signal);
  }
}

/** Makes buffers again: they arrive from the thread as `Uint8Array`. */
function bodyOf({ bytes, fields, messages, tools, hash }: ScannedParts, lease: LeasedBytes): ScannedBody {
  return new ScannedBody({
    bytes: asBuffer(bytes),
    fields,
    messages: { system: messages.system, items: asBuffer(messages.items) },
    tools: tools && asBuffer(tools),
    isLasting: true,
    lease,
    hash,
  });
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
