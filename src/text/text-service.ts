import type { Abortable } from '../access/admission.ts';
import type { Caller, CallerStack } from '../access/caller.ts';
import type { Meter, MeteredWork } from '../access/meter.ts';
import { Fault } from '../faults/fault.ts';
import { andThen } from '../lib/and-then.ts';
import type { Conversation } from './conversation.ts';
import { excerptFits } from './excerpt-share.ts';
import { FirstOfAnswers } from './first-of-answers.ts';
import { MeteredAnswer } from './metered-answer.ts';
import type { AskedConversation } from './passthrough.ts';
import type { Prompt, PromptBuilder, PromptSettings } from './prompt-builder.ts';
import { counted, fitsByBytes, type PromptMeasure, requireFit, windowOf } from './prompt-fit.ts';
import { estimatedTokens } from './prompt-size.ts';
import { type Reply, ReplySink } from './reply.ts';
import type { StackWaker } from './stack-waker.ts';
import type { TextAnswer } from './text-answer.ts';
import type { AnswerSink, AskOptions, ProbeMeter, TextEngine } from './text-engine.ts';

export interface TextServiceParts {
  /** The engines that this installation can run, by their names in the configuration. */
  readonly engines: ReadonlyMap<string, TextEngine>;
  readonly builder: PromptBuilder;
  readonly waker: StackWaker;
}

export interface TextAsk extends Omit<AskOptions, 'stackId' | 'meter'> {
  readonly conversation: Conversation;
  /** False: no chat, so neither excerpts of the knowledge base, whatever the key says, nor the prompt for chats. */
  readonly retrieval?: boolean | undefined;
  readonly meter: Meter;
  readonly request: Abortable;
}

/** What a whole answer is asked with. */
export interface ReplyAsk extends Omit<TextAsk, 'request'>, MeteredWork {
  /** More characters are not listened to, in however small pieces they come: the reply is `AnswerTooLarge`. */
  readonly mostCharacters?: number;
}

/** A conversation that is only counted. */
export type CountAsk = Pick<TextAsk, 'conversation'> & MeteredWork;

/** What a prompt is completed for. */
type PromptAsk = Pick<TextAsk, 'conversation' | 'passthrough' | 'retrieval' | 'request'>;

/** What a request must say to be let in. */
type AdmittedAsk = PromptAsk & Pick<TextAsk, 'meter'>;

type Engines = readonly [TextEngine, ...TextEngine[]];

/** An engine, and the very prompt that it is sent. */
interface Admitted extends Prompt {
  readonly engine: TextEngine;
  /** Its model, where it is not the stack's own engine. */
  readonly standIn: string | undefined;
  /** Of the prompt, where they had to be counted. */
  readonly tokens: number | undefined;
}

/** Chat and messages: completes the prompt, refuses what cannot fit, and asks the stack's engine or, if it fails in time, the next one. */
export class TextService {
  readonly #parts: TextServiceParts;

  constructor(parts: TextServiceParts) {
    this.#parts = parts;
  }

  /** An answer that may begin: every refusal is thrown before the engine is asked. A promise only where something must be waited for. */
  answer(caller: Caller, ask: TextAsk, sink: AnswerSink): TextAnswer | Promise<TextAnswer> {
    return andThen(this.#readyEngines(caller, ask.request), ([served, ...spares]) =>
      andThen(this.#admit(served, caller, ask), (accepted) => {
        if (spares.length === 0) return meteredAnswer(accepted, caller, ask, sink);
        const first = (told: AnswerSink) => meteredAnswer(accepted, caller, ask, told);
        const askSpares = spares.map(
          (engine) => async (told: AnswerSink) =>
            meteredAnswer(await this.#admit(engine, caller, ask), caller, ask, told),
        );
        return new FirstOfAnswers(first, askSpares, sink);
      }),
    );
  }

