import { isAscii } from 'node:buffer';
import {
  isRecord,
  type JsonRecord,
  listOf,
  parseJson,
  recordOf,
  stringOf,
} from '../../../lib/json-record.ts';
import { overloaded, UpstreamRefusal, unusable } from '../../../upstream/engine-faults.ts';
import { StopSequenceFilter } from '../../stop-sequence-filter.ts';
import type { FinishReason, TextEvent, Usage } from '../../text-event.ts';
import { BlockSequencer, type TakeCallId, type ToolFragment } from './block-sequencer.ts';
import { DeltaTemplate, type ShapeMemory } from './delta-template.ts';
import { EventStreamParser, MAXIMUM_EVENT_BYTES } from './event-stream-parser.ts';
import type { WholeTemplate, WholeText } from './whole-template.ts';

/** What the reader must know of the request. */
export interface ChunkReaderOptions {
  readonly stop: readonly string[];
  readonly takeCallId: TakeCallId;
  /** Takes secrets out of what the server says, before it becomes a cause. */
  readonly redact: (text: string) => string;
  /** How the server that answers writes its streams. */
  readonly shapes: ShapeMemory;
  /** How it writes answers in one piece. */
  readonly wholes: WholeTemplate;
  /** The largest event, where that is more than usual. */
  readonly mostPieceBytes?: number;
}

/** Bytes that arrived together. */
interface Read {
  readonly bytes: Buffer;
  /** The same with a character for a byte. */
  readonly text: string;
  readonly isAscii: boolean;
}

const EVENT_HEAD = 'data: ';
const OVERLOADED_CODES: readonly unknown[] = [429, 503, 529];

/**
 * Turns the bytes of a chat answer into events, up to and with `finish` but without `start`. Synchronous; throws the fault of an
 * answer that is none. Usage that the server never tells is 0.
 */
export class ChunkReader {
  readonly #events: EventStreamParser;
  readonly #blocks: BlockSequencer;
  readonly #filter: StopSequenceFilter;
  readonly #template: DeltaTemplate;
  readonly #wholes: WholeTemplate;
  readonly #redact: (text: string) => string;
  #finishReason: string | undefined;
  #stopReason: string | undefined;
  #usage: Usage | undefined;
  #startsWithUsage = false;
  #chunkCount = 0;
  #isFinished = false;

  constructor({ stop, takeCallId, redact, shapes, wholes, mostPieceBytes }: ChunkReaderOptions) {
    this.#events = new EventStreamParser(mostPieceBytes);
    this.#template = new DeltaTemplate(shapes);
    this.#wholes = wholes;
    this.#redact = redact;
    this.#blocks = new BlockSequencer(takeCallId);
    this.#filter = new StopSequenceFilter(stop);
  }

  /** Whether `finish` was given; whatever follows is of no interest. */
  get isFinished(): boolean {
    return this.#isFinished;
  }

  /** What the server said last about tokens. */
  get usage(): Usage | undefined {
    return this.#usage;
  }

  get chunkCount(): number {
    return this.#chunkCount;
  }

  /** Whether the first chunk told the prompt's tokens already. */
  get startsWithUsage(): boolean {
    return this.#startsWithUsage;
  }

