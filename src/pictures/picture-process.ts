import { Fault } from '../faults/fault.ts';
import { compiledEntry } from '../lib/compiled-entry.ts';
import { ChildLost } from '../supervision/child-lost.ts';
import type { LaunchChild } from '../supervision/child-port.ts';
import { forkedChild } from '../supervision/forked-child.ts';
import type { StackWork } from '../supervision/stack-work.ts';
import { Supervised } from '../supervision/supervised.ts';
import type { PictureJob, PicturePreview, PictureResult, PictureSize } from './picture-job.ts';

const MIB = 1024 * 1024;
const START_TIMEOUT_MS = 60_000;
const CANCEL_GRACE_MS = 10_000;
const STOP_GRACE_MS = 5_000;
/** 40 megapixels take about two seconds. */
const DEADLINE_MS = 30_000;
const AT_A_TIME = 2;
/** Waiting pictures, per stack and in total. */
const MAX_WAITING_PER_STACK = 64;
const MAX_WAITING = 4 * MAX_WAITING_PER_STACK;
const IDLE_MS = 10 * 60_000;
const RECYCLE_OVER_BYTES = 700 * MIB;
const ATTEMPTS = 2;

export interface PictureProcessOptions {
  readonly deadlineMs?: number;
  /** Replaced in tests. */
  readonly launch?: LaunchChild;
}

/** Decodes and encodes pictures in a child process, which is killed if one takes too long. */
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

  /** A clean PNG of an uploaded picture, scaled down if it is larger than useful. */
  async clean(bytes: Uint8Array, work: StackWork): Promise<PictureResult> {
    return unlessPreview(await this.#do({ type: 'clean', bytes }, work));
  }

  /** A clean PNG of a picture that must have this size. */
  async verify(bytes: Uint8Array, size: PictureSize, work: StackWork): Promise<PictureResult> {
    return unlessPreview(await this.#do({ type: 'verify', bytes, size }, work));
  }

  /** A copy to look at, within the bounds of a preview, or with a longer side of this many pixels. */
  async preview(
    bytes: Uint8Array,
    work: StackWork & { readonly longerSide?: number },
  ): Promise<PicturePreview> {
    const { longerSide, ...rest } = work;
    const result = await this.#do({ type: 'preview', bytes, ...(longerSide && { longerSide }) }, rest);
    if (result.type === 'preview') return result;
    throw new Fault('model-not-ready', 'No preview of the image could be made; retry.');
  }

  async close(signal: AbortSignal): Promise<void> {
    await this.#child.stop(signal);
  }

  async #do(job: PictureJob, work: StackWork): Promise<PictureResult | PicturePreview> {
    for (let attempt = 1; ; attempt++) {
      try {
        return parseResult(await this.#child.ask(job, { ...work, deadlineMs: this.#deadlineMs }));
      } catch (error) {
        work.signal.throwIfAborted();
        if (!(error instanceof ChildLost) || !error.started) throw cannotRead(error);
        // The process may have died of a concurrent picture; if it happens twice, this one is to blame.
        if (attempt === ATTEMPTS) return { type: 'refused', why: 'broken' };
      }
    }
  }
}

export function launchPictureChild(): LaunchChild {
  return forkedChild({
    entry: compiledEntry(import.meta.url, './picture-child.js'),
    // One thread per concurrent picture.
    env: { UV_THREADPOOL_SIZE: String(AT_A_TIME), MALLOC_ARENA_MAX: '2' },
  });
}

const RESULTS: readonly unknown[] = ['clean', 'refused', 'preview'];

function parseResult(answer: unknown): PictureResult | PicturePreview {
  if (typeof answer !== 'object' || answer === null || !('type' in answer)) throw new TypeError('no result');
  if (!RESULTS.includes(answer.type)) throw new TypeError('an unknown result');
  return answer as PictureResult | PicturePreview;
}

function unlessPreview(result: PictureResult | PicturePreview): PictureResult {
  if (result.type === 'preview') throw new TypeError('the child answered another job');
  return result;
}

function cannotRead(cause: unknown): Fault {
  return new Fault('model-not-ready', 'Pictures cannot be read at the moment; retry.', { cause });
}