  /** The whole answer, once it is there. */
  async reply(caller: Caller, { signal, mostCharacters, ...ask }: ReplyAsk): Promise<Reply> {
    const sink = new ReplySink(mostCharacters);
    return await sink.reply(await this.answer(caller, { ...ask, request: { signal } }, sink), signal);
  }

  /** Whether the caller's prompts are usually sent on in the bytes in which they came, and so need not be parsed. */
  passesOn({ stack, key }: Caller): boolean {
    return this.#parts.engines.get(stack.textEngines[0] ?? '')?.takesPassthrough === true && !key.retrieval;
  }

  /** The stack's engine, woken where it was paused and ready to be asked. */
  async readyEngine(caller: Caller, signal: AbortSignal): Promise<TextEngine> {
    const [engine] = await this.#readyEngines(caller, { signal });
    return engine;
  }

  /** Refuses a conversation as `answer` would, reserves its tokens, and tells how many the model would read; it is asked nothing. */
  async check(caller: Caller, { signal, ...ask }: CountAsk & Pick<TextAsk, 'retrieval'>): Promise<number> {
    const [engine] = await this.#readyEngines(caller, { signal });
    const admitted = await this.#admit(engine, caller, { ...ask, request: { signal } });
    const { conversation, passthrough, tokens } = admitted;
    const options = { passthrough, meter: ask.meter, stackId: caller.stack.id };
    return tokens ?? (await engine.countTokens(conversation, signal, options));
  }

  /** The tokens that the same conversation would cost to read. Only a probe is metered. */
  async count(caller: Caller, { conversation, meter, signal }: CountAsk): Promise<number> {
    const [engine] = await this.#readyEngines(caller, { signal });
    const probing: ProbeMeter = {
      reserveTokens: (expected) => {
        meter.servedBy(this.#standIn(engine, caller) ?? servedModel(engine, caller));
        return meter.reserveTokens(expected);
      },
      add: (used) => meter.add(used),
    };
    const prompt = await this.#prepare(engine, caller, { conversation, request: { signal } }, probing);
    const options = { meter: probing, stackId: caller.stack.id };
    return await engine.countTokens(prompt.conversation, signal, options);
  }

  /** How much of the window a conversation takes; only a probe is metered. `undefined` where it fits without counting, or any length does. */
  async measure(
    caller: Caller,
    { conversation, meter, signal }: CountAsk,
  ): Promise<PromptMeasure | undefined> {
    const [engine] = await this.#readyEngines(caller, { signal });
    const probing = probeMeter(caller, { conversation }, meter);
    const ask = { conversation, request: { signal }, retrieval: false };
    const prompt = await this.#prepare(engine, caller, ask, probing);
    if (fitsByBytes({ engine, ...prompt }, caller)) return undefined;
    return await counted({ engine, ...prompt }, caller, { meter: probing, signal });
  }

  /** Completes the prompt, checks that it fits, and takes its tokens out of the budget. */
  #admit(engine: TextEngine, caller: Caller, ask: AdmittedAsk): Admitted | Promise<Admitted> {
    const { meter, request } = ask;
    const probing = probeMeter(caller, ask, meter);
    return andThen(this.#prepare(engine, caller, ask, probing), ({ conversation, passthrough, sources }) => {
      const sent = { engine, conversation, passthrough };
      const tokens = fitsByBytes(sent, caller)
        ? undefined
        : requireFit(sent, caller, { meter: probing, signal: request.signal });
      return andThen(tokens, (counted) => {
        const standIn = this.#standIn(engine, caller);
        meter.servedBy(standIn ?? servedModel(engine, caller));
        const expected = expectedTokens(caller, sent);
        const reserved = expected === undefined ? undefined : meter.reserveTokens(expected);
        return andThen(reserved, () => ({
          engine,
          conversation,
          passthrough,
          sources,
          standIn,
          tokens: counted,
        }));
      });
    });
  }

  /** The model of an engine that stands in for the stack's own. */
  #standIn(engine: TextEngine, { stack }: Caller): string | undefined {
    return this.#parts.engines.get(stack.textEngines[0] ?? '') === engine ? undefined : engine.model;
  }

  #prepare(engine: TextEngine, caller: Caller, ask: PromptAsk, meter: ProbeMeter): Prompt | Promise<Prompt> {
    const { request, retrieval = true } = ask;
    const settings = promptSettings(engine, caller, {
      chatPrompt: retrieval ? caller.stack.chatPrompt : undefined,
      retrieval: retrieval && caller.key.retrieval ? retrievalFor(engine, caller, ask, meter) : undefined,
    });
    return this.#parts.builder.build(ask, settings, request);
  }

  /** The stack's engines that can be asked now, the served one first. A paused stack is woken. */
  #readyEngines(caller: Caller, request: Abortable): Engines | Promise<Engines> {
    const configured: TextEngine[] = [];
    for (const name of caller.stack.textEngines) {
      const engine = this.#parts.engines.get(name);
      if (engine !== undefined) configured.push(engine);
    }
    const woken = this.#parts.waker.wake(caller.stack, configured[0]?.lifecycle, request);
    return andThen(woken, () => {
      const [first, ...others] = configured.filter((engine) => engine.lifecycle.state === 'ready');
      if (first !== undefined) return [first, ...others];
      throw new Fault('model-not-ready', notReadyMessage(configured[0]));
    });
  }
}

