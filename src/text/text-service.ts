import type { Caller } from '../access/caller.ts';
import type { Meter, MeteredWork } from '../access/meter.ts';
import { Fault } from '../faults/fault.ts';
import { answerInOrder } from './answer-in-order.ts';
import type { Conversation } from './conversation.ts';
import { excerptFits } from './excerpt-share.ts';
import { lateStart } from './late-start.ts';
import { MeteredAnswer } from './metered-answer.ts';
import type { Prompt, PromptBuilder, PromptSettings } from './prompt-builder.ts';
import { fitsByBytes, measured, type PromptMeasure, requireFit, windowOf } from './prompt-fit.ts';
import { estimatedTokens } from './prompt-size.ts';
import type { StackWaker } from './stack-waker.ts';
import type { ProbeMeter, TextEngine } from './text-engine.ts';
import type { StartEvent, TextEvent } from './text-event.ts';

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
  /** The largest piece of the answer that is read, where that is more than usual. */
  readonly mostPieceBytes?: number;
  /** False: no excerpts of the knowledge base, whatever the key says. */
  readonly retrieval?: boolean;
}

/** A conversation that is only counted. */
export type CountAsk = Pick<TextAsk, 'conversation' | 'meter' | 'signal'>;

/** An answer that has begun. */
export interface TextAnswer {
  readonly batches: AsyncIterable<readonly TextEvent[]>;
  /** The documents of the knowledge base that the prompt quotes. */
  readonly sources: readonly string[];
  /** Its start, for those who cannot wait until it comes by itself; where the signal aborts, its tokens are an estimate. */
  start(signal: AbortSignal): Promise<StartEvent>;
}

/** What an answer needs that can begin at once. */
export interface PreparedNow {
  readonly engine: TextEngine;
  /** The very prompt that the engine is sent. */
  readonly conversation: Conversation;
  /** As clients name it. */
  readonly model: string;
}

/** An engine and the very prompt that it is sent. */
interface Prepared extends Prompt {
  readonly engine: TextEngine;
  /** Its model, where it is not the stack's own engine. */
  readonly standIn: string | undefined;
}

/** What a prompt is completed for. */
interface PreparedAsk extends Pick<TextAsk, 'conversation' | 'signal' | 'retrieval'> {
  readonly meter: ProbeMeter;
}

