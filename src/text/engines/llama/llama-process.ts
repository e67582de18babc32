import { mkdir, rm } from 'node:fs/promises';
import type { LlamaConfig } from '../../../config/config.ts';
import type { Clock } from '../../../lib/clock.ts';
import { compiledEntry } from '../../../lib/compiled-entry.ts';
import { orAborted } from '../../../lib/or-aborted.ts';
import type { BackoffPolicy } from '../../../supervision/backoff.ts';
import { FairQueue } from '../../../supervision/fair-queue.ts';
import { forkedChild } from '../../../supervision/forked-child.ts';
import type { EngineState, Lifecycle } from '../../../supervision/lifecycle.ts';
import type { StackWork } from '../../../supervision/stack-work.ts';
import { Supervised } from '../../../supervision/supervised.ts';
import type { ChildEvent } from '../../../supervision/supervised-options.ts';
import type { Log } from '../../../telemetry/log.ts';
import { asData, type Conversation } from '../../conversation.ts';
import { tokenBound } from '../../prompt-size.ts';
import { adapterOf } from './built-in-adapter.ts';
import type { LlamaLimits } from './llama-limits.ts';
import type { LlamaRequest, LlamaSetup } from './llama-protocol.ts';
import type { ModelFile } from './model-file.ts';

export interface LlamaProcessOptions {
  readonly config: LlamaConfig;
  readonly file: ModelFile;
  readonly contextWindow: number;
  readonly folder: string;
  readonly log: Log;
  readonly clock: Clock;
  readonly limits: LlamaLimits;
  readonly backoff?: BackoffPolicy;
}

const MS_PER_MINUTE = 60_000;
const PRIVATE_FOLDER_MODE = 0o700;
const LONG_COUNTS_AT_ONCE = 2;
const RECYCLE_COUNTER_BYTES = 600_000_000;

/** The child process that runs the model: waits for its file, then keeps the process alive. */
export class LlamaProcess implements Lifecycle {
  readonly #options: LlamaProcessOptions;
  readonly #closing = new AbortController();
  #opening: Promise<Supervised> | undefined;
  #modelPath = '';
  #child: Supervised | undefined;
  /** Started by the first long prompt. */
  #longCounter: Supervised | undefined;
  readonly #longCountQueue: FairQueue;

  constructor(options: LlamaProcessOptions) {
    this.#options = options;
    const { maxWaitingCounts: maxWaiting, maxWaitingCountsPerStack: maxWaitingPerStack } = options.limits;
    const bounds = { maxWaiting, maxWaitingPerStack };
    this.#longCountQueue = new FairQueue({ capacity: LONG_COUNTS_AT_ONCE, runningAlone: 1, ...bounds });
  }

