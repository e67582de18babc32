import { Buffer } from 'node:buffer';
import {
  isRecord,
  type JsonRecord,
  listOf,
  parseJson,
  recordOf,
  stringOf,
} from '../../../lib/json-record.ts';

/** What an answer in one piece says, where it says nothing else. */
export interface WholeText {
  readonly text: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly finishReason: string | undefined;
  readonly stopReason: string | undefined;
}

type Slot = 'id' | 'created' | 'content' | 'prompt_tokens' | 'completion_tokens' | 'total_tokens';

/** An answer without what differs from one to the next. */
interface WholeShape {
  /** What stands before, between and after the slots, with a character for a byte. */
  readonly parts: readonly string[];
  readonly slots: readonly Slot[];
  readonly finishReason: string | undefined;
  readonly stopReason: string | undefined;
}

/** A quote within a JSON text is escaped, so these can only be members. */
const SLOTS =
  /(?<="(?:id|content)":")(?:[^"\\]|\\.)*(?=")|(?<="(?:created|prompt_tokens|completion_tokens|total_tokens)":)\d+/g;
const SLOT_NAME = /"(\w+)":"?$/;
const SLOT_COUNT = 6;
const PROBES: Readonly<Record<Slot, string>> = {
  id: 'probe',
  created: '1',
  content: 'a probe',
  prompt_tokens: '2',
  completion_tokens: '3',
  total_tokens: '4',
};
/** What ends a text: a quote, and another that cannot be within one. */
const TEXT_END = /^"[^"\\]*"/;
const PLAIN_ID = /^[\w.:-]+$/;
const NUMBER = /^(?:0|[1-9]\d{0,14})$/;
/** Not only what stands for itself: escapes, and what must not be within a text. */
const NEEDS_DECODING = /["\\\p{Cc}]/u;
const MAXIMUM_LESSON_BYTES = 16 * 1024;
const MAXIMUM_LESSONS = 20;
const MAXIMUM_SHAPES = 3;

/**
 * How a server writes answers in one piece. It repeats all but the id, the time, the text and three numbers byte by byte, so
 * one answer is parsed and the next ones are compared with it.
 */
export class WholeTemplate {
  #shapes: readonly WholeShape[] = [];
  #lessons = 0;

  /** What an answer says that differs from a learned one in nothing else; `undefined` where it must be parsed. */
  read(body: Buffer): WholeText | undefined {
    if (this.#shapes.length === 0) return undefined;
    const bytes = body.toString('latin1');
    for (const shape of this.#shapes) {
      const found = readBy(shape, bytes);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Learns from an answer that was parsed, if it says nothing but text. */
  learn(body: Buffer, answer: JsonRecord): void {
    const choice = onlyChoice(answer);
    if (choice === undefined || this.#lessons === MAXIMUM_LESSONS || body.length > MAXIMUM_LESSON_BYTES)
      return;
    this.#lessons += 1;
    const shape = shapeOf(body.toString('latin1'), choice);
    if (shape !== undefined) this.#shapes = [shape, ...this.#shapes].slice(0, MAXIMUM_SHAPES);
  }
}

function readBy(
  { parts, slots, finishReason, stopReason }: WholeShape,
  bytes: string,
): WholeText | undefined {
  const values = valuesBetween(parts, bytes);
  if (values === undefined) return undefined;
  let text: string | undefined;
  let [promptTokens, completionTokens] = [0, 0];
  for (const [index, slot] of slots.entries()) {
    const value = values[index] ?? '';
    if (slot === 'content') text = decoded(value);
    else if (!(slot === 'id' ? PLAIN_ID : NUMBER).test(value)) return undefined;
    else if (slot === 'prompt_tokens') promptTokens = Number(value);
    else if (slot === 'completion_tokens') completionTokens = Number(value);
  }
  if (text === undefined) return undefined;
  return { text, promptTokens, completionTokens, finishReason, stopReason };
}

/** What stands between the parts; `undefined` where they do not follow each other, or something else comes after them. */
function valuesBetween(parts: readonly string[], bytes: string): readonly string[] | undefined {
  const [first = ''] = parts;
  if (!bytes.startsWith(first)) return undefined;
  const values: string[] = [];
  let from = first.length;
  for (let index = 1; index < parts.length; index++) {
    const part = parts[index] ?? '';
    const end = bytes.indexOf(part, from);
    if (end === -1) return undefined;
    values.push(bytes.slice(from, end));
    from = end + part.length;
  }
  return from === bytes.length ? values : undefined;
}

function isAsciiText(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

/** A text within its quotes, of one character for a byte; `undefined` where it is none. */
function decoded(literal: string): string | undefined {
  const text = isAsciiText(literal) ? literal : Buffer.from(literal, 'latin1').toString();
  if (!NEEDS_DECODING.test(text)) return text;
  try {
    return stringOf(parseJson(`"${text}"`));
  } catch {
    return undefined;
  }
}

function shapeOf(bytes: string, choice: JsonRecord): WholeShape | undefined {
  const parts: string[] = [];
  const slots: Slot[] = [];
  let from = 0;
  for (const { index, 0: value } of bytes.matchAll(SLOTS)) {
    const part = bytes.slice(from, index);
    parts.push(part);
    slots.push(SLOT_NAME.exec(part)?.[1] as Slot);
    from = index + value.length;
  }
  parts.push(bytes.slice(from));
  if (slots.length !== SLOT_COUNT || !TEXT_END.test(parts[slots.indexOf('content') + 1] ?? ''))
    return undefined;
  // What is compared is not decoded.
  if (!parts.every(isAsciiText)) return undefined;
  // Members of these names may stand elsewhere: only where other values change what is read are their places.
  const probe = parseJson(parts.map((part, index) => part + (PROBES[slots[index] as Slot] ?? '')).join(''));
  if (!isRecord(probe) || !isProbe(probe)) return undefined;
  return {
    parts,
    slots,
    finishReason: stringOf(choice.finish_reason),
    stopReason: stringOf(choice.stop_reason),
  };
}

function isProbe(probe: JsonRecord): boolean {
  const { id, created, usage } = probe;
  const { content } = recordOf(onlyChoice(probe)?.message) ?? {};
  const { prompt_tokens, completion_tokens, total_tokens } = recordOf(usage) ?? {};
  const found = { id, created, content, prompt_tokens, completion_tokens, total_tokens };
  return Object.entries(found).every(([name, value]) => String(value) === PROBES[name as Slot]);
}

/** The choice of an answer that has no other meaning than its text. */
function onlyChoice(answer: JsonRecord): JsonRecord | undefined {
  const [choice, ...others] = listOf(answer.choices);
  if (isGiven(answer.error) || !isRecord(choice) || others.length > 0 || (choice.index ?? 0) !== 0) {
    return undefined;
  }
  if (isGiven(choice.delta)) return undefined;
  const { content, role: _role, ...rest } = recordOf(choice.message) ?? {};
  if (typeof content !== 'string' || content === '' || Object.values(rest).some(isGiven)) return undefined;
  return choice;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
}
