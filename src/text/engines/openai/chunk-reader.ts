import { isRecord, type JsonRecord, listOf, parseJson, recordOf } from '../../../lib/json-record.ts';
import { overloaded, UpstreamRefusal, unusable } from '../../../upstream/engine-faults.ts';
import type { TextEvent, Usage } from '../../text-event.ts';
import type { TakeCallId } from './block-sequencer.ts';
import { ChoiceReader } from './choice-reader.ts';
import { DeltaTemplate } from './delta-template.ts';
import { EventStreamParser } from './event-stream-parser.ts';

/** Options that depend on the request. */
export interface ChunkReaderOptions {
  readonly stop: readonly string[];
  readonly takeCallId: TakeCallId;
  /** Removes secrets from an error of the server before it becomes a cause. */
  readonly redact: (text: string) => string;
  /** A larger limit for one event. */
  readonly mostPieceBytes?: number;
}

const NO_USAGE: Usage = { promptTokens: 0, completionTokens: 0 };
const OVERLOADED_CODES: readonly unknown[] = [429, 503, 529];

/**
 * Turns the bytes of a chat answer into events, including `finish` but not `start`. Synchronous; throws a fault if the answer is
 * unusable. Usage is 0 if the server sends none. Events that match the template of an earlier one are not parsed.
 */
export class ChunkReader {
  readonly #events: EventStreamParser;
  readonly #choice: ChoiceReader;
  readonly #template = new DeltaTemplate();
  readonly #redact: (text: string) => string;
  #usage: Usage | undefined;
  #startsWithUsage = false;
  #chunkCount = 0;
  #isFinished = false;

  constructor({ stop, takeCallId, redact, mostPieceBytes }: ChunkReaderOptions) {
    this.#events = new EventStreamParser(mostPieceBytes);
    this.#choice = new ChoiceReader(stop, takeCallId);
    this.#redact = redact;
  }

  /** Whether `finish` was emitted; everything after it is ignored. */
  get isFinished(): boolean {
    return this.#isFinished;
  }

  /** The latest usage from the server. */
  get usage(): Usage | undefined {
    return this.#usage;
  }

  get chunkCount(): number {
    return this.#chunkCount;
  }

  /** Whether the first chunk contained the number of prompt tokens. */
  get startsWithUsage(): boolean {
    return this.#startsWithUsage;
  }

  /** Reads more bytes of a stream. */
  feed(bytes: Buffer): TextEvent[] {
    return this.#guarded((events) => {
      const text = bytes.toString('latin1');
      let from = 0;
      while (from < bytes.length && !this.#isFinished) {
        const delta = this.#events.isBetweenEvents ? this.#template.eventAt(text, from) : undefined;
        if (delta === undefined) {
          const end = text.indexOf('\n\n', from);
          const stop = end === -1 ? bytes.length : end + 2;
          for (const data of this.#events.feed(bytes.subarray(from, stop))) this.#readData(data, events);
          from = stop;
        } else {
          this.#chunkCount += 1;
          this.#choice.addText(delta, events);
          from = this.#template.end;
        }
      }
    });
  }

  /** Ends the stream. */
  end(): TextEvent[] {
    return this.#guarded((events) => {
      const rest = this.#events.end();
      if (rest !== undefined) this.#readData(rest, events);
      if (!this.#isFinished) this.#finish(events);
    });
  }

  /** Reads the JSON body of a server that does not stream. */
  readWhole(body: Buffer): TextEvent[] {
    return this.#guarded((events) => {
      this.#readChunk(parseJson(body.toString()), events);
      this.#finish(events);
    });
  }

  #guarded(read: (events: TextEvent[]) => void): TextEvent[] {
    const events: TextEvent[] = [];
    try {
      read(events);
    } catch (error) {
      const isOverload = error instanceof UpstreamRefusal && OVERLOADED_CODES.includes(error.status);
      throw isOverload ? overloaded(error) : unusable(error);
    }
    return events;
  }

  #readData(data: string, events: TextEvent[]): void {
    if (this.#isFinished || data === '') return;
    if (data === '[DONE]') this.#finish(events);
    else this.#template.learn(data, this.#readChunk(parseJson(data), events));
  }

  #readChunk(chunk: unknown, events: TextEvent[]): JsonRecord {
    if (!isRecord(chunk)) throw new Error('a chunk is no object');
    if (chunk.error !== undefined && chunk.error !== null) throw this.#refusal(chunk.error);
    this.#chunkCount += 1;
    this.#usage = usageOf(recordOf(chunk.usage)) ?? this.#usage;
    if (this.#chunkCount === 1) this.#startsWithUsage = (this.#usage?.promptTokens ?? 0) > 0;
    for (const choice of listOf(chunk.choices)) {
      if (isRecord(choice) && (choice.index ?? 0) === 0) this.#choice.read(choice, events);
    }
    return chunk;
  }

  #refusal(error: unknown): UpstreamRefusal {
    const code = isRecord(error) ? Number(error.code ?? 0) : 0;
    return new UpstreamRefusal(code, this.#redact(JSON.stringify(error)));
  }

  #finish(events: TextEvent[]): void {
    this.#choice.finish(this.#usage ?? NO_USAGE, events);
    this.#isFinished = true;
  }
}

function usageOf(usage: JsonRecord | undefined): Usage | undefined {
  if (usage === undefined) return undefined;
  const promptTokens = tokensOf(usage.prompt_tokens);
  const completionTokens = tokensOf(usage.completion_tokens);
  const cachedTokens = tokensOf(recordOf(usage.prompt_tokens_details)?.cached_tokens);
  return { promptTokens, completionTokens, ...(cachedTokens > 0 && { cachedTokens }) };
}

function tokensOf(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}
