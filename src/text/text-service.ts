import type { Caller } from '../access/caller.ts';
import type { MeteredWork } from '../access/meter.ts';
import { Fault } from '../faults/fault.ts';
import { answerInOrder } from './answer-in-order.ts';
import type { Conversation } from './conversation.ts';
import { excerptFits } from './excerpt-share.ts';
import { MeteredAnswer } from './metered-answer.ts';
import type { Prompt, PromptBuilder, PromptSettings } from './prompt-builder.ts';
import { estimatedTokens, tokenBound } from './prompt-size.ts';
import type { StackWaker } from './stack-waker.ts';
import type { TextEngine } from './text-engine.ts';
import type { TextEvent } from './text-event.ts';

export interface TextServiceParts {
  /** The engines that this installation can run, by their names in the configuration. */
  readonly engines: ReadonlyMap<string, TextEngine>;
  readonly builder: PromptBuilder;
  readonly waker: StackWaker;
}

export interface TextAsk extends MeteredWork {
  readonly conversation: Conversation;
  readonly countFirst: boolean;
  /** Whether the answer is wanted only when it is complete. */
  readonly inOnePiece?: boolean;
  /** False: no excerpts of the knowledge base, whatever the key says. */
  readonly retrieval?: boolean;
}

/** An answer that has begun. */
export interface TextAnswer {
  readonly batches: AsyncIterable<readonly TextEvent[]>;
  /** The documents of the knowledge base that the prompt quotes. */
  readonly sources: readonly string[];
}

/** What an answer needs that can begin at once. */
export interface PreparedNow {
  readonly engine: TextEngine;
  /** The very prompt that the engine is sent. */
  readonly conversation: Conversation;
  /** As clients name it. */
  readonly model: string;
}

/** How long a prompt is, and how long it may be beside the answer that is reserved. */
export interface PromptMeasure {
  readonly tokens: number;
  readonly room: number;
}

/** An engine and the very prompt that it is sent. */
interface Prepared extends Prompt {
  readonly engine: TextEngine;
}

/** Chat and messages: completes the prompt, refuses what cannot fit, and asks the stack's engine or, if it fails in time, the next one. */
export class TextService {
  readonly #parts: TextServiceParts;

  constructor(parts: TextServiceParts) {
    this.#parts = parts;
  }

  /** Resolves once the request is accepted: every refusal is thrown before the engine is asked. */
  async answer(caller: Caller, ask: TextAsk): Promise<TextAnswer> {
    const [served, ...spares] = await this.#readyEngines(caller, ask.signal);
    const accepted = await this.#admit(served, caller, ask);
    const { sources } = accepted;
    if (spares.length === 0) return { batches: askEngine(accepted, caller, ask), sources };
    const askSpares = spares.map(
      (engine) => async () => askEngine(await this.#admit(engine, caller, ask), caller, ask),
    );
    const batches = answerInOrder([async () => askEngine(accepted, caller, ask), ...askSpares], ask.signal);
    return { batches, sources };
  }

  /**
   * The same at once and with nothing said back: `undefined` where something must be waited for, looked up or refused, or
   * where another engine stands by. Nothing is reserved and nobody is asked until the answer begins.
   */
  prepareNow(caller: Caller, conversation: Conversation): PreparedNow | undefined {
    const { engines, waker, builder } = this.#parts;
    const [name = '', ...spares] = caller.stack.textEngines;
    const engine = engines.get(name);
    if (engine?.push === undefined || spares.length > 0 || caller.key.retrieval) return undefined;
    const { lifecycle } = engine;
    if (lifecycle.state !== 'ready' || !waker.isAwake(caller.stack, lifecycle)) return undefined;
    const built = builder.buildNow(conversation, promptSettings(engine, caller, undefined));
    if (built === undefined || !fitsByBytes(engine, caller, built)) return undefined;
    return { engine, conversation: built, model: caller.stack.models[0] ?? engine.model };
  }

  /** The stack's engine, woken where it was paused and ready to be asked. */
  async readyEngine(caller: Caller, signal: AbortSignal): Promise<TextEngine> {
    const [engine] = await this.#readyEngines(caller, signal);
    return engine;
  }

  /** Refuses a conversation as `answer` would, reserves its tokens, and asks nothing. */
  async check(caller: Caller, ask: Omit<TextAsk, 'countFirst'>): Promise<void> {
    const [engine] = await this.#readyEngines(caller, ask.signal);
    await this.#admit(engine, caller, ask);
  }

  /** The tokens that the same conversation would cost to read. */
  async count(caller: Caller, conversation: Conversation, signal: AbortSignal): Promise<number> {
    const [engine] = await this.#readyEngines(caller, signal);
    const prepared = await this.#prepare(engine, caller, { conversation, signal });
    return prepared.engine.countTokens(prepared.conversation, signal, caller.stack.id);
  }

  /** How much of the window a conversation takes; nothing is reserved. `undefined` where it fits without counting, or any length does. */
  async measure(
    caller: Caller,
    conversation: Conversation,
    signal: AbortSignal,
  ): Promise<PromptMeasure | undefined> {
    const [engine] = await this.#readyEngines(caller, signal);
    const prepared = await this.#prepare(engine, caller, { conversation, signal, retrieval: false });
    return await measured(prepared, caller, signal);
  }

  /** Completes the prompt, checks that it fits, and takes its tokens out of the budget. */
  async #admit(engine: TextEngine, caller: Caller, ask: Omit<TextAsk, 'countFirst'>): Promise<Prepared> {
    const prepared = await this.#prepare(engine, caller, ask);
    await requireFit(prepared, caller, ask.signal);
    const { conversation } = prepared;
    const [served = engine.model] = caller.stack.models;
    const isServed = this.#parts.engines.get(caller.stack.textEngines[0] ?? '') === engine;
    ask.meter.servedBy(isServed ? served : engine.model);
    const expected = expectedTokens(caller, conversation);
    if (expected !== undefined) await ask.meter.reserveTokens(expected);
    return prepared;
  }

