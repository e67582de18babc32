import { Buffer } from 'node:buffer';
import { createHash, type Hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { LeasedBytes } from '../../../lib/leased-bytes.ts';
import type { JsonBytes } from '../../../upstream/upstream-call.ts';
import type { AskedConversation, Passthrough } from '../../passthrough.ts';
import { TEMPLATE_OVERHEAD_TOKENS } from '../../prompt-size.ts';
import {
  buildChatFields,
  buildChatPrompt,
  type ChatBodySettings,
  type ChatFields,
  hasImages,
} from './chat-body.ts';
import type { WrittenFields } from './written-fields.ts';

/** Smaller prompts are copied into one string, which is sent faster than several pieces, and are cheap to write again. */
const MAXIMUM_TEXT_BYTES = 8 * 1024;

/** Hashing this much takes less than a millisecond. */
const HASHED_AT_ONCE = 256 * 1024;
const LAST_OF_ONE_UNIT = 0xffff;

export interface WrittenBodyParts {
  readonly fields: ChatFields;
  /** The same as JSON, if they are written already. */
  readonly fieldsJson?: string | undefined;
  /** The members `messages` and `tools`, without braces around them. */
  readonly prompt: string | JsonBytes;
  readonly hasImages: boolean;
  /** The cache scope of the conversation. */
  readonly cacheScope?: string | undefined;
  /** Whether the bytes of the prompt stay valid after its request. */
  readonly isLasting?: boolean | undefined;
  /** Frees the bytes when the last of their holders has let go. */
  readonly lease?: LeasedBytes | undefined;
  /** A hash of the pieces that are bytes. */
  readonly bytesHash?: string | undefined;
}

/** Writes the request of a conversation, reusing the original bytes of its turns and tools if there are any. */
export function writeBody(
  asked: AskedConversation,
  settings: ChatBodySettings,
  written?: WrittenFields,
): WrittenBody {
  const { conversation, passthrough } = asked;
  const fields = buildChatFields(asked, settings);
  const fieldsJson = written?.write(fields);
  const { system, cacheScope } = conversation;
  if (passthrough !== undefined) {
    const prompt = promptBytes(passthrough, system);
    const { isLasting, lease, hash: bytesHash } = passthrough;
    return new WrittenBody({
      fields,
      fieldsJson,
      prompt,
      hasImages: false,
      cacheScope,
      isLasting,
      lease,
      bytesHash,
    });
  }
  const prompt = buildChatPrompt(conversation, settings.hasVision);
  return new WrittenBody({
    fields,
    fieldsJson,
    prompt: JSON.stringify(prompt).slice(1, -1),
    hasImages: hasImages(prompt),
    cacheScope,
  });
}

const STREAMED = ',"stream":true,"stream_options":{"include_usage":true}}';
const STREAMED_AND_COUNTED =
  ',"stream":true,"stream_options":{"include_usage":true,"continuous_usage_stats":true}}';

const TELLS_PROBABILITIES = ',"logprobs":true';

/** Options of a request. */
export interface StreamedOptions {
  /** Requests usage in every chunk. */
  readonly isCounted?: boolean;
  /** Limits the server's prompt cache to the conversation's scope. */
  readonly isSalted?: boolean;
  /** Requests the probability of each token. */
  readonly tellsProbabilities?: boolean;
}

/** A chat request whose long parts are serialized once, then sent, hashed and counted as the same text. */
export class WrittenBody {
  readonly fields: ChatFields;
  readonly hasImages: boolean;
  readonly cacheScope: string | undefined;
  readonly #prompt: string | JsonBytes;
  readonly #isLasting: boolean;
  readonly #lease: LeasedBytes | undefined;
  readonly #bytesHash: string | undefined;
  #fieldsJson: string | undefined;

  constructor(parts: WrittenBodyParts) {
    const { fields, fieldsJson, prompt, hasImages, cacheScope, isLasting = false, lease, bytesHash } = parts;
    this.fields = fields;
    this.#fieldsJson = fieldsJson;
    this.hasImages = hasImages;
    this.cacheScope = cacheScope;
    this.#prompt = prompt;
    this.#bytesHash = bytesHash;
    this.#lease = lease;
    this.#isLasting = isLasting || typeof prompt === 'string' || prompt.pieces.length === 1;
  }

  /** The body of a streamed request, with usage at the end or in every chunk. */
  streamed({ isCounted, isSalted, tellsProbabilities }: StreamedOptions = {}): string | JsonBytes {
    const last = isCounted ? STREAMED_AND_COUNTED : STREAMED;
    const end = tellsProbabilities ? TELLS_PROBABILITIES + last : last;
    return this.#with(this.#ownFields().slice(1, -1) + (isSalted ? this.#salt() + end : end));
  }

  /** The body of a request for an answer in one piece. */
  whole({ isSalted }: Pick<StreamedOptions, 'isSalted'> = {}): string | JsonBytes {
    const fields = this.#ownFields();
    return this.#with(isSalted ? `${fields.slice(1, -1)}${this.#salt()}}` : fields.slice(1));
  }

  /** The scope as a member; it has no characters that JSON escapes. */
  #salt(): string {
    return this.cacheScope === undefined ? '' : `,"cache_salt":"${this.cacheScope}"`;
  }

  /** A body with the messages, the tools and exactly these fields. */
  json(fields: object): string | JsonBytes {
    return this.#with(JSON.stringify(fields).slice(1));
  }

  /** Keeps bytes that would be freed with the request. */
  hold(): Disposable | undefined {
    return this.#lease?.hold();
  }

  /** A copy that stays valid after the request is answered, while bytes that would be freed are held. */
  detached(): WrittenBody {
    if (this.#isLasting || typeof this.#prompt === 'string') return this;
    const pieces = this.#prompt.pieces.map((piece) =>
      typeof piece === 'string' ? piece : Buffer.from(piece),
    );
    const { fields, hasImages, cacheScope } = this;
    const bytesHash = this.#bytesHash;
    return new WrittenBody({ fields, prompt: { pieces }, hasImages, cacheScope, isLasting: true, bytesHash });
  }

  #ownFields(): string {
    this.#fieldsJson ??= JSON.stringify(this.fields);
    return this.#fieldsJson;
  }

  #with(rest: string): string | JsonBytes {
    if (typeof this.#prompt === 'string') return `{${this.#prompt},${rest}`;
    return enclosed(this.#prompt, latin1Of(rest), this.#lease);
  }

  /** An upper bound of the prompt's tokens, since a token is at least one byte; `undefined` with pictures. */
  tokenBound(): number | undefined {
    if (this.hasImages) return undefined;
    // The schema may be in any field. A template adds less to a turn than JSON does.
    return this.sizeBytes + Buffer.byteLength(this.#ownFields()) + TEMPLATE_OVERHEAD_TOKENS;
  }

  /** Whether its messages and tools are a short text. */
  get isShort(): boolean {
    return typeof this.#prompt === 'string' && this.#prompt.length <= MAXIMUM_TEXT_BYTES;
  }

  /** Size of the messages and tools. */
  get sizeBytes(): number {
    if (typeof this.#prompt === 'string') return Buffer.byteLength(this.#prompt);
    return this.#prompt.pieces.reduce((bytes, piece) => bytes + piece.length, 0);
  }

  /** A hash of everything that decides the prompt, and of its scope, but not of sampling. Asynchronous for long prompts. */
  promptHash(): string | Promise<string> {
    const { tool_choice, response_format, chat_template_kwargs } = this.fields;
    const hash = createHash('sha256');
    hash.update(JSON.stringify([tool_choice, response_format, chat_template_kwargs, this.cacheScope]));
    const isText = typeof this.#prompt === 'string';
    const pieces = isText ? [this.#prompt] : this.#prompt.pieces.filter((piece) => this.#isUnhashed(piece));
    if (this.#bytesHash !== undefined) hash.update(this.#bytesHash);
    const encoding = isText ? 'utf8' : 'latin1';
    const isLong = this.#isLasting && pieces.some(({ length }) => length > HASHED_AT_ONCE);
    if (isLong) return hashInTurns(hash, pieces, encoding);
    for (const piece of pieces) addTo(hash, piece, encoding);
    return hash.digest('base64');
  }

  #isUnhashed(piece: string | Buffer): boolean {
    return typeof piece === 'string' || this.#bytesHash === undefined;
  }
}

function latin1Of(text: string): string {
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1');
}

function addTo(hash: Hash, piece: string | Buffer, encoding: 'utf8' | 'latin1'): void {
  if (typeof piece === 'string') hash.update(piece, encoding);
  else hash.update(piece);
}

/** Hashes in parts, so that other requests are served in between. */
async function hashInTurns(
  hash: Hash,
  pieces: readonly (string | Buffer)[],
  encoding: 'utf8' | 'latin1',
): Promise<string> {
  for (const piece of pieces) {
    for (let from = 0; from < piece.length; ) {
      const end = endOfPart(piece, from + HASHED_AT_ONCE);
      addTo(hash, typeof piece === 'string' ? piece.slice(from, end) : piece.subarray(from, end), encoding);
      from = end;
      await setImmediate();
    }
  }
  return hash.digest('base64');
}

/** Keeps surrogate pairs together: alone, each half would be encoded as U+FFFD. */
function endOfPart(piece: string | Buffer, end: number): number {
  const isWithinCharacter = typeof piece === 'string' && (piece.codePointAt(end - 1) ?? 0) > LAST_OF_ONE_UNIT;
  return isWithinCharacter ? end + 1 : end;
}

/** Adds braces around the members, and more members after them. */
function enclosed({ pieces }: JsonBytes, rest: string, lease: LeasedBytes | undefined): JsonBytes {
  const all = [...pieces];
  all[0] = `{${all[0]}`;
  all[all.length - 1] += `,${rest}`;
  return { pieces: all, lease };
}

// The first and the last piece are strings.
function promptBytes({ messages, tools }: Passthrough, system: string | undefined): JsonBytes {
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
