/** What a client asks of a text engine, free of any wire format. */
export interface Conversation {
  /** Instructions before the first turn; `undefined` where there are none. */
  readonly system: string | undefined;
  /** Oldest first. */
  readonly turns: readonly Turn[];
  readonly tools: readonly Tool[];
  readonly toolChoice: ToolChoice;
  /** False: at most one tool call in the answer. */
  readonly parallelToolCalls: boolean;
  readonly output: OutputForm;
  readonly sampling: Sampling;
  /** Switches of a model family's chat template, such as `enable_thinking`. */
  readonly templateArguments: Readonly<Record<string, unknown>>;
  /** The turns and tools again, where they came in the very bytes that they are sent on in; see `asWritten`. */
  readonly written?: WrittenPrompt | undefined;
}

/** Turns and tools as JSON in the common chat format: the items of its two lists, with commas between them. */
export interface WrittenPrompt {
  /** Without the system message. */
  readonly messages: Buffer;
  readonly tools: Buffer;
}

/** Says of a conversation in which bytes its turns and tools came. A copy of it does not have them, for its turns may be others. */
export function asWritten(conversation: Conversation, written: WrittenPrompt | undefined): Conversation {
  return Object.defineProperty(conversation, 'written', { value: written, enumerable: false });
}

/** The same conversation with another system text and sampling; turns and tools that nobody has read stay unread. */
export function completed(
  conversation: Conversation,
  { system, sampling }: Pick<Conversation, 'system' | 'sampling'>,
): Conversation {
  const { toolChoice, parallelToolCalls, output, templateArguments, written } = conversation;
  const changed: Conversation = {
    system,
    get turns() {
      return conversation.turns;
    },
    get tools() {
      return conversation.tools;
    },
    toolChoice,
    parallelToolCalls,
    output,
    sampling,
    templateArguments,
  };
  return asWritten(changed, written);
}

/** One message of a conversation. */
export type Turn = UserTurn | AssistantTurn | ToolResultTurn;

export interface UserTurn {
  readonly role: 'user';
  readonly parts: readonly Part[];
}

export interface AssistantTurn {
  readonly role: 'assistant';
  /** Empty when the turn only calls tools. */
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
}

export interface ToolResultTurn {
  readonly role: 'tool';
  readonly callId: string;
  readonly parts: readonly Part[];
  readonly isError: boolean;
}

/** A piece of what a user or a tool says. */
export type Part = TextPart | AttachedPart;

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
  /** Put there by the client, not said by the user: no part of the question that retrieval asks. */
  readonly isReminder?: true;
}

/** Bytes that a model with vision sees as they are, and others as text. */
export interface AttachedPart {
  readonly type: 'image' | 'document';
  /** As the client said; not checked. */
  readonly mediaType: string;
  readonly base64: string;
  readonly name: string | undefined;
}

/** A tool that the model may call. */
export interface Tool {
  readonly name: string;
  readonly description: string | undefined;
  /** A JSON Schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>> | undefined;
  readonly strict: boolean;
}

/** Whether tools may or must be called. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string };

/** A call that the model made earlier. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON text, as the model wrote it. */
  readonly arguments: string;
}

/** The form that the answer must have. */
export type OutputForm =
  | { readonly type: 'text' }
  | { readonly type: 'json' }
  | { readonly type: 'schema'; readonly name: string; readonly schema: Readonly<Record<string, unknown>> };

/** How the answer is drawn. What the caller did not say is absent. */
export interface Sampling {
  readonly maxTokens: number;
  readonly temperature: number | undefined;
  readonly topP: number | undefined;
  readonly topK: number | undefined;
  /** At most four; never part of the answer. */
  readonly stop: readonly string[];
  readonly seed: number | undefined;
  readonly presencePenalty: number | undefined;
  readonly frequencyPenalty: number | undefined;
}
