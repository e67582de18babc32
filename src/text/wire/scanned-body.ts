import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { CanonicalJson, NotCanonical } from '../../lib/canonical-json.ts';
import type { LeasedBytes } from '../../lib/leased-bytes.ts';
import type { Passthrough } from '../passthrough.ts';
import type { KnownFields } from './known-fields.ts';

/** Scans the long lists of a body. Each method moves past its list, and throws `NotCanonical` if it cannot be sent on unchanged. */
export interface PromptGrammar {
  /** Parses the other members. */
  readonly fields: KnownFields;
  readMessages(json: CanonicalJson): ScannedMessages;
  /** The items as they are sent. */
  readTools(json: CanonicalJson): Buffer;
}

export interface ScannedMessages {
  /** The items after the system message. */
  readonly items: Buffer;
  readonly system: string | undefined;
}

/** Plain data of a scanned body, which may come from another thread. */
export interface ScannedParts {
  /** JSON with the messages and tools. */
  readonly bytes: Buffer;
  /** The other members of the body, parsed. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly messages: ScannedMessages;
  readonly tools: Buffer | undefined;
  /** Whether the bytes have memory of their own, which stays valid. */
  readonly isLasting?: boolean;
  /** Frees the bytes when the last of their holders has let go. */
  readonly lease?: LeasedBytes | undefined;
  /** Of the messages and tools as they are sent, if the thread that scanned them hashed them, too. */
  readonly hash?: string | undefined;
}

/**
 * A body whose messages and tools were not parsed: the scan has proven that they are valid, contain only known members, and can
 * be sent on byte by byte.
 */
export class ScannedBody {
  readonly fields: ScannedParts['fields'];
  readonly system: string | undefined;
  /** The bytes that may be sent on. */
  readonly lists: Omit<Passthrough, 'read'>;
  readonly parts: ScannedParts;
  #parsed: Readonly<Record<string, unknown>> | undefined;

  constructor(parts: ScannedParts) {
    this.parts = parts;
    this.fields = parts.fields;
    this.system = parts.messages.system;
    const { messages, tools = NOTHING, isLasting = false, lease, hash } = parts;
    this.lists = { messages: messages.items, tools, isLasting, lease, hash };
  }

  /** The same body with a hash of its lists. */
  hashed(): ScannedBody {
    const { messages, tools } = this.lists;
    const hash = createHash('sha256').update(`${messages.length},${tools.length},`);
    return new ScannedBody({ ...this.parts, hash: hash.update(messages).update(tools).digest('base64') });
  }

  /** Parses the whole body, for engines that cannot use its bytes. */
  parsed(): Readonly<Record<string, unknown>> {
    const { bytes, fields } = this.parts;
    this.#parsed ??= { ...fields, ...(JSON.parse(bytes.toString()) as Readonly<Record<string, unknown>>) };
    return this.#parsed;
  }
}

const NOTHING = Buffer.alloc(0);

/** Scans a body without parsing its long lists; `undefined` if it has to be parsed. */
export function scanBody(bytes: Buffer, grammar: PromptGrammar): ScannedBody | undefined {
  if (!isUtf8(bytes)) return undefined;
  try {
    return readBody(new CanonicalJson(bytes), grammar);
  } catch (error) {
    if (error instanceof NotCanonical || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function readBody(json: CanonicalJson, grammar: PromptGrammar): ScannedBody | undefined {
  let messages: ScannedMessages | undefined;
  let tools: Buffer | undefined;
  let isUsual = true;
  /** The other members with their commas; `from` is the start of those not added yet. */
  let others = '';
  let from: number | undefined;
  const takeOthers = (end: number) => {
    if (from !== undefined) others += json.bytes.toString('utf8', from, end);
    from = undefined;
  };
  json.members((at) => {
    if (json.has('"messages"', at)) {
      takeOthers(at);
      isUsual &&= messages === undefined;
      messages = grammar.readMessages(json);
    } else if (json.has('"tools"', at)) {
      takeOthers(at);
      isUsual &&= tools === undefined;
      tools = grammar.readTools(json);
    } else {
      from ??= at;
      json.parsedValue();
    }
  });
  takeOthers(json.at - 1);
  if (!isUsual || messages === undefined || !json.isAtEnd) return undefined;
  return new ScannedBody({ bytes: json.bytes, fields: grammar.fields.parse(others), messages, tools });
}
