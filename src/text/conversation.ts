/** A chat request, independent of any wire format. */
export interface Conversation {
  /** Instructions before the first turn, if any. */
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
  /** Prompt caches are shared only within a scope; `undefined` is a scope of its own. */
  readonly cacheScope?: string | undefined;
}

/** The conversation as plain data, to send it to another process. */
export function asData(conversation: Conversation): Conversation {
  return changed(conversation, {});
}

/** A copy with changes. Parses turns and tools that were not parsed yet. */
export function changed(conversation: Conversation, changes: Partial<Conversation>): Conversation {
  const { system, turns, tools, toolChoice, parallelToolCalls, output, sampling } = conversation;
  const { templateArguments, cacheScope } = conversation;
  const most = { system, turns, tools, toolChoice, parallelToolCalls, output, sampling };
  return { ...most, templateArguments, cacheScope, ...changes };
}

/** A conversation with these fields and defaults for all others. */
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
  /** Reasoning before the text, for models that continue it after a tool result. */
  readonly reasoning?: string;
}

export interface ToolResultTurn {
  readonly role: 'tool';
  readonly callId: string;
  readonly parts: readonly Part[];
  readonly isError: boolean;
}

/** A part of a user's message or a tool result. */
export type Part = TextPart | AttachedPart | StoredPart;

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
  /** Added by the client, not written by the user: retrieval ignores it. */
  readonly isReminder?: true;
}

/** A file. Models with vision get images as they are, everything else is turned into text. */
export interface AttachedPart {
  readonly type: 'image' | 'document';
  /** As declared by the client; not verified. */
  readonly mediaType: string;
  readonly base64: string;
  readonly name: string | undefined;
}

/** A stored file of the stack, named by its id. It is read before the conversation is sent to an engine. */
export interface StoredPart {
  readonly type: 'file';
  readonly fileId: string;
  /** The field that names it, for messages. */
  readonly param: string;
  /** Unknown: its bytes tell. */
  readonly mediaType: 'application/octet-stream';
  /** Absent: the name it was stored with. */
  readonly name: string | undefined;
}

/** A stored file, in the field at this path. */
export function storedPart(fileId: string, param: string, name?: string): StoredPart {
  return { type: 'file', fileId, param, mediaType: 'application/octet-stream', name };
}

/** A tool that the model may call. */
export interface Tool {
  readonly name: string;
  readonly description: string | undefined;
  /** A JSON Schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>> | undefined;
  readonly strict: boolean;
}

/** Whether the model may or must call tools. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string };

/** A tool call of an earlier turn. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON, as the model wrote it. */
  readonly arguments: string;
}

/** The required form of the answer. */
export type OutputForm = { readonly type: 'text' } | { readonly type: 'json' } | SchemaOutput;

export interface SchemaOutput {
  readonly type: 'schema';
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
  /** The gateway validates the answer itself: a server that refuses the schema may get it as part of the prompt instead. */
  readonly isVerified?: true;
  /** Asks the engine for the probability of each token, where it can tell. */
  readonly tellsProbabilities?: boolean;
}

/** Sampling settings; `undefined` where the caller gave none. */
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
