import type { Caller } from '../access/caller.ts';
import { requireSpender } from '../access/key-guard.ts';
import type { Meter, MeteredWork } from '../access/meter.ts';
import type { FileHolder } from '../files/stack-files.ts';
import { andThen } from '../lib/and-then.ts';
import { FirstOfAnswers } from './first-of-answers.ts';
import { MeteredAnswer, type ShownKnowledge } from './metered-answer.ts';
import type { AskedConversation } from './passthrough.ts';
import type { Prompt, PromptBuilder } from './prompt-builder.ts';
import { measurePrompt, type PromptMeasure, requireFit, windowOf } from './prompt-fit.ts';
import { type PromptAsk, promptSettings } from './prompt-settings.ts';
import { bytesBeyond, estimatedTokens } from './prompt-size.ts';
import { type Reply, ReplySink } from './reply.ts';
import { StackEngines, type StackEnginesParts } from './stack-engines.ts';
import type { AnswerSink, AskOptions, ProbeMeter, TextAnswer, TextEngine } from './text-engine.ts';

export interface TextServiceParts extends StackEnginesParts {
  readonly builder: PromptBuilder;
}

export interface TextAsk extends PromptAsk, ShownKnowledge, Omit<AskOptions, 'stackId' | 'meter'> {
  readonly meter: Meter;
}

/** Options for a whole answer. */
export interface ReplyAsk extends Omit<TextAsk, 'request'>, MeteredWork {
  /** A longer reply fails with `AnswerTooLarge`. */
  readonly mostCharacters?: number;
}

/** A conversation that is only counted. */
export type CountAsk = Pick<TextAsk, 'conversation'> & MeteredWork & { readonly request?: FileHolder };

/** An engine and its prompt. */
interface Admitted extends Prompt {
  readonly engine: TextEngine;
  /** The engine's model, if it is not the stack's own engine. */
  readonly standIn: string | undefined;
  /** Tokens of the prompt, if they had to be counted. */
  readonly tokens: number | undefined;
}

/** A request that may need probes. */
interface Probing {
  readonly engine: TextEngine;
  readonly caller: Caller;
  readonly meter: Meter;
  /** If it will be answered: the first probe reserves the maximum for the whole request. */
  readonly asked?: AskedConversation;
}

/** Answers conversations: completes the prompt, refuses one that cannot fit, and asks the stack's engine or, if it fails in time, the next one. */
export class TextService {
  readonly #builder: PromptBuilder;
  readonly #engines: StackEngines;

  constructor(parts: TextServiceParts) {
    this.#builder = parts.builder;
    this.#engines = new StackEngines(parts);
  }

