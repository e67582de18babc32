import { Fault } from '../faults/fault.ts';
import type { FaultCode } from '../faults/fault-table.ts';
import { systemClock } from '../lib/clock.ts';
import { compiledEntry } from '../lib/compiled-entry.ts';
import { ChildLost, TooManyWaiting } from '../supervision/child-lost.ts';
import type { StackWork } from '../supervision/stack-work.ts';
import { Supervised } from '../supervision/supervised.ts';
import { workerChild } from '../supervision/worker-child.ts';
import type { JsonOptions } from './parse-json.ts';

/** What the thread is asked. */
export interface JsonJob extends JsonOptions {
  readonly bytes: Uint8Array;
}

/** What it answers: the value, or why there is none. */
export type JsonOutcome =
  | { readonly value: unknown }
  | { readonly code: FaultCode; readonly message: string };

/** Of one stack, and in all. */
const MAX_WAITING_PER_STACK = 64;
const MAX_WAITING = 4 * MAX_WAITING_PER_STACK;
/** A body of the largest size takes a second; more is a machine in need. */
const DEADLINE_MS = 30_000;
const IDLE_MS = 5 * 60_000;
const patience = { startTimeoutMs: 30_000, cancelGraceMs: 500, stopGraceMs: 1_000 };
const backoff = { firstMs: 50, maxMs: 1_000, stableMs: 10_000, degradedAfterCrashes: 5 };

/** Parses large JSON on a thread of its own, one body after the other, in turns among stacks. */
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

  /** What the bytes mean; they are moved to the thread where that is possible. */
  async parse(bytes: Buffer, options: JsonOptions, { stackId, signal }: StackWork): Promise<unknown> {
    const job: JsonJob = { ...options, bytes };
    const isWhole = bytes.byteOffset === 0 && bytes.byteLength === bytes.buffer.byteLength;
    const transfer = isWhole && bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : [];
    try {
      const answer = await this.#thread.ask(job, { signal, stackId, deadlineMs: DEADLINE_MS, transfer });
      return valueIn(answer);
    } catch (error) {
      if (!(error instanceof ChildLost) && !(error instanceof TooManyWaiting)) throw error;
      throw new Fault('body-memory-full', 'Too many large requests are being read; retry.', { cause: error });
    }
  }

  stop(signal: AbortSignal): Promise<void> {
    return this.#thread.stop(signal);
  }
}

function valueIn(answer: unknown): unknown {
  const outcome = answer as JsonOutcome;
  if ('value' in outcome) return outcome.value;
  throw new Fault(outcome.code, outcome.message);
}