interface Admitted extends Prepared {
  /** Of the prompt, where they had to be counted. */
  readonly tokens: number | undefined;
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
    let asked = accepted;
    const start = (signal: AbortSignal) => lateStart({ ...asked, caller, meter: ask.meter }, signal);
    if (spares.length === 0) return { batches: askEngine(accepted, caller, ask), sources, start };
    const askSpares = spares.map((engine) => async () => {
      asked = await this.#admit(engine, caller, ask);
      return askEngine(asked, caller, ask);
    });
    const batches = answerInOrder([async () => askEngine(accepted, caller, ask), ...askSpares], ask.signal);
    return { batches, sources, start };
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
    return { engine, conversation: built, model: servedModel(engine, caller) };
  }

  /** Whether the caller's prompts are usually sent on in the bytes in which they came: others look into them, and would have to parse them. */
  sendsOnAsWritten({ stack, key }: Caller): boolean {
    return this.#parts.engines.get(stack.textEngines[0] ?? '')?.push !== undefined && !key.retrieval;
  }

  /** The stack's engine, woken where it was paused and ready to be asked. */
  async readyEngine(caller: Caller, signal: AbortSignal): Promise<TextEngine> {
    const [engine] = await this.#readyEngines(caller, signal);
    return engine;
  }

  /** Refuses a conversation as `answer` would, reserves its tokens, and tells how many the model would read; it is asked nothing. */
  async check(caller: Caller, ask: Omit<TextAsk, 'countFirst'>): Promise<number> {
    const [engine] = await this.#readyEngines(caller, ask.signal);
    const { conversation, tokens } = await this.#admit(engine, caller, ask);
    return (
      tokens ??
      (await engine.countTokens(conversation, ask.signal, {
        meter: ask.meter,
        stackId: caller.stack.id,
      }))
    );
  }

  /** The tokens that the same conversation would cost to read. Only a probe is metered. */
  async count(caller: Caller, { conversation, meter, signal }: CountAsk): Promise<number> {
    const [engine] = await this.#readyEngines(caller, signal);
    const probing: ProbeMeter = {
      reserveTokens: (expected) => {
        meter.servedBy(this.#standIn(engine, caller) ?? servedModel(engine, caller));
        return meter.reserveTokens(expected);
      },
      add: (used) => meter.add(used),
    };
    const prepared = await this.#prepare(engine, caller, { conversation, meter: probing, signal });
    const options = { meter: probing, stackId: caller.stack.id };
    return prepared.engine.countTokens(prepared.conversation, signal, options);
  }

  /** How much of the window a conversation takes; only a probe is metered. `undefined` where it fits without counting, or any length does. */
  async measure(
    caller: Caller,
    { conversation, meter, signal }: CountAsk,
  ): Promise<PromptMeasure | undefined> {
    const [engine] = await this.#readyEngines(caller, signal);
    const probing = probeMeter(caller, conversation, meter);
    const retrieval = false;
    const prepared = await this.#prepare(engine, caller, { conversation, meter: probing, signal, retrieval });
    return await measured(prepared, caller, { meter: probing, signal });
  }

  /** Completes the prompt, checks that it fits, and takes its tokens out of the budget. */
  async #admit(engine: TextEngine, caller: Caller, ask: Omit<TextAsk, 'countFirst'>): Promise<Admitted> {
    const probing = probeMeter(caller, ask.conversation, ask.meter);
    const prepared = await this.#prepare(engine, caller, { ...ask, meter: probing });
    const tokens = await requireFit(prepared, caller, { meter: probing, signal: ask.signal });
    const { conversation, standIn } = prepared;
    ask.meter.servedBy(standIn ?? servedModel(engine, caller));
    const expected = expectedTokens(caller, conversation);
    if (expected !== undefined) await ask.meter.reserveTokens(expected);
    return { ...prepared, tokens };
  }

  /** The model of an engine that stands in for the stack's own. */
  #standIn(engine: TextEngine, { stack }: Caller): string | undefined {
    return this.#parts.engines.get(stack.textEngines[0] ?? '') === engine ? undefined : engine.model;
  }

  async #prepare(
    engine: TextEngine,
    caller: Caller,
    { conversation, meter, signal, retrieval = true }: PreparedAsk,
  ): Promise<Prepared> {
    const window = windowOf(engine, caller);
    const { id, cacheScope } = caller.stack;
    const settings = promptSettings(
      engine,
      caller,
      retrieval && caller.key.retrieval
        ? {
            stackId: id,
            fits: excerptFits({ engine, window, conversation, cacheScope, meter, signal, stackId: id }),
          }
        : undefined,
    );
    const prompt = await this.#parts.builder.build(conversation, settings, signal);
    return { engine, standIn: this.#standIn(engine, caller), ...prompt };
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
  { engine, conversation, standIn }: Prepared,
  { stack }: Caller,
  { signal, countFirst, inOnePiece, mostPieceBytes, meter }: TextAsk,
): AsyncIterable<readonly TextEvent[]> {
  const stackId = stack.id;
  const options = { signal, stackId, countFirst, inOnePiece, mostPieceBytes, meter };
  const answer = engine.answer(conversation, options);
  const batches = new MeteredAnswer(answer, {
    conversation,
    meter,
    signal,
    pace: inOnePiece ? engine.pace : undefined,
  });
  return standIn === undefined ? batches : namedAnswer(batches, standIn);
}

/** The same answer, which says at its start who stands in. */
async function* namedAnswer(
  batches: AsyncIterable<readonly TextEvent[]>,
  standIn: string,
): AsyncGenerator<readonly TextEvent[]> {
  for await (const batch of batches)
    yield batch.map((event) => (event.type === 'start' ? { ...event, standIn } : event));
}

/** The name of the stack's own engine, as clients know it. */
function servedModel(engine: TextEngine, { stack }: Caller): string {
  return stack.models[0] ?? engine.model;
}

/** Pays for probes of a request that is not admitted yet: the first reserves what all of the request may cost. */
function probeMeter(caller: Caller, conversation: Conversation, meter: Meter): ProbeMeter {
  return {
    reserveTokens: () => meter.reserveTokens(expectedTokens(caller, conversation) ?? 0),
    add: (used) => meter.add(used),
  };
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
    cacheScope: stack.cacheScope,
    retrieval,
    hasVision: engine.hasVision,
  };
}
