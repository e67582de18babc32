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
  /** Only conversations of the same scope share what caches remember of prompts; `undefined` is a scope like any other. */
  readonly cacheScope?: string | undefined;
}

/** All of a conversation as plain data, as it is sent to another process. */
export function asData(conversation: Conversation): Conversation {
  return changed(conversation, {});
}

/** A copy with changes. Its turns and tools are read. */
export function changed(conversation: Conversation, changes: Partial<Conversation>): Conversation {
  const { system, turns, tools, toolChoice, parallelToolCalls, output, sampling } = conversation;
  const { templateArguments, cacheScope } = conversation;
  const most = { system, turns, tools, toolChoice, parallelToolCalls, output, sampling };
  return { ...most, templateArguments, cacheScope, ...changes };
}

/** A conversation that says this, and nothing else. */
export function bareConversation(
  said: Partial<Omit<Conversation, 'sampling'>>,
  { maxTokens, temperature, topP }: Pick<Sampling, 'maxTokens'> & Partial<Sampling>,
): Conversation {
  return {
    system: undefined,
    turns: [],
    tools: [],
    toolChoice: 'auto',
    parallelToolCalls: true,
    output: { type: 'text' },
    sampling: {
      maxTokens,
      temperature,
      topP,
      topK: undefined,
      stop: [],
      seed: undefined,
      presencePenalty: undefined,
      frequencyPenalty: undefined,
    },
    templateArguments: {},
    ...said,
  };
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
  /** Thoughts before it, for models that go on with them after a tool's answer. */
  readonly reasoning?: string;
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
export type OutputForm = { readonly type: 'text' } | { readonly type: 'json' } | SchemaOutput;

export interface SchemaOutput {
  readonly type: 'schema';
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
  /** Whoever asks validates the answer: where a server refuses the schema, it may be told of it in words alone. */
  readonly isVerified?: true;
}

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