  /** Prepares an answer; throws every refusal before the engine is asked. Returns a promise only if it has to wait. */
  answer(caller: Caller, ask: TextAsk, sink: AnswerSink): TextAnswer | Promise<TextAnswer> {
    return andThen(this.#engines.ready(caller, ask.request), ([served, ...spares]) =>
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

  /** Waits for the whole answer. */
  async reply(caller: Caller, { signal, mostCharacters, ...ask }: ReplyAsk): Promise<Reply> {
    const sink = new ReplySink(mostCharacters);
    return await sink.reply(await this.answer(caller, { ...ask, request: { signal } }, sink), signal);
  }

  /**
   * How many bytes of turns need no parsing: any number where they are usually sent on as they came, else so many that their
   * prompt is refused. `undefined` where all are parsed.
   */
  unparsedFrom(caller: Caller): number | undefined {
    const engine = this.#engines.own(caller);
    // What to search is in the turns.
    if (engine === undefined || caller.key.retrieval) return undefined;
    if (engine.takesPassthrough) return 0;
    const window = windowOf(engine, caller);
    return window === undefined ? undefined : bytesBeyond(window);
  }

  /** The stack's engine, woken if it was paused. */
  async readyEngine(caller: Caller, signal: AbortSignal): Promise<TextEngine> {
    const [engine] = await this.#engines.ready(caller, { signal });
    return engine;
  }

  /** Refuses a conversation as `answer` would, reserves its tokens, and returns how many the model would read, without an answer. */
  async check(caller: Caller, { signal, ...ask }: CountAsk & Pick<TextAsk, 'retrieval'>): Promise<number> {
    const [engine] = await this.#engines.ready(caller, { signal });
    const admitted = await this.#admit(engine, caller, { ...ask, request: { signal } });
    const { conversation, passthrough, tokens } = admitted;
    const options = { passthrough, meter: ask.meter, stackId: caller.stack.id, span: ask.meter.trace };
    return tokens ?? (await engine.countTokens(conversation, signal, options));
  }

  /** Counts the tokens of a prompt. Only a probe is metered. */
  async count(
    caller: Caller,
    { conversation, meter, signal, request = { signal } }: CountAsk,
  ): Promise<number> {
    const [engine] = await this.#engines.ready(caller, { signal });
    const probing = this.#probeMeter({ engine, caller, meter });
    const prompt = await this.#prepare(engine, caller, { conversation, request }, probing);
    const options = { meter: probing, stackId: caller.stack.id, span: meter.trace };
    return await engine.countTokens(prompt.conversation, signal, options);
  }

  /** Measures a prompt against the window; only a probe is metered. `undefined` if it fits without counting, or any length does. */
  async measure(
    caller: Caller,
    { conversation, meter, signal, retrieval = false }: CountAsk & Pick<TextAsk, 'retrieval'>,
  ): Promise<PromptMeasure | undefined> {
    const [engine] = await this.#engines.ready(caller, { signal });
    const probing = this.#probeMeter({ engine, caller, meter, asked: { conversation } });
    const request = { signal };
    const prompt = await this.#prepare(engine, caller, { conversation, request, retrieval }, probing);
    return await measurePrompt({ engine, ...prompt }, caller, { meter: probing, request, span: meter.trace });
  }

  /** Completes the prompt, checks that it fits, and reserves its tokens. */
  #admit(
    engine: TextEngine,
    caller: Caller,
    ask: PromptAsk & Pick<TextAsk, 'meter'>,
  ): Admitted | Promise<Admitted> {
    const { meter, request } = ask;
    const probing = this.#probeMeter({ engine, caller, meter, asked: ask });
    return andThen(this.#prepare(engine, caller, ask, probing), ({ conversation, passthrough, passages }) => {
      const sent = { engine, conversation, passthrough };
      return andThen(requireFit(sent, caller, { meter: probing, request, span: meter.trace }), (tokens) => {
        const standIn = this.#engines.standIn(engine, caller);
        meter.servedBy(this.#engines.servedModel(engine, caller));
        const expected = expectedTokens(caller, sent);
        const reserved = expected === undefined ? undefined : meter.reserveTokens(expected);
        return andThen(reserved, () => ({ engine, conversation, passthrough, passages, standIn, tokens }));
      });
    });
  }

  #prepare(engine: TextEngine, caller: Caller, ask: PromptAsk, meter: ProbeMeter): Prompt | Promise<Prompt> {
    return this.#builder.build(ask, promptSettings(engine, caller, ask, meter), ask.request);
  }

  /** Pays for probes of a request that is not admitted yet, at the price of the model that would serve it. */
  #probeMeter({ engine, caller, meter, asked }: Probing): ProbeMeter {
    const setModel = () => meter.servedBy(this.#engines.servedModel(engine, caller));
    return {
      reserveTokens: (expected) => {
        requireSpender(caller);
        setModel();
        return meter.reserveTokens(asked === undefined ? expected : (expectedTokens(caller, asked) ?? 0));
      },
      // A probe that another request began is paid for without a reservation.
      add: (used) => {
        setModel();
        meter.add(used);
      },
    };
  }
}

// No object spread: V8 makes a new hidden class for each object that is spread from several others.
function meteredAnswer(admitted: Admitted, caller: Caller, ask: TextAsk, sink: AnswerSink): MeteredAnswer {
  const { engine, conversation, passthrough, passages, standIn } = admitted;
  const { meter } = ask;
  return new MeteredAnswer(
    { engine, conversation, passthrough, passages, standIn, caller, meter, options: ask },
    sink,
  );
}

/** The maximum cost of a call; `undefined` without a budget. */
function expectedTokens(caller: Caller, asked: AskedConversation): number | undefined {
  if (caller.plan.limits.tokensPerDay === null && caller.budgets === undefined) return undefined;
  return estimatedTokens(asked) + asked.conversation.sampling.maxTokens;
}
