import { createHash } from 'node:crypto';
import { type ChatBody, hasImages } from './chat-body.ts';

// What a chat template adds once around everything: generous, because it is only ever an upper bound. Around a turn it adds less than JSON does.
const TEMPLATE_OVERHEAD_TOKENS = 1_024;

type OtherFields = Omit<ChatBody, 'messages' | 'tools'>;

/** A chat request whose long parts are turned into JSON once: they are sent, hashed and counted as the same text. */
export class WrittenBody {
  readonly fields: OtherFields;
  readonly hasImages: boolean;
  readonly #prompt: string;

  constructor(body: ChatBody) {
    const { messages, tools, ...fields } = body;
    this.fields = fields;
    this.hasImages = hasImages(body);
    this.#prompt = JSON.stringify(tools === undefined ? { messages } : { messages, tools }).slice(1, -1);
  }

  /** The messages and tools, and beside them exactly these fields. */
  json(fields: object): string {
    return `{${this.#prompt},${JSON.stringify(fields).slice(1)}`;
  }

  /** An upper bound of the prompt's tokens, since a token is at least a byte; `undefined` where pictures make bytes say nothing. */
  tokenBound(): number | undefined {
    if (this.hasImages) return undefined;
    // A schema may be in any of the fields.
    const fieldBytes = Buffer.byteLength(JSON.stringify(this.fields));
    return Buffer.byteLength(this.#prompt) + fieldBytes + TEMPLATE_OVERHEAD_TOKENS;
  }

  /** A hash of what decides the prompt; how the answer is drawn does not. */
  promptHash(): string {
    const { tool_choice, response_format, chat_template_kwargs } = this.fields;
    return createHash('sha256')
      .update(JSON.stringify([tool_choice, response_format, chat_template_kwargs]))
      .update(this.#prompt)
      .digest('base64');
  }
}
