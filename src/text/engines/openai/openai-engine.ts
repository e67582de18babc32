import type { OpenAiConfig } from '../../../config/config.ts';
import { type Clock, type Timer, turnClock } from '../../../lib/clock.ts';
import type { Lifecycle } from '../../../supervision/lifecycle.ts';
import type { Log } from '../../../telemetry/log.ts';
import { AnswerPace } from '../../answer-pace.ts';
import { type CheckOutput, hasSchemas } from '../../complete-outputs.ts';
import type { Conversation } from '../../conversation.ts';
import { newCallId } from '../../new-call-id.ts';
import type { AskedConversation, Passthrough } from '../../passthrough.ts';
import type { AnswerSink, AskOptions, CountOptions, TextEngine } from '../../text-engine.ts';
import { AskedBody, type SaltsTaken } from './asked-body.ts';
import { CallIds } from './call-ids.ts';
import { ChatAnswer } from './chat-answer.ts';
import { ChatCall, type ChatListener } from './chat-call.ts';
import { CheckedSink } from './checked-sink.ts';
import { ModelServer } from './model-server.ts';
import { ModelServers } from './model-servers.ts';
import { type OpenAiLimits, openAiLimits } from './openai-limits.ts';
import { RunningUsage } from './running-usage.ts';
import type { SchemaForm } from './schema-forms.ts';
import { TokenCounter } from './token-counter.ts';
import { WrittenBodies } from './written-bodies.ts';

/** Options of an engine; all but the first two have defaults. */
export interface OpenAiEngineOptions {
  readonly config: OpenAiConfig;
  readonly log: Log;
  readonly clock?: Clock;
  readonly limits?: Partial<OpenAiLimits>;
  readonly random?: () => number;
  /** Makes ids for tool calls that have none, or one that is already used. */
  readonly newCallId?: () => string;
  /** Receives outputs that should satisfy a schema; without it none are collected. */
  readonly checkOutput?: CheckOutput;
  /** Called for each probe that finds out how a server accepts schemas. */
  readonly onProbe?: () => void;
}

const MS_PER_SECOND = 1_000;

/** Answers with an OpenAI-compatible server, or several that serve the same model. */
export class OpenAiEngine implements TextEngine {
  readonly model: string;
  readonly hasVision: boolean;
  readonly defaultTemperature = 0.7;
  readonly takesPassthrough = true;
  readonly pace = new AnswerPace();
  readonly #config: OpenAiConfig;
  readonly #clock: Clock;
  readonly #limits: OpenAiLimits;
  readonly #newCallId: () => string;
  readonly #servers: ModelServers;
  readonly #counter: TokenCounter;
  readonly #runningUsage = new RunningUsage();
  readonly #checkOutput: CheckOutput | undefined;
  readonly #salts: SaltsTaken = { areRefused: false };
  readonly #bodies: WrittenBodies;
  #timer: Timer | undefined;

