import { Buffer } from 'node:buffer';
import { isRecord, type JsonRecord, listOf, parseJson, recordOf } from '../../../lib/json-record.ts';

/** A JSON string with nothing to decode in it. */
const PLAIN_STRING = /^"[^"\\\p{Cc}]+"$/u;
/** An id that is written as it is, and has no other meaning anywhere. */
const PLAIN_ID = /^[\w.:-]+$/;
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

/** What stood around the text of one answer. */
interface AnswerShape {
  readonly before: string;
  readonly after: string;
  /** What it says of this answer only. */
  readonly id: string;
  readonly created: string;
}

/** What a server's answers looked like, so that not each of them has to be learned. */
export class ShapeMemory {
  #plain: AnswerShape | undefined;
  /** Of answers that tell their usage in every chunk. */
  #counted: AnswerShape | undefined;

  keep(before: string, after: string, chunk: JsonRecord): void {
    const names = namesOf(chunk);
    if (names === undefined || countOf(before, names.id) !== 1 || countOf(before, names.created) !== 1)
      return;
    if (isGiven(chunk.usage)) this.#counted = { before, after, ...names };
    else this.#plain = { before, after, ...names };
  }

  /**
   * The remembered shape with the id and time of the answer that this chunk belongs to. A quote within a JSON text is escaped,
   * so `"id":"` can only be the member itself.
   */
  recall(chunk: JsonRecord): { readonly before: string; readonly after: string } | undefined {
    const shape = isGiven(chunk.usage) ? this.#counted : this.#plain;
    const names = shape === undefined ? undefined : namesOf(chunk);
    if (shape === undefined || names === undefined) return undefined;
    const before = shape.before.replace(shape.id, () => names.id).replace(shape.created, () => names.created);
    return { before, after: shape.after };
  }
}

/**
 * What stands around the text in the chunks of one answer. Servers repeat it byte by byte, so one chunk is parsed and the
 * next ones are compared with it: parsing each was an eighth of a stream's CPU in a profile.
 */
export class DeltaTemplate {
  #before = '';
  #after = '';
  /** The same with the framing of an event, and with a byte for a character. */
  #head = '';
  /** What follows the text, with a number between each two. */
  #tails: readonly string[] = [];
  readonly #memory: ShapeMemory;
  #end = 0;
  #lessons = 0;
  #hasRecalled = false;

  /** The memory is of the server that answers. */
  constructor(memory: ShapeMemory) {
    this.#memory = memory;
  }

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

  /** The text of a chunk that differs from the learned one in nothing else; `undefined` where it must be parsed. */
  textOf(data: string): string | undefined {
    const { length } = this.#before;
    if (length === 0 || !data.startsWith(this.#before) || !data.endsWith(this.#after)) return undefined;
    const literal = data.slice(length, data.length - this.#after.length);
    return PLAIN_STRING.test(literal) ? literal.slice(1, -1) : undefined;
  }

  /** Learns from a chunk that was parsed, if it says nothing but text. The first of an answer tells what to expect of it. */
  learn(data: string, chunk: JsonRecord): void {
    if (!this.#hasRecalled) {
      this.#hasRecalled = true;
      const expected = this.#memory.recall(chunk);
      if (expected !== undefined) {
        this.#expect(expected.before, expected.after);
        return;
      }
    }
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
    const probe = parseJson(`${before}"${PROBE}"${after}`);
    if (!isRecord(probe) || onlyText(probe) !== PROBE) return;
    this.#expect(before, after);
    this.#memory.keep(before, after, chunk);
  }

  #expect(before: string, after: string): void {
    this.#before = before;
    this.#after = after;
    this.#head = bytesOf(`data: ${before}"`);
    this.#tails = bytesOf(`"${after}\n\n`).split(RUNNING_COUNT);
  }
}

/** The two members of a chunk that differ from answer to answer, as they are written; `undefined` where they are not plain. */
function namesOf({ id, created }: JsonRecord): Pick<AnswerShape, 'id' | 'created'> | undefined {
  if (typeof id !== 'string' || !Number.isSafeInteger(created) || !PLAIN_ID.test(id)) return undefined;
  return { id: `"id":"${id}"`, created: `"created":${created},` };
}

function countOf(text: string, part: string): number {
  return text.split(part).length - 1;
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