  /** Reads on in a stream. */
  feed(bytes: Buffer): TextEvent[] {
    return this.#guarded((events) => {
      const read: Read = { bytes, text: bytes.toString('latin1'), isAscii: isAscii(bytes) };
      let from = 0;
      while (from < bytes.length && !this.#isFinished) {
        from = this.#readKnownEvent(read, from, events) ?? this.#readEvent(read, from, events);
      }
    });
  }

  /** Reads a whole event that is framed in the usual way, and gives the place of its end; `undefined` for any other. */
  #readKnownEvent({ text, isAscii }: Read, from: number, events: TextEvent[]): number | undefined {
    if (!this.#events.isBetweenEvents) return undefined;
    const delta = this.#template.eventAt(text, from);
    if (delta !== undefined) {
      this.#addDelta(delta, events);
      return this.#template.end;
    }
    const end = text.indexOf('\n', from);
    // Letters of more than one byte are decoded by `EventStreamParser`.
    if (!isAscii || end === -1 || text[end + 1] !== '\n' || text[end - 1] === '\r') return undefined;
    const start = from + EVENT_HEAD.length;
    if (text.slice(from, start) !== EVENT_HEAD || end - from > MAXIMUM_EVENT_BYTES) return undefined;
    this.#readData(text.slice(start, end), events);
    return end + 2;
  }

  /** The stream is at its end. */
  end(): TextEvent[] {
    return this.#guarded((events) => {
      const rest = this.#events.end();
      if (rest !== undefined) this.#readData(rest, events);
      if (!this.#isFinished) this.#finish(events);
    });
  }

  /** Reads the one JSON body of a server that does not stream. */
  readWhole(body: Buffer): TextEvent[] {
    return this.#guarded((events) => {
      const known = this.#wholes.read(body);
      if (known === undefined) this.#wholes.learn(body, this.#readChunk(parseJson(body.toString()), events));
      else this.#takeWhole(known, events);
      this.#finish(events);
    });
  }

  #takeWhole({ text, finishReason, stopReason, ...usage }: WholeText, events: TextEvent[]): void {
    this.#usage = usage;
    this.#startsWithUsage = usage.promptTokens > 0;
    this.#addDelta(text, events);
    this.#finishReason = finishReason;
    this.#stopReason = stopReason;
  }

  #guarded(read: (events: TextEvent[]) => void): TextEvent[] {
    const events: TextEvent[] = [];
    try {
      read(events);
    } catch (error) {
      throw isOverload(error) ? overloaded(error) : unusable(error);
    }
    return events;
  }

  /** Reads up to the end of the event, or of the bytes, and gives that place. */
  #readEvent({ bytes, text }: Read, from: number, events: TextEvent[]): number {
    const end = text.indexOf('\n\n', from);
    const stop = end === -1 ? bytes.length : end + 2;
    for (const data of this.#events.feed(bytes.subarray(from, stop))) this.#readData(data, events);
    return stop;
  }

  #readData(data: string, events: TextEvent[]): void {
    if (this.#isFinished || data === '') return;
    if (data === '[DONE]') {
      this.#finish(events);
      return;
    }
    const text = this.#template.textOf(data);
    if (text === undefined) {
      const chunk = this.#readChunk(parseJson(data), events);
      this.#template.learn(data, chunk);
    } else this.#addDelta(text, events);
  }

  #addDelta(text: string, events: TextEvent[]): void {
    this.#chunkCount += 1;
    this.#blocks.addText('text', this.#filter.push(text), events);
  }

  #readChunk(chunk: unknown, events: TextEvent[]): JsonRecord {
    if (!isRecord(chunk)) throw new Error('a chunk is no object');
    if (chunk.error !== undefined && chunk.error !== null) throw this.#refusal(chunk.error);
    this.#chunkCount += 1;
    this.#usage = usageOf(recordOf(chunk.usage)) ?? this.#usage;
    if (this.#chunkCount === 1) this.#startsWithUsage = (this.#usage?.promptTokens ?? 0) > 0;
    for (const choice of listOf(chunk.choices)) {
      if (isRecord(choice) && (choice.index ?? 0) === 0) this.#readChoice(choice, events);
    }
    return chunk;
  }

  #refusal(error: unknown): UpstreamRefusal {
    const code = isRecord(error) ? Number(error.code ?? 0) : 0;
    return new UpstreamRefusal(code, this.#redact(JSON.stringify(error)));
  }

  #readChoice(choice: JsonRecord, events: TextEvent[]): void {
    // A whole answer has a message where a chunk has a delta; both have the same members.
    const delta = recordOf(choice.delta) ?? recordOf(choice.message);
    if (delta !== undefined && this.#filter.found === undefined) this.#readDelta(delta, events);
    this.#finishReason ??= stringOf(choice.finish_reason);
    this.#stopReason ??= stringOf(choice.stop_reason);
  }

  #readDelta(delta: JsonRecord, events: TextEvent[]): void {
    const reasoning = stringOf(delta.reasoning_content) ?? stringOf(delta.reasoning);
    if (reasoning !== undefined) this.#readReasoning(reasoning, events);
    const text = stringOf(delta.content);
    if (text !== undefined) this.#blocks.addText('text', this.#filter.push(text), events);
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

  #finish(events: TextEvent[]): void {
    if (this.#finishReason === undefined) throw new Error('the answer ended without a finish reason');
    this.#flushText(events);
    this.#blocks.finish(events);
    this.#isFinished = true;
    const { found } = this.#filter;
    events.push({
      type: 'finish',
      reason: found === undefined ? this.#reason(this.#finishReason) : 'stop',
      stopSequence: found ?? this.#stopReason,
      usage: this.#usage ?? { promptTokens: 0, completionTokens: 0 },
    });
  }

  #reason(finishReason: string): FinishReason {
    if (finishReason === 'length') return 'length';
    if (finishReason === 'content_filter') return 'refusal';
    return this.#blocks.hasToolCalls ? 'tool-calls' : 'stop';
  }
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

// Some servers give the arguments as the object itself.
function argumentsOf(value: unknown): string {
  return isRecord(value) ? JSON.stringify(value) : (stringOf(value) ?? '');
}

function usageOf(usage: JsonRecord | undefined): Usage | undefined {
  if (usage === undefined) return undefined;
  return { promptTokens: tokensOf(usage.prompt_tokens), completionTokens: tokensOf(usage.completion_tokens) };
}

function tokensOf(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}

function isOverload(error: unknown): boolean {
  return error instanceof UpstreamRefusal && OVERLOADED_CODES.includes(error.status);
}