  get state(): EngineState {
    if (this.#child !== undefined) return this.#child.state;
    return this.#options.file.hasFailed ? 'degraded' : 'starting';
  }

  /** Why it is not ready, for callers; `undefined` if the state says enough. */
  get wait(): string | undefined {
    return this.#options.file.wait;
  }

  async ready(signal: AbortSignal): Promise<void> {
    const child = await this.#open(signal);
    await child.ready(signal);
  }

  /** Loads the model in the background. */
  start(): void {
    this.ready(this.#closing.signal).catch((error: unknown) => {
      if (!this.#closing.signal.aborted) this.#options.log.warn({ error }, 'the embedded model is not ready');
    });
  }

  /** Counts a prompt. A long one takes seconds, so a separate process counts it, one per stack at a time. */
  async count(conversation: Conversation, work: StackWork): Promise<number> {
    const child = await this.#open(work.signal);
    const request: LlamaRequest = { type: 'count', conversation: asData(conversation) };
    const { silenceMs: deadlineMs, longPromptTokens } = this.#options.limits;
    const isLong = (tokenBound(conversation) ?? Number.POSITIVE_INFINITY) > longPromptTokens;
    if (!isLong) return Number(await child.ask(request, { ...work, deadlineMs }));
    using _permit = await this.#longCountQueue.take(work.stackId, work.signal, work.span);
    return Number(await this.#counterOr(child).ask(request, { ...work, deadlineMs }));
  }

  /** Starts no process once the engine is closing: the model's own is stopped then and refuses. */
  #counterOr(child: Supervised): Supervised {
    if (this.#closing.signal.aborted) return child;
    this.#longCounter ??= this.#superviseLongCounter();
    return this.#longCounter;
  }

  async *stream(
    request: LlamaRequest,
    { stackId, signal, span }: StackWork,
  ): AsyncGenerator<readonly unknown[]> {
    const child = await this.#open(signal);
    yield* child.stream(request, { signal, stackId, span, deadlineMs: this.#options.limits.silenceMs });
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('the engine is being closed'));
    await this.#opening?.catch(() => undefined);
    const children = [this.#child, this.#longCounter];
    await Promise.all(
      children.map((child) => child?.stop(AbortSignal.timeout(this.#options.limits.stopGraceMs))),
    );
    await rm(this.#options.folder, { recursive: true, force: true });
  }

  /** All callers share one wait for the file; after a failure the next caller tries again. */
  async #open(signal: AbortSignal): Promise<Supervised> {
    if (this.#child !== undefined) return this.#child;
    this.#opening ??= this.#supervise().finally(() => {
      this.#opening = undefined;
    });
    return await orAborted(this.#opening, signal);
  }

  async #supervise(): Promise<Supervised> {
    const { file, folder, limits, config } = this.#options;
    this.#modelPath = await file.path(this.#closing.signal);
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER_MODE });
    this.#child = new Supervised({
      ...this.#supervision({ countsOnly: false }),
      concurrency: answersAtOnce(config) + limits.countsAtOnce,
      maxWaiting: config.sequences + limits.maxWaitingCounts,
      maxWaitingPerStack: config.sequences + limits.maxWaitingCountsPerStack,
      ...(config.idlePauseMinutes > 0 && { idleMs: config.idlePauseMinutes * MS_PER_MINUTE }),
    });
    return this.#child;
  }

  #superviseLongCounter(): Supervised {
    return new Supervised({
      ...this.#supervision({ countsOnly: true }),
      concurrency: LONG_COUNTS_AT_ONCE,
      maxWaiting: LONG_COUNTS_AT_ONCE,
      recycle: { overMemoryBytes: RECYCLE_COUNTER_BYTES, freshStarts: 'after' },
      idleMs: this.#options.limits.longCountsIdleMs,
    });
  }

  #supervision({ countsOnly }: Pick<LlamaSetup, 'countsOnly'>) {
    const { limits, config, clock, backoff } = this.#options;
    const { startTimeoutMs, cancelGraceMs, stopGraceMs, streamWindow } = limits;
    return {
      name: `llama ${config.model}`,
      launch: forkedChild({
        entry: compiledEntry(import.meta.url, './child/llama-child.js'),
        args: [JSON.stringify(this.#setup(countsOnly))],
        env: {},
      }),
      priority: 'heavy',
      patience: { startTimeoutMs, cancelGraceMs, stopGraceMs },
      streamWindow,
      ...(backoff && { backoff }),
      observe: (event: ChildEvent) => this.#observe(event),
      clock,
    } as const;
  }

  #setup(countsOnly: boolean): LlamaSetup {
    const { config, folder, file, limits, contextWindow } = this.#options;
    const { sampling, rambleTokens } = file;
    return {
      modelPath: this.#modelPath,
      adapter: adapterOf(config),
      countsOnly,
      threads: config.threads,
      sequences: answersAtOnce(config),
      contextWindow,
      contextIdleMs: limits.contextIdleMs,
      folder,
      sampling,
      rambleTokens,
    };
  }

  /** Keeps the child's output out of the log: llama.cpp quotes grammars, which contain callers' data. */
  #observe(event: ChildEvent): void {
    if (event.type !== 'child-end' || event.loss.reason === 'stopped') return;
    const { reason, exit } = event.loss;
    this.#options.log.warn(
      { model: this.#options.config.model, reason, exit: exit.message },
      "the embedded model's process ended",
    );
  }
}

/** One more than a single stack may use, so that a second stack is answered at once. */
export function answersAtOnce({ sequences }: LlamaConfig): number {
  return sequences + 1;
}
