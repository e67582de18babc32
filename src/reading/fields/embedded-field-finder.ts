import { compiledEntry } from '../../lib/compiled-entry.ts';
import { forkedChild } from '../../supervision/forked-child.ts';
import type { Lifecycle } from '../../supervision/lifecycle.ts';
import type { StackWork } from '../../supervision/stack-work.ts';
import { Supervised } from '../../supervision/supervised.ts';
import type { ChildEvent } from '../../supervision/supervised-options.ts';
import type { FieldFinder, FieldQuestion, FoundOnPage, WordPlace } from './field-finder.ts';
import { findAnswerSchema } from './finder-messages.ts';
import { shippedFinderFolder } from './finder-weights.ts';

export interface EmbeddedFieldFinderOptions {
  /** Folder of the weights; absent: those shipped with the gateway. */
  readonly weightsFolder?: string;
  readonly observe?: (event: ChildEvent) => void;
}

/** A page takes 0.1 to 0.5 seconds of one core, the densest 4; the machine may be busy. */
const PAGE_MS = 90_000;
/** Waiting pages, per stack and in total. */
const MAX_WAITING_PER_STACK = 512;
const MAX_WAITING = 4 * MAX_WAITING_PER_STACK;
const IDLE_MS = 5 * 60_000;
const CHILD_HEAP_MB = 128;
/** A child holds up to 250 MB. */
const recycle = { afterRequests: 5_000, overMemoryBytes: 400 * 2 ** 20, freshStarts: 'after' } as const;
const patience = { startTimeoutMs: 60_000, cancelGraceMs: 5_000, stopGraceMs: 2_000 };

/** The network that finds fields, in a child process that sleeps when idle. */
export class EmbeddedFieldFinder implements FieldFinder {
  readonly #child: Supervised;

  constructor({ weightsFolder = shippedFinderFolder(), observe }: EmbeddedFieldFinderOptions = {}) {
    this.#child = new Supervised({
      name: 'field finder',
      launch: forkedChild({
        entry: compiledEntry(import.meta.url, './finder-child.js'),
        // Large blocks are given back at once, not kept by the allocator.
        env: { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '4194304' },
        args: [weightsFolder],
        nodeOptions: [`--max-old-space-size=${CHILD_HEAP_MB}`, '--max-semi-space-size=2'],
      }),
      priority: 'heavy',
      patience,
      concurrency: 1,
      maxWaiting: MAX_WAITING,
      maxWaitingPerStack: MAX_WAITING_PER_STACK,
      streamWindow: 0,
      idleMs: IDLE_MS,
      recycle,
      ...(observe && { observe }),
    });
  }

  get lifecycle(): Lifecycle {
    return this.#child;
  }

  async find(words: readonly WordPlace[], question: FieldQuestion, work: StackWork): Promise<FoundOnPage> {
    return findAnswerSchema.parse(
      await this.#child.ask({ words, question }, { ...work, deadlineMs: PAGE_MS }),
    );
  }

  /** Stops the process; aborting the signal kills it. */
  async stop(signal: AbortSignal): Promise<void> {
    await this.#child.stop(signal);
  }
}
