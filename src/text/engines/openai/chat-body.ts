import type { Conversation, Tool, ToolChoice } from '../../conversation.ts';
import { type AskedConversation, hasTools } from '../../passthrough.ts';
import { type SentMessage, toMessages } from './chat-messages.ts';
import { outputFields, type SchemaForm } from './schema-forms.ts';

/** What the model reads: the long part of a chat request. */
export interface ChatPrompt {
  readonly messages: readonly SentMessage[];
  readonly tools?: readonly object[];
}

/** The other fields of a chat request; with the prompt they are all that a server is ever sent. */
export interface ChatFields {
  readonly model: string;
  readonly tool_choice?: string | object | undefined;
  readonly parallel_tool_calls?: false | undefined;
  readonly response_format?: object | undefined;
  readonly guided_json?: object | undefined;
  readonly structured_outputs?: object | undefined;
  readonly temperature: number;
  readonly top_p: number;
  readonly top_k?: number | undefined;
  readonly max_tokens: number;
  readonly stop?: readonly string[] | undefined;
  readonly seed?: number | undefined;
  readonly presence_penalty?: number | undefined;
  readonly frequency_penalty?: number | undefined;
  readonly chat_template_kwargs?: Readonly<Record<string, unknown>> | undefined;
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
export function buildChatFields(asked: AskedConversation, settings: ChatBodySettings): ChatFields {
  const { conversation } = asked;
  const { toolChoice, parallelToolCalls, sampling, output, templateArguments } = conversation;
  const isTooled = hasTools(asked);
  const form = outputFields(output, settings.schemaForm ?? 'json_schema');
  // One literal, in which what is not sent is `undefined`: V8 makes objects out of several others many times as slowly.
  return {
    model: settings.model,
    // `auto` is what servers take tools without a choice for, and some refuse to be told.
    tool_choice: isTooled && toolChoice !== 'auto' ? toToolChoice(toolChoice) : undefined,
    parallel_tool_calls: isTooled && !parallelToolCalls ? false : undefined,
    response_format: form.response_format,
    guided_json: form.guided_json,
    structured_outputs: form.structured_outputs,
    temperature: sampling.temperature ?? settings.defaultTemperature,
    top_p: sampling.topP ?? 1,
    top_k: sampling.topK,
    max_tokens: sampling.maxTokens,
    stop: sampling.stop.length === 0 ? undefined : sampling.stop,
    seed: sampling.seed,
    presence_penalty: sampling.presencePenalty,
    frequency_penalty: sampling.frequencyPenalty,
    chat_template_kwargs: isEmpty(templateArguments) ? undefined : templateArguments,
  };
}

/** Whether the server sees a picture in it: such prompts are counted by no tokenizer. */
export function hasImages({ messages }: ChatPrompt): boolean {
  return messages.some(
    ({ content }) => Array.isArray(content) && content.some((part) => part.type === 'image_url'),
  );
}

function isEmpty(record: Readonly<Record<string, unknown>>): boolean {
  for (const _ in record) return false;
  return true;
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