  constructor({ config, log, clock = turnClock, ...options }: OpenAiEngineOptions) {
    this.#config = config;
    this.#clock = clock;
    this.#limits = { ...openAiLimits, ...options.limits };
    this.#newCallId = options.newCallId ?? newCallId;
    this.#checkOutput = options.checkOutput;
    const { apiKey, certificates, model, tokenize, vision: hasVision } = config;
    this.model = model;
    this.hasVision = hasVision;
    this.#bodies = new WrittenBodies({ model, hasVision, defaultTemperature: this.defaultTemperature });
    const limits = this.#limits;
    const { onProbe = () => undefined } = options;
    const countsAtOnce = limits.countsPerServer * config.baseUrls.length;
    const common = { model, apiKey, clock, limits, countsAtOnce, certificates, log, onProbe };
    const servers = config.baseUrls.map((baseUrl) => new ModelServer({ baseUrl, ...common }));
    const wantsContextWindow = config.contextWindow === undefined;
    const random = options.random ?? Math.random;
    this.#servers = new ModelServers({ servers, model, wantsContextWindow, limits, clock, log, random });
    this.#counter = new TokenCounter({
      servers: this.#servers,
      tokenize,
      limits,
      countsAtOnce,
      probeTimeoutMs: this.#timeoutMs,
      mayTakeSalts: () => this.#mayTakeSalts,
      clock,
    });
    this.#sweep();
  }

  get contextWindow(): number | undefined {
    return this.#config.contextWindow ?? this.#servers.contextWindow;
  }

  get lifecycle(): Lifecycle {
    return this.#servers;
  }

  ask(conversation: Conversation, options: AskOptions, sink: AnswerSink): ChatAnswer {
    const { passthrough, countFirst, inOnePiece = false, mostPieceBytes, meter, stackId, span } = options;
    const form = this.#widestForm(conversation);
    const prompt = { conversation, passthrough };
    const body = this.#bodies.of(prompt, form);
    // A server with vLLM's tokenizer can send usage while it streams.
    const mayAsk = this.#counter.isLikeVllm && !this.#runningUsage.isRefused;
    const runningUsage = countFirst && !inOnePiece && mayAsk ? this.#runningUsage : undefined;
    const salts = this.#mayTakeSalts && conversation.cacheScope !== undefined ? this.#salts : undefined;
    const callIds = new CallIds(conversation, this.#newCallId);
    const asked = new AskedBody({
      output: conversation.output,
      write: (other) => (other === form ? body : this.#bodies.of(prompt, other)),
      inOnePiece,
      runningUsage,
      salts,
    });
    const parts = {
      openCall: (listener: ChatListener) =>
        new ChatCall({
          servers: this.#servers,
          body: asked,
          stackId,
          timeoutMs: this.#timeoutMs,
          nowMs: () => this.#clock.nowMs(),
          lingerMs: this.#limits.lingerMs,
          listener,
          span,
        }),
      runningUsage,
      countPrompt: countFirst
        ? (signal: AbortSignal) => this.#counter.count(body, signal, { meter, stackId, span })
        : undefined,
      stop: conversation.sampling.stop,
      takeCallId: (given: string | undefined) => callIds.take(given),
      bufferedCharacters: this.#limits.bufferedCharacters,
      mostPieceBytes,
    };
    return new ChatAnswer(parts, this.#checked(sink, prompt, asked));
  }

  async countTokens(
    conversation: Conversation,
    signal: AbortSignal,
    options: CountOptions = {},
  ): Promise<number> {
    const { passthrough } = options;
    const body = this.#bodies.of({ conversation, passthrough }, this.#widestForm(conversation));
    return await this.#counter.count(body, signal, options);
  }

  tokenBound(conversation: Conversation, passthrough?: Passthrough): number | undefined {
    return this.#bodies.of({ conversation, passthrough }, this.#widestForm(conversation)).tokenBound();
  }

  /** Aborts all work and closes every connection. */
  async close(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#counter.close();
    await this.#servers.close();
  }

  /** Without a schema all forms are the same. */
  #widestForm({ output }: Conversation): SchemaForm {
    return output.type === 'schema' ? this.#servers.widestForm : 'json_schema';
  }

  /** Most requests have neither a schema nor tools and skip this. */
  #checked(sink: AnswerSink, prompt: AskedConversation, asked: AskedBody): AnswerSink {
    const check = this.#checkOutput;
    if (check === undefined || !hasSchemas(prompt)) return sink;
    return new CheckedSink({ sink, conversation: prompt.conversation, asked, check });
  }

  /** Whether the servers are vLLM, by configuration, model list or tokenizer, and have not refused a salt. */
  get #mayTakeSalts(): boolean {
    if (this.#salts.areRefused) return false;
    return this.#config.tokenize === 'vllm' || this.#servers.areVllm || this.#counter.isLikeVllm;
  }

  get #timeoutMs(): number {
    return this.#config.timeoutSeconds * MS_PER_SECOND;
  }

  /** One timer for all time-outs and checks: one per request would cost more than the request. */
  #sweep(): void {
    this.#timer = this.#clock.after(this.#limits.sweepMs, () => this.#sweep());
    this.#servers.sweep();
  }
}
