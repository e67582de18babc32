import {
  type LlamaContextSequence,
  LlamaGrammarEvaluationState,
  type SequenceEvaluateOptions,
  type Token,
} from 'node-llama-cpp';
import type { RecommendedSampling } from '../../../../catalogue/catalogue-entry.ts';
import type { FinishReason, TextEvent } from '../../../text-event.ts';
import type { WriteRequest } from '../llama-protocol.ts';
import { grammarAfterMark } from '../output-grammar.ts';
import { AnswerParser } from './answer-parser.ts';
import type { EndPressure } from './end-pressure.ts';
import type { LoadedModel } from './loaded-model.ts';
import { readTokens } from './read-tokens.ts';
import { samplingOptions } from './sampling-options.ts';
import { BATCH_TOKENS, type SequenceSlot } from './sequence-slot.ts';
import { TokenText } from './token-text.ts';

/** Room for the start of an answer; enough for most. */
const FIRST_ROOM_TOKENS = 1_024;
/** The beginning of a HTML document, also within a code fence. */
const HTML_START = /^\s*(?:```html\s*)?<(?:!doctype|html)\b/i;
/** A document that has not begun by then does not begin. */
const START_CHARACTERS = 40;

export interface AnswerRunOptions {
  readonly loaded: LoadedModel;
  readonly recommended: RecommendedSampling;
  readonly endPressure: EndPressure | undefined;
  readonly request: WriteRequest;
  readonly prompt: readonly Token[];
  readonly slot: SequenceSlot;
  readonly signal: AbortSignal;
}

/**
 * Writes one answer. It is sampled in stretches: a new one begins when the conversation needs a larger context, and when a
 * grammar or HTML begins within the answer.
 */
export class AnswerRun {
  readonly #options: AnswerRunOptions;
  readonly #parser: AnswerParser;
  readonly #text: TokenText;
  readonly #maxTokens: number;
  readonly #written: Token[] = [];
  /** Tokens that the model has not read yet. */
  #unread: Token[] = [];
  #grammar: LlamaGrammarEvaluationState | undefined;
  #start = '';
  #isHtml = false;
  #stretches = 0;
  #reason: FinishReason | undefined;

  constructor(options: AnswerRunOptions) {
    this.#options = options;
    const { request, loaded, prompt } = options;
    const { sampling } = request.conversation;
    const callIds = request.callIds.values();
    this.#parser = new AnswerParser({
      stop: sampling.stop,
      mayCall: request.grammar.calls !== undefined,
      newCallId: () => callIds.next().value ?? '',
    });
    this.#text = new TokenText((tokens, before) => loaded.model.detokenize(tokens, false, before));
    this.#maxTokens = Math.min(sampling.maxTokens, loaded.contextWindow - prompt.length - 1);
  }

  /** The events of the answer, one batch per token. */
  async *write(): AsyncGenerator<readonly TextEvent[]> {
    const { prompt, slot, request, signal } = this.#options;
    const room = prompt.length + Math.min(this.#maxTokens, FIRST_ROOM_TOKENS);
    let sequence = await slot.prepare(prompt, room);
    this.#unread = prompt.slice(sequence.nextTokenIndex);
    // The last batch is evaluated together with the first new token.
    const early = this.#unread.length - 1 - ((this.#unread.length - 1) % BATCH_TOKENS);
    yield* readTokens(sequence, this.#unread.splice(0, early), signal);
    if (request.grammar.whole !== undefined) await this.#begin(request.grammar.whole);
    while (this.#reason === undefined) {
      if (isFull(sequence, slot)) sequence = await slot.grow(slot.capacity + 2);
      yield* this.#stretch(sequence);
    }
    yield this.#end(this.#reason);
  }

  async *#stretch(sequence: LlamaContextSequence): AsyncGenerator<readonly TextEvent[]> {
    const { slot, signal } = this.#options;
    const grammar = this.#grammar;
    const isHtml = this.#isHtml;
    for await (const token of sequence.evaluate(this.#unread, this.#sampling())) {
      signal.throwIfAborted();
      this.#written.push(token);
      this.#unread = [token];
      yield await this.#take(token);
      const isNewForm = grammar !== this.#grammar || isHtml !== this.#isHtml;
      if (this.#reason !== undefined || isNewForm || isFull(sequence, slot)) return;
    }
    this.#reason = this.#parser.hasCalls ? 'tool-calls' : 'stop';
  }

  async #take(token: Token): Promise<readonly TextEvent[]> {
    const events: TextEvent[] = [];
    const text = this.#text.push(token);
    this.#parser.push(text, events);
    this.#lookForHtml(text);
    const afterMark = this.#parser.afterMark;
    if (afterMark !== undefined) await this.#meetMark(afterMark, events);
    if (this.#parser.stopSequence !== undefined) this.#reason = 'stop';
    else if (this.#written.length >= this.#maxTokens) this.#reason = 'length';
    return events;
  }

  #lookForHtml(text: string): void {
    if (this.#isHtml || this.#grammar !== undefined || this.#start.length > START_CHARACTERS) return;
    this.#start += text;
    this.#isHtml = HTML_START.test(this.#start);
  }

  async #meetMark(afterMark: string, events: TextEvent[]): Promise<void> {
    const { calls, whole } = this.#options.request.grammar;
    const grammar = calls && grammarAfterMark(calls, afterMark);
    if (grammar === undefined) {
      this.#parser.takeMarkAsText(events);
      return;
    }
    this.#parser.beginCalls(events);
    if (whole === undefined) await this.#begin(grammar);
  }

  async #begin(grammar: string): Promise<void> {
    const { llama, model } = this.#options.loaded;
    this.#grammar = new LlamaGrammarEvaluationState({
      model,
      grammar: await llama.createGrammar({ grammar }),
    });
  }

  #sampling(): SequenceEvaluateOptions {
    const { request, recommended, endPressure } = this.#options;
    const { sampling } = request.conversation;
    // Each stretch has its own seed; with the same one it would repeat the random numbers of the previous stretch.
    const seed = request.seed + this.#stretches;
    this.#stretches += 1;
    const isMarkup = this.#grammar !== undefined || this.#isHtml;
    return {
      ...samplingOptions({ sampling, recommended, isMarkup, seed, written: this.#written }),
      ...(this.#grammar && { grammarEvaluationState: this.#grammar }),
      ...(endPressure && !isMarkup && { tokenBias: () => endPressure.bias(this.#written.length) }),
    };
  }

  #end(reason: FinishReason): readonly TextEvent[] {
    const events: TextEvent[] = [];
    if (this.#parser.stopSequence === undefined) this.#parser.push(this.#text.flush(), events);
    this.#parser.finish(events);
    const usage = { promptTokens: this.#options.prompt.length, completionTokens: this.#written.length };
    events.push({ type: 'finish', reason, stopSequence: this.#parser.stopSequence, usage });
    return events;
  }
}

function isFull(sequence: LlamaContextSequence, slot: SequenceSlot): boolean {
  return sequence.nextTokenIndex >= slot.capacity;
}
