import { randomInt } from 'node:crypto';
import type { LlamaConfig } from '../../../config/config.ts';
import { servedModel } from '../../../config/model-path.ts';
import { Fault } from '../../../faults/fault.ts';
import { type Clock, systemClock } from '../../../lib/clock.ts';
import { FairQueue, type QueuePermit } from '../../../supervision/fair-queue.ts';
import type { Lifecycle } from '../../../supervision/lifecycle.ts';
import { GATEWAY_STACK } from '../../../supervision/round-robin-queue.ts';
import type { StackWork } from '../../../supervision/stack-work.ts';
import type { Log } from '../../../telemetry/log.ts';
import type { CandidateRanker, RankedCandidate, RankOrder } from '../../candidate-ranker.ts';
import { type CheckOutput, hasSchemas, OutputGathering } from '../../complete-outputs.ts';
import { asData, type Conversation } from '../../conversation.ts';
import { newCallId } from '../../new-call-id.ts';
import { promptTooLong } from '../../prompt-fit.ts';
import { PulledAnswer } from '../../pulled-answer.ts';
import type { AnswerSink, AskOptions, CountOptions, EngineAnswer, TextEngine } from '../../text-engine.ts';
import type { TextEvent } from '../../text-event.ts';
import { buildOutputGrammar, MAX_CALLS } from './build-output-grammar.ts';
import { rankedCandidates, textEvents } from './child-events.ts';
import { llamaFault } from './llama-faults.ts';
import { type LlamaLimits, llamaLimits } from './llama-limits.ts';
import { answersAtOnce, LlamaProcess } from './llama-process.ts';
import { type LlamaRequest, longestPrompt } from './llama-protocol.ts';
import type { ModelFile } from './model-file.ts';

export interface LlamaEngineOptions {
  readonly config: LlamaConfig;
  readonly file: ModelFile;
  /** Compiles a JSON Schema to a grammar; throws SchemaRefused. */
  readonly compileGrammar: (schema: unknown, work: StackWork) => Promise<string>;
  /** A folder of its own. */
  readonly folder: string;
  readonly log: Log;
  readonly clock?: Clock;
  readonly limits?: Partial<LlamaLimits>;
  /** Receives outputs that should satisfy a schema. */
  readonly checkOutput?: CheckOutput;
}

const SEEDS = 2 ** 32;

