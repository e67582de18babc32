import { Buffer } from 'node:buffer';
import { isRecord, type JsonRecord, listOf, recordOf, tryParseJson } from '../../../lib/json-record.ts';

const PROBE = 'probe';
const MAXIMUM_LESSONS = 3;
/** A running token count, which some servers send in every chunk. Only the last one matters. */
const RUNNING_COUNT = /(?<="(?:prompt|completion|total)_tokens":)\d+/;
const ZERO = 0x30;
const NINE = 0x39;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const LAST_ASCII = 0x7f;

/**
 * The JSON around the text in the chunks of one answer. Servers repeat it byte by byte, so one chunk is parsed and the next
 * ones are compared with it: parsing each was an eighth of a stream's CPU in a profile.
 */
export class DeltaTemplate {
  /** The bytes before the text, from the start of the event to the opening quote, as latin1. */
  #head = '';
  /** The bytes after the text, split where a number may differ. */
  #tails: readonly string[] = [];
  #end = 0;
  #lessons = 0;

  /** The end of the event that was read last. */
  get end(): number {
    return this.#end;
  }

  /**
   * The text of the event at this position, if it is complete and otherwise equal to the learned one. The bytes are latin1 and only
   * compared: the event is neither sliced nor decoded.
   */
  eventAt(bytes: string, from: number): string | undefined {
    const start = from + this.#head.length;
    // Comparing slices is faster than `startsWith`.
    if (start === from || bytes.slice(from, start) !== this.#head) return undefined;
    let isAscii = true;
    let end = start;
    for (let code = bytes.charCodeAt(end); code !== QUOTE; code = bytes.charCodeAt(++end)) {
      // Also true at the end of the bytes, where `code` is NaN.
      if (!(code >= SPACE) || code === BACKSLASH) return undefined;
      if (code > LAST_ASCII) isAscii = false;
    }
    const stop = end === start ? undefined : this.#endOfTails(bytes, end);
    if (stop === undefined) return undefined;
    this.#end = stop;
    const text = bytes.slice(start, end);
    return isAscii ? text : Buffer.from(text, 'latin1').toString();
  }

  #endOfTails(bytes: string, from: number): number | undefined {
    let at = from;
    for (const tail of this.#tails) {
      if (at !== from) at = endOfNumber(bytes, at);
      const stop = at + tail.length;
      if (bytes.slice(at, stop) !== tail) return undefined;
      at = stop;
    }
    return at;
  }

  /** Learns from a parsed chunk that contains only text. */
  learn(data: string, chunk: JsonRecord): void {
    if (this.#lessons === MAXIMUM_LESSONS) return;
    const text = onlyText(chunk);
    if (text === undefined) return;
    this.#lessons += 1;
    const literal = JSON.stringify(text);
    const at = data.lastIndexOf(literal);
    if (at === -1) return;
    const before = data.slice(0, at);
    const after = data.slice(at + literal.length);
    // The same characters may occur elsewhere: the position is right if changing them changes the text.
    if (textIn(`${before}"${PROBE}"${after}`) !== PROBE) return;
    this.#head = bytesOf(`data: ${before}"`);
    this.#tails = bytesOf(`"${after}\n\n`).split(RUNNING_COUNT);
  }
}

/** The text of a changed chunk; undefined if the change broke the JSON, as it can for a text such as `},`. */
function textIn(data: string): string | undefined {
  const chunk = tryParseJson(data);
  return isRecord(chunk) ? onlyText(chunk) : undefined;
}

function endOfNumber(bytes: string, from: number): number {
  let end = from;
  for (let code = bytes.charCodeAt(end); code >= ZERO && code <= NINE; code = bytes.charCodeAt(++end));
  return end;
}

function bytesOf(text: string): string {
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1');
}

/** The text of a chunk, if it contains nothing else. */
function onlyText(chunk: JsonRecord): string | undefined {
  const [choice, ...others] = listOf(chunk.choices);
  if (isGiven(chunk.error) || !isRecord(choice) || others.length > 0) return undefined;
  if ((choice.index ?? 0) !== 0 || isGiven(choice.finish_reason) || isGiven(choice.stop_reason)) {
    return undefined;
  }
  // Each chunk tells the probability of its own tokens.
  if (isGiven(choice.logprobs)) return undefined;
  const { content, role: _role, ...rest } = recordOf(choice.delta) ?? {};
  if (typeof content !== 'string' || content === '') return undefined;
  return Object.values(rest).some(isGiven) ? undefined : content;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