function retrievalFor(
  engine: TextEngine,
  caller: Caller,
  { conversation, request: { signal } }: PromptAsk,
  meter: ProbeMeter,
): PromptSettings['retrieval'] {
  const { id: stackId, cacheScope } = caller.stack;
  const window = windowOf(engine, caller);
  return {
    stackId,
    fits: excerptFits({ engine, window, conversation, cacheScope, meter, signal, stackId }),
  };
}

// Written out: V8 makes a new hidden class each time an object is spread from several others.
function meteredAnswer(admitted: Admitted, caller: Caller, ask: TextAsk, sink: AnswerSink): MeteredAnswer {
  const { engine, conversation, passthrough, sources, standIn } = admitted;
  const { meter } = ask;
  return new MeteredAnswer(
    { engine, conversation, passthrough, sources, standIn, caller, meter, options: ask },
    sink,
  );
}

/** The name of the stack's own engine, as clients know it. */
function servedModel(engine: TextEngine, { stack }: Caller): string {
  return stack.models[0] ?? engine.model;
}

/** Pays for probes of a request that is not admitted yet: the first reserves what all of the request may cost. */
function probeMeter(caller: Caller, asked: AskedConversation, meter: Meter): ProbeMeter {
  return {
    reserveTokens: () => meter.reserveTokens(expectedTokens(caller, asked) ?? 0),
    add: (used) => meter.add(used),
  };
}

function notReadyMessage(engine: TextEngine | undefined): string {
  if (engine === undefined) return 'The model of this stack is not part of this installation.';
  const { wait, state } = engine.lifecycle;
  return wait ?? `The model is not ready: its engine is ${state}.`;
}

/** What a call may cost at most; `undefined` without a budget, for then nobody wants to know. */
function expectedTokens(caller: Caller, asked: AskedConversation): number | undefined {
  if (caller.plan.limits.tokensPerDay === null) return undefined;
  return estimatedTokens(asked) + asked.conversation.sampling.maxTokens;
}

function promptSettings(
  engine: TextEngine,
  { stack }: Caller,
  { chatPrompt, retrieval }: Pick<CallerStack, 'chatPrompt'> & Pick<PromptSettings, 'retrieval'>,
): PromptSettings {
  return {
    stackId: stack.id,
    systemPrompt: stack.systemPrompt ?? chatPrompt,
    temperature: stack.temperature ?? engine.defaultTemperature,
    cacheScope: stack.cacheScope,
    retrieval,
    hasVision: engine.hasVision,
  };
}
