import { Buffer } from 'node:buffer';
import { createHash, type Hash } from 'node:crypto';
import { quotedJson } from '../../../lib/quoted-json.ts';
import type { JsonBytes } from '../../../upstream/upstream-exchange.ts';
import type { Conversation, WrittenPrompt } from '../../conversation.ts';
import {
  buildChatFields,
  buildChatPrompt,
  type ChatBodySettings,
  type ChatFields,
  hasImages,
} from './chat-body.ts';

// What a chat template adds once around everything: generous, because it is only ever an upper bound. Around a turn it adds less than JSON does.
const TEMPLATE_OVERHEAD_TOKENS = 1_024;

/** What is shorter is copied into one text, which is sent faster than several pieces. */
const MAXIMUM_TEXT_BYTES = 8 * 1024;

export interface WrittenBodyParts {
  readonly fields: ChatFields;
  /** The members `messages` and `tools`, without braces around them. */
  readonly prompt: string | JsonBytes;
  readonly hasImages: boolean;
  /** Of the conversation. */
  readonly cacheScope?: string | undefined;
}

/** Writes the request of a conversation, unless its turns and tools came written already. */
export function writeBody(conversation: Conversation, settings: ChatBodySettings): WrittenBody {
  const fields = buildChatFields(conversation, settings);
  const { written, system, cacheScope } = conversation;
  if (written !== undefined) {
    return new WrittenBody({ fields, prompt: promptBytes(written, system), hasImages: false, cacheScope });
  }
  const prompt = buildChatPrompt(conversation, settings.hasVision);
  return new WrittenBody({
    fields,
    prompt: JSON.stringify(prompt).slice(1, -1),
    hasImages: hasImages(prompt),
    cacheScope,
  });
}

const STREAMED = ',"stream":true,"stream_options":{"include_usage":true}}';
const STREAMED_AND_COUNTED =
  ',"stream":true,"stream_options":{"include_usage":true,"continuous_usage_stats":true}}';

/** What else a server is asked. */
export interface StreamedWays {
  /** For its usage so far in every chunk. */
  readonly isCounted?: boolean;
  /** To keep what it remembers of the prompt to the conversation's scope. */
  readonly isSalted?: boolean;
}

const PLAINLY: StreamedWays = {};

/** A chat request whose long parts are turned into JSON once: they are sent, hashed and counted as the same text. */
export class WrittenBody {
  readonly fields: ChatFields;
  readonly hasImages: boolean;
  readonly cacheScope: string | undefined;
  readonly #prompt: string | JsonBytes;
  #fieldsJson: string | undefined;

  constructor({ fields, prompt, hasImages, cacheScope }: WrittenBodyParts) {
    this.fields = fields;
    this.hasImages = hasImages;
    this.cacheScope = cacheScope;
    this.#prompt = prompt;
  }

  /** The request for an answer that is streamed, with its usage at the end, or also so far in every chunk. */
  streamed({ isCounted = false, isSalted = false }: StreamedWays = PLAINLY): string | JsonBytes {
    const end = isCounted ? STREAMED_AND_COUNTED : STREAMED;
    return this.#with(this.#ownFields().slice(1, -1) + (isSalted ? this.#salt() + end : end));
  }

  /** The request for an answer in one piece. */
  whole({ isSalted = false }: Pick<StreamedWays, 'isSalted'> = PLAINLY): string | JsonBytes {
    const fields = this.#ownFields();
    return this.#with(isSalted ? `${fields.slice(1, -1)}${this.#salt()}}` : fields.slice(1));
  }

