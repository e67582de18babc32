import type { Conversation, Tool, ToolChoice } from '../../conversation.ts';
import { type ChatMessage, toMessages } from './chat-messages.ts';
import { outputFields, type SchemaForm } from './schema-forms.ts';

/** What the model reads: the long part of a chat request. */
export interface ChatPrompt {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly object[];
}

/** The other fields of a chat request; with the prompt they are all that a server is ever sent. */
export interface ChatFields {
  readonly model: string;
  readonly tool_choice?: string | object;
  readonly parallel_tool_calls?: false;
  readonly response_format?: object;
  readonly guided_json?: object;
  readonly structured_outputs?: object;
  readonly temperature: number;
  readonly top_p: number;
  readonly top_k?: number;
  readonly max_tokens: number;
  readonly stop?: readonly string[];
  readonly seed?: number;
  readonly presence_penalty?: number;
  readonly frequency_penalty?: number;
  readonly chat_template_kwargs?: Readonly<Record<string, unknown>>;
}

/** What is the same for every request of an engine. */
export interface ChatBodySettings {
  readonly model: string;
  readonly hasVision: boolean;
  readonly defaultTemperature: number;
  /** How the server is told of schemas; as OpenAI does unless said. */
  readonly schemaForm?: SchemaForm;
}

const NO_PARAMETERS = { type: 'object', properties: {} };

/** Builds the prompt of a conversation. */
export function buildChatPrompt(conversation: Conversation, hasVision: boolean): ChatPrompt {
  const messages = toMessages(conversation, hasVision);
  return conversation.tools.length === 0 ? { messages } : { messages, tools: conversation.tools.map(toTool) };
}

/** Builds all other fields of a conversation's request; how it is streamed is added by the caller. */
export function buildChatFields(conversation: Conversation, settings: ChatBodySettings): ChatFields {
  return {
    model: settings.model,
    ...toolFields(conversation),
    ...outputFields(conversation.output, settings.schemaForm ?? 'json_schema'),
    ...samplingFields(conversation, settings),
    ...(Object.keys(conversation.templateArguments).length === 0
      ? {}
      : { chat_template_kwargs: conversation.templateArguments }),
  };
}

/** Whether the server sees a picture in it: such prompts are counted by no tokenizer. */
export function hasImages({ messages }: ChatPrompt): boolean {
  return messages.some(
    ({ content }) => Array.isArray(content) && content.some((part) => part.type === 'image_url'),
  );
}

// `auto` is what servers take tools without a choice for, and some refuse to be told.
function toolFields(conversation: Conversation) {
  const { toolChoice, parallelToolCalls, written } = conversation;
  const { length } = written === undefined ? conversation.tools : written.tools;
  if (length === 0) return {};
  return {
    ...(toolChoice === 'auto' ? {} : { tool_choice: toToolChoice(toolChoice) }),
    ...(parallelToolCalls ? {} : { parallel_tool_calls: false as const }),
  };
}

function toTool({ name, description, parameters, strict }: Tool): object {
  return {
    type: 'function',
    function: {
      name,
      ...(description === undefined ? {} : { description }),
      parameters: parameters ?? NO_PARAMETERS,
      ...(strict ? { strict } : {}),
    },
  };
}

function toToolChoice(choice: ToolChoice): string | object {
  return typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } };
}

function samplingFields({ sampling }: Conversation, { defaultTemperature }: ChatBodySettings) {
  const { topK, stop, seed, presencePenalty, frequencyPenalty } = sampling;
  return {
    temperature: sampling.temperature ?? defaultTemperature,
    top_p: sampling.topP ?? 1,
    ...(topK === undefined ? {} : { top_k: topK }),
    max_tokens: sampling.maxTokens,
    ...(stop.length === 0 ? {} : { stop }),
    ...(seed === undefined ? {} : { seed }),
    ...(presencePenalty === undefined ? {} : { presence_penalty: presencePenalty }),
    ...(frequencyPenalty === undefined ? {} : { frequency_penalty: frequencyPenalty }),
  };
}
