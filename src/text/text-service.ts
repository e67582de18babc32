import type { Caller } from '../access/caller.ts';
import { Fault } from '../faults/fault.ts';
import { answerInOrder } from './answer-in-order.ts';
import type { Conversation } from './conversation.ts';
import type { PromptBuilder } from './prompt-builder.ts';
import { tokenBound } from './prompt-size.ts';
import type { StackWaker } from './stack-waker.ts';
import type { TextEngine } from './text-engine.ts';
import type { TextEvent } from './text-event.ts';

export interface TextServiceParts {
  /** The engines that this installation can run, by their names in the configuration. */
  readonly engines: ReadonlyMap<string, TextEngine>;
  readonly builder: PromptBuilder;
  readonly waker: StackWaker;
}

export interface TextAsk {
  readonly conversation: Conversation;
  readonly countFirst: boolean;
  /** False: no excerpts of the knowledge base, whatever the key says. */
  readonly retrieval?: boolean;
  readonly signal: AbortSignal;
}

/** An engine and the very conversation that it is sent. */
interface Prepared {
  readonly engine: TextEngine;
  readonly conversation: Conversation;
}

/** Chat and messages: completes the prompt, refuses what cannot fit, and asks the stack's engine or, if it fails in time, the next one. */
export class TextService {
  readonly #parts: TextServiceParts;

  constructor(parts: TextServiceParts) {
    this.#parts = parts;
  }

  /** Resolves once the request is accepted: every refusal is thrown before the engine is asked. */
  async answer(caller: Caller, ask: TextAsk): Promise<AsyncIterable<readonly TextEvent[]>> {
    const [served, ...spares] = await this.#readyEngines(caller, ask.signal);
    const askServed = await this.#accept(served, caller, ask);
    if (spares.length === 0) return askServed();
    const askSpares = spares.map((engine) => async () => (await this.#accept(engine, caller, ask))());
    return answerInOrder([async () => askServed(), ...askSpares], ask.signal);
  }

  /** The stack's engine, woken where it was paused and ready to be asked. */
  async readyEngine(caller: Caller, signal: AbortSignal): Promise<TextEngine> {
    const [engine] = await this.#readyEngines(caller, signal);
    return engine;
  }

  /** Refuses a conversation as `answer` would, and asks nothing. */
  async check(caller: Caller, ask: Omit<TextAsk, 'countFirst'>): Promise<void> {
    const [engine] = await this.#readyEngines(caller, ask.signal);
    await requireFit(await this.#prepare(engine, caller, ask), caller, ask.signal);
  }

  /** The tokens that the same conversation would cost to read. */
  async count(caller: Caller, conversation: Conversation, signal: AbortSignal): Promise<number> {
    const [engine] = await this.#readyEngines(caller, signal);
    const prepared = await this.#prepare(engine, caller, { conversation, signal });
    return prepared.engine.countTokens(prepared.conversation, signal);
  }

  /** Completes and checks the prompt; what comes back asks the engine. */
  async #accept(
    engine: TextEngine,
    caller: Caller,
    ask: TextAsk,
  ): Promise<() => AsyncIterable<readonly TextEvent[]>> {
    const { signal, countFirst } = ask;
    const prepared = await this.#prepare(engine, caller, ask);
    await requireFit(prepared, caller, signal);
    return () => engine.answer(prepared.conversation, { signal, countFirst });
  }

  async #prepare(
    engine: TextEngine,
    caller: Caller,
    { conversation, signal, retrieval = true }: Pick<TextAsk, 'conversation' | 'signal' | 'retrieval'>,
  ): Promise<Prepared> {
    const settings = {
      systemPrompt: caller.stack.systemPrompt,
      temperature: caller.stack.temperature ?? engine.defaultTemperature,
      retrieval: retrieval && caller.key.retrieval,
      hasVision: engine.hasVision,
    };
    return { engine, conversation: await this.#parts.builder.build(conversation, settings, signal) };
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

function notReadyMessage(engine: TextEngine | undefined): string {
  if (engine === undefined) return 'The model of this stack is not part of this installation.';
  const { wait, state } = engine.lifecycle;
  return wait ?? `The model is not ready: its engine is ${state}.`;
}

/** Counts only where bytes leave a doubt. */
async function requireFit(
  { engine, conversation }: Prepared,
  caller: Caller,
  signal: AbortSignal,
): Promise<void> {
  const window = smaller(engine.contextWindow, caller.plan.limits.contextWindow ?? undefined);
  if (window === undefined) return;
  const room = window - conversation.sampling.maxTokens;
  const bound = engine.tokenBound === undefined ? tokenBound(conversation) : engine.tokenBound(conversation);
  if (bound !== undefined && bound <= room) return;
  const tokens = await engine.countTokens(conversation, signal);
  if (tokens <= room) return;
  throw new Fault(
    'context-length-exceeded',
    // The wording that agents recognise, and answer by compacting the conversation.
    `prompt is too long: ${tokens} tokens > ${Math.max(0, room)} maximum`,
    { param: 'messages' },
  );
}

function smaller(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Math.min(one, other);
}