/** Answers with llama.cpp in a child process, from a local model file. */
export class LlamaEngine implements TextEngine {
  readonly hasVision = false;
  readonly ranker: CandidateRanker = { rank: (order, signal) => this.#rank(order, signal) };
  readonly #options: LlamaEngineOptions;
  readonly #limits: LlamaLimits;
  readonly #process: LlamaProcess;
  readonly #queue: FairQueue;

  constructor(options: LlamaEngineOptions) {
    this.#options = options;
    this.#limits = { ...llamaLimits, ...options.limits };
    const { config, file, folder, log, clock = systemClock } = options;
    this.#process = new LlamaProcess({
      config,
      file,
      folder,
      log,
      clock,
      limits: this.#limits,
      contextWindow: this.contextWindow,
    });
    const { maxWaiting, maxWaitingPerStack } = this.#limits;
    this.#queue = new FairQueue({
      capacity: answersAtOnce(config),
      runningAlone: config.sequences,
      maxWaiting,
      maxWaitingPerStack,
    });
  }

  get model(): string {
    return servedModel(this.#options.config);
  }

  get contextWindow(): number {
    const { config, file } = this.#options;
    return Math.min(config.contextWindow, file.longestContext ?? config.contextWindow);
  }

  get defaultTemperature(): number {
    return this.#options.file.sampling.temperature;
  }

  get documentDrafts(): number | undefined {
    return this.#options.file.documentDrafts;
  }

  get lifecycle(): Lifecycle {
    return this.#process;
  }

  /** Answers that wait in the queue. */
  get waiting(): number {
    return this.#queue.waiting;
  }

  ask(
    conversation: Conversation,
    { stackId = GATEWAY_STACK, span }: AskOptions,
    sink: AnswerSink,
  ): EngineAnswer {
    return new PulledAnswer((signal) => this.#answer(conversation, { stackId, signal, span }), sink);
  }

  async *#answer(
    conversation: Conversation,
    { stackId, signal, span }: StackWork,
  ): AsyncGenerator<readonly TextEvent[]> {
    using ended = endedWith(signal);
    const work = { stackId, signal: ended.signal, span };
    try {
      const compile = (schema: unknown) => this.#options.compileGrammar(schema, work);
      const grammar = await buildOutputGrammar(conversation, compile);
      const promptTokens = await this.#countFitting(conversation, work);
      const waiting = this.#takePermit(work);
      yield [{ type: 'start', promptTokens }];
      const seed = seedOf(conversation);
      const callIds = Array.from({ length: MAX_CALLS }, newCallId);
      const gathering = hasSchemas({ conversation }) ? new OutputGathering(conversation) : undefined;
      for await (const batch of this.#withPermit(
        waiting,
        { type: 'write', conversation: asData(conversation), grammar, seed, callIds },
        work,
      )) {
        const events = textEvents(batch);
        gathering?.add(events);
        // Before the last events, since the reader may close this generator when it gets them.
        const outputs = events.at(-1)?.type === 'finish' ? gathering?.outputs() : undefined;
        for (const output of outputs ?? []) this.#options.checkOutput?.(output);
        if (events.length > 0) yield events;
      }
    } catch (error) {
      signal.throwIfAborted();
      throw llamaFault(error);
    }
  }

  async countTokens(
    conversation: Conversation,
    signal: AbortSignal,
    { stackId = GATEWAY_STACK, span }: CountOptions = {},
  ): Promise<number> {
    signal.throwIfAborted();
    try {
      return await this.#process.count(conversation, { stackId, signal, span });
    } catch (error) {
      signal.throwIfAborted();
      throw llamaFault(error);
    }
  }

  /** Loads the model in the background; `lifecycle` reports failures. */
  start(): void {
    this.#process.start();
  }

  /** Refuses new work and ends the process. */
  async close(): Promise<void> {
    await this.#process.close();
  }

  async #countFitting(conversation: Conversation, work: StackWork): Promise<number> {
    const tokens = await this.#process.count(conversation, work);
    const most = longestPrompt(this.contextWindow);
    if (tokens > most) throw promptTooLong(tokens, most);
    return tokens;
  }

  /** Throws if too many wait. The reader may stop iterating without notice, so an abort releases the permit as well. */
  #takePermit({ stackId, signal, span }: StackWork): Promise<QueuePermit> {
    const waiting = Promise.resolve(this.#queue.take(stackId, signal, span));
    waiting.then(
      (permit) => {
        if (signal.aborted) permit[Symbol.dispose]();
        else signal.addEventListener('abort', () => permit[Symbol.dispose](), { once: true });
      },
      () => undefined,
    );
    return waiting;
  }

  async *#withPermit(
    waiting: Promise<QueuePermit>,
    request: LlamaRequest,
    work: StackWork,
  ): AsyncGenerator<readonly unknown[]> {
    using _permit = await waiting;
    yield* this.#process.stream(request, work);
  }

  async #rank(
    { stackId = GATEWAY_STACK, ...order }: RankOrder,
    signal: AbortSignal,
  ): Promise<readonly RankedCandidate[]> {
    using ended = endedWith(signal);
    const work = { stackId, signal: ended.signal };
    const { maxCandidates, maxCandidateCharacters } = this.#limits;
    const characters = order.candidates.reduce((total, { length }) => total + length, 0);
    if (order.candidates.length > maxCandidates || characters > maxCandidateCharacters) {
      throw new Fault(
        'invalid-request',
        `There are too many candidates: at most ${maxCandidates} are ranked.`,
      );
    }
    try {
      const ranked: RankedCandidate[] = [];
      for await (const batch of this.#withPermit(this.#takePermit(work), { type: 'rank', ...order }, work)) {
        ranked.push(...rankedCandidates(batch));
      }
      return ranked;
    } catch (error) {
      signal.throwIfAborted();
      throw llamaFault(error);
    }
  }
}

/** A signal that also aborts at the end of its scope, so that the queue is left when the reader stops. */
function endedWith(signal: AbortSignal): Disposable & { readonly signal: AbortSignal } {
  signal.throwIfAborted();
  const end = new AbortController();
  return {
    signal: AbortSignal.any([signal, end.signal]),
    [Symbol.dispose]: () => end.abort(new Error('the reader left')),
  };
}

/** Maps seeds of any size to those of llama.cpp. */
function seedOf({ sampling }: Conversation): number {
  if (sampling.seed === undefined) return randomInt(SEEDS);
  return ((sampling.seed % SEEDS) + SEEDS) % SEEDS;
}
