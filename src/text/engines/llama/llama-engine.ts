import { randomBytes, randomInt } from 'node:crypto';
import type { LlamaConfig } from '../../../config/config.ts';
import { servedModel } from '../../../config/model-path.ts';
import { Fault } from '../../../faults/fault.ts';
import { type Clock, systemClock } from '../../../lib/clock.ts';
import type { Lifecycle } from '../../../supervision/lifecycle.ts';
import type { Log } from '../../../telemetry/log.ts';
import type { CandidateRanker, RankedCandidate, RankOrder } from '../../candidate-ranker.ts';
import { type CheckOutput, hasSchemas, OutputGathering } from '../../complete-outputs.ts';
import { asData, type Conversation } from '../../conversation.ts';
import type { AnswerOptions, TextEngine } from '../../text-engine.ts';
import type { TextEvent } from '../../text-event.ts';
import { buildOutputGrammar, type CompileGrammar } from './build-output-grammar.ts';
import { rankedCandidates, textEvents } from './child-events.ts';
import { llamaFault, promptTooLong } from './llama-faults.ts';
import { type LlamaLimits, llamaLimits } from './llama-limits.ts';
import { LlamaProcess } from './llama-process.ts';
import type { LlamaRequest } from './llama-protocol.ts';
import type { ModelFile } from './model-file.ts';
import { Places } from './places.ts';

/** What an engine is made of. */
export interface LlamaEngineOptions {
  readonly config: LlamaConfig;
  readonly file: ModelFile;
  readonly compileGrammar: CompileGrammar;
  /** A folder that nobody else uses. */
  readonly folder: string;
  readonly log: Log;
  readonly clock?: Clock;
  readonly limits?: Partial<LlamaLimits>;
  /** Hears of what had to satisfy a schema, once it is complete. */
  readonly checkOutput?: CheckOutput;
}

const CALL_ID_BYTES = 12;
/** No grammar allows more calls in one answer. */
const CALL_IDS = 8;
const SEEDS = 2 ** 32;

/** Answers by llama.cpp in a process of its own, from a model file on this machine. */
export class LlamaEngine implements TextEngine {
  readonly hasVision = false;
  readonly ranker: CandidateRanker = { rank: (order, signal) => this.#rank(order, signal) };
  readonly #options: LlamaEngineOptions;
  readonly #limits: LlamaLimits;
  readonly #process: LlamaProcess;
  readonly #places: Places;

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
    this.#places = new Places({ places: config.sequences, maxWaiting: this.#limits.maxWaiting });
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

  get lifecycle(): Lifecycle {
    return this.#process;
  }

  /** Answers that wait for their turn. */
  get waiting(): number {
    return this.#places.waiting;
  }

  async *answer(conversation: Conversation, { signal }: AnswerOptions): AsyncGenerator<readonly TextEvent[]> {
    using ended = endedWith(signal);
    try {
      const grammar = await buildOutputGrammar(conversation, this.#options.compileGrammar, ended.signal);
      const promptTokens = await this.#countFitting(conversation, ended.signal);
      const turn = this.#places.take(ended.signal);
      turn.catch(() => undefined);
      yield [{ type: 'start', promptTokens }];
      const seed = seedOf(conversation);
      const callIds = Array.from({ length: CALL_IDS }, newCallId);
      const gathering = hasSchemas(conversation) ? gatheringOf(conversation) : undefined;
      for await (const batch of this.#inPlace(
        turn,
        { type: 'write', conversation: asData(conversation), grammar, seed, callIds },
        ended.signal,
      )) {
        const events = textEvents(batch);
        gathering?.add(events);
        // Before the last events are given, for a reader may close this with them.
        if (events.at(-1)?.type === 'finish') this.#check(gathering);
        if (events.length > 0) yield events;
      }
    } catch (error) {
      signal.throwIfAborted();
      throw llamaFault(error);
    }
  }

  async countTokens(conversation: Conversation, signal: AbortSignal): Promise<number> {
    signal.throwIfAborted();
    try {
      return await this.#process.count(conversation, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw llamaFault(error);
    }
  }

  /** Makes the model ready in the background; what goes wrong is told by `lifecycle`. */
  start(): void {
    this.#process.start();
  }

  /** Lets nothing more begin, and ends the process. */
  async close(): Promise<void> {
    await this.#process.close();
  }

  #check(gathering: OutputGathering | undefined): void {
    for (const output of gathering?.outputs() ?? []) this.#options.checkOutput?.(output);
  }

  async #countFitting(conversation: Conversation, signal: AbortSignal): Promise<number> {
    const tokens = await this.#process.count(conversation, signal);
    const most = this.contextWindow - 2;
    if (tokens > most) throw promptTooLong(tokens, most);
    return tokens;
  }

  async *#inPlace(
    turn: Promise<{ giveBack(): void }>,
    request: LlamaRequest,
    signal: AbortSignal,
  ): AsyncGenerator<readonly unknown[]> {
    const place = await turn;
    // The reader may be gone without closing this: the place is free with the abort.
    const leave = () => place.giveBack();
    signal.addEventListener('abort', leave, { once: true });
    try {
      yield* this.#process.stream(request, signal);
    } finally {
      signal.removeEventListener('abort', leave);
      place.giveBack();
    }
  }

  async #rank(order: RankOrder, signal: AbortSignal): Promise<readonly RankedCandidate[]> {
    signal.throwIfAborted();
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
      for await (const batch of this.#inPlace(
        this.#places.take(signal),
        { type: 'rank', ...order },
        signal,
      )) {
        ranked.push(...rankedCandidates(batch));
      }
      return ranked;
    } catch (error) {
      signal.throwIfAborted();
      throw llamaFault(error);
    }
  }
}

/** A signal that also aborts at the end of its scope, so that a place in the line is given up when the reader leaves. */
function endedWith(signal: AbortSignal): Disposable & { readonly signal: AbortSignal } {
  signal.throwIfAborted();
  const end = new AbortController();
  return {
    signal: AbortSignal.any([signal, end.signal]),
    [Symbol.dispose]: () => end.abort(new Error('the reader left')),
  };
}

function gatheringOf({ output, tools }: Conversation): OutputGathering {
  const toolSchema = (name: string) => tools.find((tool) => tool.name === name)?.parameters;
  return new OutputGathering({ output, toolSchema });
}

/** Seeds of any size become one of those that llama.cpp knows. */
function seedOf({ sampling }: Conversation): number {
  if (sampling.seed === undefined) return randomInt(SEEDS);
  return ((sampling.seed % SEEDS) + SEEDS) % SEEDS;
}

function newCallId(): string {
  return `call_${randomBytes(CALL_ID_BYTES).toString('hex')}`;
}
