import type { LeasedBytes } from '../lib/leased-bytes.ts';
import type { Conversation, OutputForm, Sampling, Tool, ToolChoice, Turn } from './conversation.ts';

/**
 * Turns and tools in their original bytes: the items of the two lists of a chat completions request, separated by commas. An
 * engine that speaks this format may send them on; all others read the conversation.
 */
export interface Passthrough {
  /** Without the system message. */
  readonly messages: Buffer;
  readonly tools: Buffer;
  /** Whether the bytes stay valid while they are referenced; otherwise only until the request is answered. */
  readonly isLasting: boolean;
  /** Frees large bytes when the last of their holders has let go. */
  readonly lease?: LeasedBytes | undefined;
  /** A hash of both lists, if there is one already. */
  readonly hash?: string | undefined;
  /** Parses the bytes. */
  readonly read: () => Pick<Conversation, 'turns' | 'tools'>;
}

/** A conversation without its two long lists. */
export type ConversationFields = Omit<Conversation, 'turns' | 'tools'>;

/** A conversation, with the original bytes of its turns and tools if they may be sent on. */
export interface AskedConversation {
  readonly conversation: Conversation;
  readonly passthrough?: Passthrough | undefined;
}

/** Whether there are tools; does not parse the bytes. */
export function hasTools({ conversation, passthrough }: AskedConversation): boolean {
  const { length } = passthrough?.tools ?? conversation.tools;
  return length > 0;
}

/** A conversation that parses its turns and tools on first use. */
export function unreadConversation(fields: ConversationFields, passthrough: Passthrough): AskedConversation {
  return { conversation: new UnreadConversation(fields, passthrough.read), passthrough };
}

/** The same conversation with another system text, sampling and scope; turns and tools stay unparsed. */
export function completed(
  { toolChoice, parallelToolCalls, output, templateArguments }: Conversation,
  passthrough: Passthrough,
  { system, sampling, cacheScope }: Pick<Conversation, 'system' | 'sampling' | 'cacheScope'>,
): Conversation {
  const fields = { system, toolChoice, parallelToolCalls, output, sampling, templateArguments, cacheScope };
  return new UnreadConversation(fields, passthrough.read);
}

/** A class gives all of them one shape: object literals with getters are slow in V8. */
class UnreadConversation implements Conversation {
  readonly system: string | undefined;
  readonly toolChoice: ToolChoice;
  readonly parallelToolCalls: boolean;
  readonly output: OutputForm;
  readonly sampling: Sampling;
  readonly templateArguments: Readonly<Record<string, unknown>>;
  readonly cacheScope: string | undefined;
  readonly #read: Passthrough['read'];

  constructor(fields: ConversationFields, read: Passthrough['read']) {
    this.system = fields.system;
    this.toolChoice = fields.toolChoice;
    this.parallelToolCalls = fields.parallelToolCalls;
    this.output = fields.output;
    this.sampling = fields.sampling;
    this.templateArguments = fields.templateArguments;
    this.cacheScope = fields.cacheScope;
    this.#read = read;
  }

  get turns(): readonly Turn[] {
    return this.#read().turns;
  }

  get tools(): readonly Tool[] {
    return this.#read().tools;
  }
}
