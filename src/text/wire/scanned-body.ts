import { isUtf8 } from 'node:buffer';
import { CanonicalJson, NotCanonical } from '../../lib/canonical-json.ts';
import type { Passthrough } from '../passthrough.ts';

/** How the long lists of a body are read; each reader moves past its list, and throws `NotCanonical` where it needs any change. */
export interface PromptGrammar {
  readMessages(json: CanonicalJson): ScannedMessages;
  /** The items as they are sent. */
  readTools(json: CanonicalJson): Buffer;
}

export interface ScannedMessages {
  /** The items, from the first that is no system message. */
  readonly items: Buffer;
  readonly system: string | undefined;
}

/** What a scanned body is made of: plain data, which another thread may have found. */
export interface ScannedParts {
  /** JSON with the messages and tools. */
  readonly bytes: Buffer;
  /** The other members of the body, parsed. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly messages: ScannedMessages;
  readonly tools: Buffer | undefined;
  /** Whether nobody else uses the memory of the bytes. */
  readonly isLasting?: boolean;
}

/**
 * A body whose messages and tools were not parsed: the scan has proven that they are valid, hold no name that is not on the
 * list, and are sent on byte by byte.
 */
export class ScannedBody {
  readonly fields: ScannedParts['fields'];
  readonly system: string | undefined;
  /** What may be passed on. */
  readonly lists: Omit<Passthrough, 'read'>;
  readonly parts: ScannedParts;
  #parsed: Readonly<Record<string, unknown>> | undefined;

  constructor(parts: ScannedParts) {
    this.parts = parts;
    this.fields = parts.fields;
    this.system = parts.messages.system;
    const { messages, tools = NOTHING, isLasting = false } = parts;
    this.lists = { messages: messages.items, tools, isLasting };
  }

  /** The whole body, for those who must look into it after all. */
  parsed(): Readonly<Record<string, unknown>> {
    const { bytes, fields } = this.parts;
    this.#parsed ??= { ...fields, ...(JSON.parse(bytes.toString()) as Readonly<Record<string, unknown>>) };
    return this.#parsed;
  }
}

const NOTHING = Buffer.alloc(0);

/** Reads a body without looking into its long texts; `undefined` where anything in it has to be parsed. */
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
  /** The other members, comma after comma, and where those began that are not in it yet. */
  let others = '';
  let from: number | undefined;
  const takeOthers = (end: number) => {
    if (from !== undefined) others += json.bytes.toString('utf8', from, end);
    from = undefined;
  };
  json.members((name, at) => {
    if (name === 'messages') {
      takeOthers(at);
      isUsual &&= messages === undefined;
      messages = grammar.readMessages(json);
    } else if (name === 'tools') {
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
  return new ScannedBody({ bytes: json.bytes, fields: parseFields(others), messages, tools });
}

/** Members with commas between them and perhaps one more, parsed by the parser itself, so that it judges them as it always does. */
function parseFields(members: string): Readonly<Record<string, unknown>> {
  const text = members.endsWith(',') ? members.slice(0, -1) : members;
  return JSON.parse(`{${text}}`) as Readonly<Record<string, unknown>>;
}
