import type { Conversation, Tool, ToolChoice } from '../../conversation.ts';
import { type AskedConversation, hasTools } from '../../passthrough.ts';
import { type SentMessage, toMessages } from './chat-messages.ts';
import { outputFields, type SchemaForm } from './schema-forms.ts';

/** The part of a chat request that the model reads. */
export interface ChatPrompt {
  readonly messages: readonly SentMessage[];
  readonly tools?: readonly object[];
}

/** All other fields of a chat request; the gateway sends no others. */
export type ChatFields = { readonly [Field in keyof BuiltFields]?: BuiltFields[Field] | undefined };
type BuiltFields = ReturnType<typeof buildChatFields>;

/** Settings that are the same for every request of an engine. */
export interface ChatBodySettings {
  readonly model: string;
  readonly hasVision: boolean;
  readonly defaultTemperature: number;
  /** `json_schema` by default. */
  readonly schemaForm?: SchemaForm;
}

const NO_PARAMETERS = { type: 'object', properties: {} };

/** Builds the prompt of a conversation. */
export function buildChatPrompt(conversation: Conversation, hasVision: boolean): ChatPrompt {
  const messages = toMessages(conversation, hasVision);
  return conversation.tools.length === 0 ? { messages } : { messages, tools: conversation.tools.map(toTool) };
}

/** Builds all fields besides the prompt and the streaming options. */
export function buildChatFields(asked: AskedConversation, settings: ChatBodySettings) {
  const { conversation } = asked;
  const { toolChoice, parallelToolCalls, sampling, output, templateArguments } = conversation;
  const isTooled = hasTools(asked);
  const form = outputFields(output, settings.schemaForm ?? 'json_schema');
  // One literal with `undefined` for missing fields: merging several objects is many times slower in V8.
  return {
    model: settings.model,
    // `auto` is the default with tools, and some servers refuse it as a value.
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

/** Whether it contains a picture: tokenizers cannot count such prompts. */
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
