import { Fault } from '../faults/fault.ts';
import { compiledEntry } from '../lib/compiled-entry.ts';
import { ChildLost } from '../supervision/child-lost.ts';
import type { LaunchChild } from '../supervision/child-port.ts';
import { forkedChild } from '../supervision/forked-child.ts';
import type { StackWork } from '../supervision/stack-work.ts';
import { Supervised } from '../supervision/supervised.ts';
import type { PictureJob, PictureResult, PictureSize } from './picture-job.ts';

const MIB = 1024 * 1024;
const START_TIMEOUT_MS = 60_000;
const CANCEL_GRACE_MS = 10_000;
const STOP_GRACE_MS = 5_000;
/** How long one picture may take; 40 megapixels take about two seconds. */
const DEADLINE_MS = 30_000;
const AT_A_TIME = 2;
/** Pictures that may wait, of one stack and in all. */
const MAX_WAITING_PER_STACK = 64;
const MAX_WAITING = 4 * MAX_WAITING_PER_STACK;
const IDLE_MS = 10 * 60_000;
const RECYCLE_OVER_BYTES = 700 * MIB;
const ATTEMPTS = 2;

export interface PictureProcessOptions {
  readonly deadlineMs?: number;
  /** What runs; the compiled child unless a test says otherwise. */
  readonly launch?: LaunchChild;
}

/** Decodes and encodes pictures in a process of its own, which is killed when one of them takes too long. */
export class PictureProcess {
  readonly #child: Supervised;
  readonly #deadlineMs: number;

  constructor({ deadlineMs = DEADLINE_MS, launch = launchPictureChild() }: PictureProcessOptions = {}) {
    this.#deadlineMs = deadlineMs;
    this.#child = new Supervised({
      name: 'pictures',
      launch,
      priority: 'heavy',
      patience: {
        startTimeoutMs: START_TIMEOUT_MS,
        cancelGraceMs: CANCEL_GRACE_MS,
        stopGraceMs: STOP_GRACE_MS,
      },
      concurrency: AT_A_TIME,
      maxWaiting: MAX_WAITING,
      maxWaitingPerStack: MAX_WAITING_PER_STACK,
      streamWindow: 0,
      idleMs: IDLE_MS,
      recycle: { overMemoryBytes: RECYCLE_OVER_BYTES, freshStarts: 'after' },
    });
  }

  /** A clean PNG of a picture that somebody sent, scaled down where it is larger than any painting could use. */
  async clean(bytes: Uint8Array, work: StackWork): Promise<PictureResult> {
    return await this.#do({ type: 'clean', bytes }, work);
  }

  /** A clean PNG of what should be a picture of this size. */
  async verify(bytes: Uint8Array, size: PictureSize, work: StackWork): Promise<PictureResult> {
    return await this.#do({ type: 'verify', bytes, size }, work);
  }

  async close(signal: AbortSignal): Promise<void> {
    await this.#child.stop(signal);
  }

  async #do(job: PictureJob, work: StackWork): Promise<PictureResult> {
    for (let attempt = 1; ; attempt++) {
      try {
        return parseResult(await this.#child.ask(job, { ...work, deadlineMs: this.#deadlineMs }));
      } catch (error) {
        work.signal.throwIfAborted();
        if (!(error instanceof ChildLost) || !error.started) throw cannotRead(error);
        // The process may have died of the picture beside this one; who meets that twice is its own cause.
        if (attempt === ATTEMPTS) return { type: 'refused', why: 'broken' };
      }
    }
  }
}

/** The child that does the work. */
export function launchPictureChild(): LaunchChild {
  return forkedChild({
    entry: compiledEntry(import.meta.url, './picture-child.js'),
    // One thread for each picture that is worked on at a time.
    env: { UV_THREADPOOL_SIZE: String(AT_A_TIME), MALLOC_ARENA_MAX: '2' },
  });
}

function parseResult(answer: unknown): PictureResult {
  if (typeof answer !== 'object' || answer === null || !('type' in answer)) throw new TypeError('no result');
  if (answer.type !== 'clean' && answer.type !== 'refused') throw new TypeError('an unknown result');
  return answer as PictureResult;
}

function cannotRead(cause: unknown): Fault {
  return new Fault('model-not-ready', 'Pictures cannot be read at the moment; retry.', { cause });
}
