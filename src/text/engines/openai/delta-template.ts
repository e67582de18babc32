import { Buffer } from 'node:buffer';
import { isRecord, type JsonRecord, listOf, parseJson, recordOf } from '../../../lib/json-record.ts';

const PROBE = 'probe';
const MAXIMUM_LESSONS = 3;
/** How many tokens there are so far, in servers that say so in every chunk. Nobody needs to know before the end. */
const RUNNING_COUNT = /(?<="(?:prompt|completion|total)_tokens":)\d+/;
const ZERO = 0x30;
const NINE = 0x39;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const LAST_ASCII = 0x7f;

/**
 * What stands around the text in the chunks of one answer. Servers repeat it byte by byte, so one chunk is parsed and the
 * next ones are compared with it: parsing each was an eighth of a stream's CPU in a profile.
 */
export class DeltaTemplate {
  /** What comes before the text, from the framing of the event to the quote, with a character for a byte. */
  #head = '';
  /** What follows the text, with a number between each two. */
  #tails: readonly string[] = [];
  #end = 0;
  #lessons = 0;

  /** Where the event ends that was read last. */
  get end(): number {
    return this.#end;
  }

  /**
   * The text of the event that begins here, if it is whole, framed in the usual way and differs from the learned one in nothing
   * else. The bytes come as latin1 and are only compared: an event is neither cut out nor decoded.
   */
  eventAt(bytes: string, from: number): string | undefined {
    const start = from + this.#head.length;
    // Slices are compared at memory speed, which startsWith is not.
    if (start === from || bytes.slice(from, start) !== this.#head) return undefined;
    let isAscii = true;
    let end = start;
    for (let code = bytes.charCodeAt(end); code !== QUOTE; code = bytes.charCodeAt(++end)) {
      // Also where the bytes end: no comparison holds for that.
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

  /** Learns from a chunk that was parsed, if it says nothing but text. */
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
    // The same letters may stand elsewhere: only where other ones change the text is the place of the text.
    if (textIn(`${before}"${PROBE}"${after}`) !== PROBE) return;
    this.#head = bytesOf(`data: ${before}"`);
    this.#tails = bytesOf(`"${after}\n\n`).split(RUNNING_COUNT);
  }
}

/** The text of a changed chunk; undefined also where the change broke it, as it does for the text `},`, which JSON itself is full of. */
function textIn(data: string): string | undefined {
  try {
    const chunk = parseJson(data);
    return isRecord(chunk) ? onlyText(chunk) : undefined;
  } catch {
    return undefined;
  }
}

function endOfNumber(bytes: string, from: number): number {
  let end = from;
  for (let code = bytes.charCodeAt(end); code >= ZERO && code <= NINE; code = bytes.charCodeAt(++end));
  return end;
}

function bytesOf(text: string): string {
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1');
}

/** The text of a chunk that has no other meaning. */
function onlyText(chunk: JsonRecord): string | undefined {
  const [choice, ...others] = listOf(chunk.choices);
  if (isGiven(chunk.error) || !isRecord(choice) || others.length > 0) return undefined;
  if ((choice.index ?? 0) !== 0 || isGiven(choice.finish_reason) || isGiven(choice.stop_reason)) {
    return undefined;
  }
  const { content, role: _role, ...rest } = recordOf(choice.delta) ?? {};
  if (typeof content !== 'string' || content === '') return undefined;
  return Object.values(rest).some(isGiven) ? undefined : content;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