  /** The scope as a member; it has no letter that JSON would escape. */
  #salt(): string {
    return this.cacheScope === undefined ? '' : `,"cache_salt":"${this.cacheScope}"`;
  }

  /** The messages and tools, and beside them exactly these fields. */
  json(fields: object): string | JsonBytes {
    return this.#with(JSON.stringify(fields).slice(1));
  }

  /** The same in memory of its own: the bytes of a request are there only until it is answered. */
  detached(): WrittenBody {
    if (typeof this.#prompt === 'string' || this.#prompt.pieces.length === 1) return this;
    const pieces = this.#prompt.pieces.map((piece) =>
      typeof piece === 'string' ? piece : Buffer.from(piece),
    );
    const { fields, hasImages, cacheScope } = this;
    return new WrittenBody({ fields, prompt: { pieces }, hasImages, cacheScope });
  }

  #ownFields(): string {
    this.#fieldsJson ??= fieldsJson(this.fields);
    return this.#fieldsJson;
  }

  #with(rest: string): string | JsonBytes {
    if (typeof this.#prompt === 'string') return `{${this.#prompt},${rest}`;
    return enclosed(this.#prompt, latin1Of(rest));
  }

  /** An upper bound of the prompt's tokens, since a token is at least a byte; `undefined` where pictures make bytes say nothing. */
  tokenBound(): number | undefined {
    if (this.hasImages) return undefined;
    // A schema may be in any of the fields.
    return this.sizeBytes + Buffer.byteLength(this.#ownFields()) + TEMPLATE_OVERHEAD_TOKENS;
  }

  /** Of the messages and tools. */
  get sizeBytes(): number {
    return sizeBytes(this.#prompt);
  }

  /** A hash of what decides the prompt, and of whose it is; how the answer is drawn does not. */
  promptHash(): string {
    const { tool_choice, response_format, chat_template_kwargs } = this.fields;
    const hash = createHash('sha256');
    hash.update(JSON.stringify([tool_choice, response_format, chat_template_kwargs, this.cacheScope]));
    if (typeof this.#prompt === 'string') hash.update(this.#prompt);
    else for (const piece of this.#prompt.pieces) addTo(hash, piece);
    return hash.digest('base64');
  }
}

/** As JSON.stringify writes them, which takes several times as long where there are only numbers and the model. */
export function fieldsJson(fields: ChatFields): string {
  let others = '';
  for (const name in fields) {
    const value = fields[name as keyof ChatFields];
    if (value === undefined || name === 'model') continue;
    if (typeof value !== 'number' || !Number.isFinite(value)) return JSON.stringify(fields);
    others += `,"${name}":${value}`;
  }
  return `{"model":${quotedJson(fields.model)}${others}}`;
}

function latin1Of(text: string): string {
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1');
}

function sizeBytes(prompt: string | JsonBytes): number {
  if (typeof prompt === 'string') return Buffer.byteLength(prompt);
  return prompt.pieces.reduce((bytes, piece) => bytes + piece.length, 0);
}

function addTo(hash: Hash, piece: string | Buffer): void {
  if (typeof piece === 'string') hash.update(piece, 'latin1');
  else hash.update(piece);
}

/** The members with braces around them, and others after them. */
function enclosed({ pieces }: JsonBytes, rest: string): JsonBytes {
  const all = [...pieces];
  all[0] = `{${all[0]}`;
  all[all.length - 1] += `,${rest}`;
  return { pieces: all };
}

// The first and the last piece are texts.
function promptBytes({ messages, tools }: WrittenPrompt, system: string | undefined): JsonBytes {
  const first = system === undefined ? '' : latin1Of(JSON.stringify({ role: 'system', content: system }));
  const comma = first === '' || messages.length === 0 ? '' : ',';
  const before = `"messages":[${first}${comma}`;
  if (messages.length + tools.length > MAXIMUM_TEXT_BYTES) {
    return {
      pieces: tools.length === 0 ? [before, messages, ']'] : [before, messages, '],"tools":[', tools, ']'],
    };
  }
  const list = `${before}${messages.toString('latin1')}]`;
  return { pieces: [tools.length === 0 ? list : `${list},"tools":[${tools.toString('latin1')}]`] };
}