  async #prepare(
    engine: TextEngine,
    caller: Caller,
    { conversation, signal, retrieval = true }: Pick<TextAsk, 'conversation' | 'signal' | 'retrieval'>,
  ): Promise<Prepared> {
    const window = windowOf(engine, caller);
    const settings = promptSettings(
      engine,
      caller,
      retrieval && caller.key.retrieval
        ? {
            stackId: caller.stack.id,
            fits: excerptFits({ engine, window, conversation, signal, stackId: caller.stack.id }),
          }
        : undefined,
    );
    return { engine, ...(await this.#parts.builder.build(conversation, settings, signal)) };
  }

  /** The stack's engines that can be asked now, the served one first. A paused stack is woken. */
  async #readyEngines(caller: Caller, signal: AbortSignal): Promise<readonly [TextEngine, ...TextEngine[]]> {
    const configured = caller.stack.textEngines.flatMap((name) => this.#parts.engines.get(name) ?? []);
    await this.#parts.waker.wake(caller.stack, configured[0]?.lifecycle, signal);
    const [first, ...others] = configured.filter((engine) => engine.lifecycle.state === 'ready');
    if (first !== undefined) return [first, ...others];
    throw new Fault('model-not-ready', notReadyMessage(configured[0]));
  }
}

function askEngine(
  { engine, conversation }: Prepared,
  { stack }: Caller,
  { signal, countFirst, inOnePiece, meter }: TextAsk,
): AsyncIterable<readonly TextEvent[]> {
  const answer = engine.answer(conversation, { signal, stackId: stack.id, countFirst, inOnePiece });
  return new MeteredAnswer(answer, {
    conversation,
    meter,
    signal,
    pace: inOnePiece ? engine.pace : undefined,
  });
}

function notReadyMessage(engine: TextEngine | undefined): string {
  if (engine === undefined) return 'The model of this stack is not part of this installation.';
  const { wait, state } = engine.lifecycle;
  return wait ?? `The model is not ready: its engine is ${state}.`;
}

/** What a call may cost at most; `undefined` without a budget, for then nobody wants to know. */
export function expectedTokens(caller: Caller, conversation: Conversation): number | undefined {
  if (caller.plan.limits.tokensPerDay === null) return undefined;
  return estimatedTokens(conversation) + conversation.sampling.maxTokens;
}

function promptSettings(
  engine: TextEngine,
  { stack }: Caller,
  retrieval: PromptSettings['retrieval'],
): PromptSettings {
  return {
    stackId: stack.id,
    systemPrompt: stack.systemPrompt,
    temperature: stack.temperature ?? engine.defaultTemperature,
    retrieval,
    hasVision: engine.hasVision,
  };
}

/** Whether bytes leave no doubt that prompt and answer fit into the window. */
function fitsByBytes(engine: TextEngine, caller: Caller, conversation: Conversation): boolean {
  const window = windowOf(engine, caller);
  if (window === undefined) return true;
  const bound = engine.tokenBound === undefined ? tokenBound(conversation) : engine.tokenBound(conversation);
  return bound !== undefined && bound <= window - conversation.sampling.maxTokens;
}

async function requireFit(prepared: Prepared, caller: Caller, signal: AbortSignal): Promise<void> {
  const measure = await measured(prepared, caller, signal);
  if (measure === undefined || measure.tokens <= measure.room) return;
  throw new Fault(
    'context-length-exceeded',
    // The wording that agents recognise, and answer by compacting the conversation.
    `prompt is too long: ${measure.tokens} tokens > ${measure.room} maximum`,
    { param: 'messages' },
  );
}

/** Counts only where bytes leave a doubt. */
async function measured(
  { engine, conversation }: Prepared,
  caller: Caller,
  signal: AbortSignal,
): Promise<PromptMeasure | undefined> {
  const window = windowOf(engine, caller);
  if (window === undefined || fitsByBytes(engine, caller, conversation)) return undefined;
  const tokens = await engine.countTokens(conversation, signal, caller.stack.id);
  return { tokens, room: Math.max(0, window - conversation.sampling.maxTokens) };
}

/** The engine's window or the plan's, whichever is smaller. */
function windowOf(engine: TextEngine, caller: Caller): number | undefined {
  const planWindow = caller.plan.limits.contextWindow ?? undefined;
  if (engine.contextWindow === undefined || planWindow === undefined)
    return engine.contextWindow ?? planWindow;
  return Math.min(engine.contextWindow, planWindow);
}
