import { isRecord, type JsonRecord, listOf, recordOf, stringOf } from '../../../lib/json-record.ts';
import { StopSequenceFilter } from '../../stop-sequence-filter.ts';
import type { FinishReason, TextEvent, Usage, WrittenToken } from '../../text-event.ts';
import { MOST_OUTPUT_TOKENS } from '../../text-limits.ts';
import { BlockSequencer, type TakeCallId, type ToolFragment } from './block-sequencer.ts';

/** Reasoning included; a server may write more than it was allowed. */
const MOST_TOKENS = 4 * MOST_OUTPUT_TOKENS;

/** Turns the server's choice, in chunks or whole, into the blocks of an answer. */
export class ChoiceReader {
  readonly #blocks: BlockSequencer;
  readonly #filter: StopSequenceFilter;
  #finishReason: string | undefined;
  #stopReason: string | undefined;
  #tokens: WrittenToken[] | undefined;

  constructor(stop: readonly string[], takeCallId: TakeCallId) {
    this.#blocks = new BlockSequencer(takeCallId);
    this.#filter = new StopSequenceFilter(stop);
  }

  /** Adds text, without looking at other fields. */
  addText(text: string, events: TextEvent[]): void {
    this.#blocks.addText('text', this.#filter.push(text), events);
  }

  read(choice: JsonRecord, events: TextEvent[]): void {
    // A whole answer has a `message` instead of a `delta`, with the same members.
    const delta = recordOf(choice.delta) ?? recordOf(choice.message);
    if (delta !== undefined && this.#filter.found === undefined) this.#readDelta(delta, events);
    this.#finishReason ??= stringOf(choice.finish_reason);
    this.#stopReason ??= stringOf(choice.stop_reason);
    if (isRecord(choice.logprobs)) this.#readTokens(choice.logprobs);
  }

  finish(usage: Usage, events: TextEvent[]): void {
    if (this.#finishReason === undefined) throw new Error('the answer ended without a finish reason');
    this.#flushText(events);
    this.#blocks.finish(events);
    const { found } = this.#filter;
    events.push({
      type: 'finish',
      reason: found === undefined ? this.#reason(this.#finishReason) : 'stop',
      stopSequence: found ?? this.#stopReason,
      usage,
      ...(this.#tokens === undefined ? {} : { tokens: this.#tokens }),
    });
  }

  #readTokens(told: JsonRecord): void {
    this.#tokens ??= [];
    for (const entry of listOf(told.content)) {
      const token = isRecord(entry) ? writtenToken(entry) : undefined;
      if (token !== undefined && this.#tokens.length < MOST_TOKENS) this.#tokens.push(token);
    }
  }

  #readDelta(delta: JsonRecord, events: TextEvent[]): void {
    const reasoning = stringOf(delta.reasoning_content) ?? stringOf(delta.reasoning);
    if (reasoning !== undefined) this.#readReasoning(reasoning, events);
    const text = stringOf(delta.content);
    if (text !== undefined) this.addText(text, events);
    const call = recordOf(delta.function_call);
    const fragments = call === undefined ? listOf(delta.tool_calls) : [{ index: 0, function: call }];
    if (fragments.length === 0 || this.#filter.found !== undefined) return;
    this.#flushText(events);
    for (const fragment of fragments) {
      if (isRecord(fragment)) this.#blocks.addToolFragment(fragmentOf(fragment), events);
    }
  }

  #readReasoning(reasoning: string, events: TextEvent[]): void {
    if (reasoning === '') return;
    this.#flushText(events);
    this.#blocks.addText('reasoning', reasoning, events);
  }

  #flushText(events: TextEvent[]): void {
    this.#blocks.addText('text', this.#filter.flush(), events);
  }

  #reason(finishReason: string): FinishReason {
    if (finishReason === 'length') return 'length';
    if (finishReason === 'content_filter') return 'refusal';
    return this.#blocks.hasToolCalls ? 'tool-calls' : 'stop';
  }
}

function writtenToken({ token, bytes, logprob }: JsonRecord): WrittenToken | undefined {
  if (typeof token !== 'string' || typeof logprob !== 'number') return undefined;
  const isBytes = Array.isArray(bytes) && bytes.every(Number.isInteger);
  return { bytes: isBytes ? Buffer.from(bytes) : Buffer.from(token), logProbability: logprob };
}

function fragmentOf(fragment: JsonRecord): ToolFragment {
  const called = recordOf(fragment.function);
  const id = stringOf(fragment.id) || undefined;
  return {
    key: typeof fragment.index === 'number' ? fragment.index : id,
    id,
    name: stringOf(called?.name) || undefined,
    text: argumentsOf(called?.arguments),
  };
}

// Some servers send the arguments as an object instead of JSON text.
function argumentsOf(value: unknown): string {
  return isRecord(value) ? JSON.stringify(value) : (stringOf(value) ?? '');
}
