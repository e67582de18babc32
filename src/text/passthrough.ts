import type { Conversation, OutputForm, Sampling, Tool, ToolChoice, Turn } from './conversation.ts';

/**
 * Turns and tools in the bytes in which they came, as JSON of the common chat format: the items of its two lists, with commas
 * between them. An engine that speaks that format may send them on; all others read the conversation.
 */
export interface Passthrough {
  /** Without the system message. */
  readonly messages: Buffer;
  readonly tools: Buffer;
  /** Whether the bytes are there for as long as somebody holds them; otherwise only until the request is answered. */
  readonly isLasting: boolean;
  /** The same, read. */
  readonly read: () => Pick<Conversation, 'turns' | 'tools'>;
}

/** What a conversation says beside its two long lists. */
export type ConversationFields = Omit<Conversation, 'turns' | 'tools'>;

/** A conversation, and perhaps its turns and tools as they came. */
export interface AskedConversation {
  readonly conversation: Conversation;
  readonly passthrough?: Passthrough | undefined;
}

/** Whether there are tools; those that came in bytes are not read for this. */
export function hasTools({ conversation, passthrough }: AskedConversation): boolean {
  const { length } = passthrough?.tools ?? conversation.tools;
  return length > 0;
}

/** A conversation whose turns and tools are read when they are asked for. */
export function unreadConversation(fields: ConversationFields, passthrough: Passthrough): AskedConversation {
  return { conversation: new UnreadConversation(fields, passthrough.read), passthrough };
}

/** The same conversation with another system text, sampling and scope; what was not read stays unread. */
export function completed(
  { toolChoice, parallelToolCalls, output, templateArguments }: Conversation,
  passthrough: Passthrough,
  { system, sampling, cacheScope }: Pick<Conversation, 'system' | 'sampling' | 'cacheScope'>,
): Conversation {
  const fields = { system, toolChoice, parallelToolCalls, output, sampling, templateArguments, cacheScope };
  return new UnreadConversation(fields, passthrough.read);
}

/** A class, so that all of them have one shape: object literals with getters are the slowest that V8 knows. */
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
