import type { AssistantTurn, Conversation, ToolCall, Turn } from '../../conversation.ts';
import { parseEach } from '../parse-field.ts';
import { type ChatMessage, messageSchema, toolCallSchema } from './chat-message-schema.ts';
import { partsOf, textOf } from './chat-parts.ts';
import { NO_ARGUMENTS } from './chat-reply.ts';

type AssistantMessage = Extract<ChatMessage, { readonly role: 'assistant' }>;

/** Parses the messages of a request: all system messages in order, of which an empty one differs from none, and the turns. */
export function readMessages(messages: readonly unknown[]): Pick<Conversation, 'system' | 'turns'> {
  const system: string[] = [];
  const turns: Turn[] = [];
  for (const [index, message] of parseEach(messageSchema, messages, 'messages').entries()) {
    if (message.role === 'system' || message.role === 'developer') {
      system.push(textOf(message.content, `messages[${index}].content`));
    } else {
      turns.push(turnOf(message, index));
    }
  }
  return { system: system.length === 0 ? undefined : system.join('\n\n'), turns };
}

function turnOf(
  message: Exclude<ChatMessage, { readonly role: 'system' | 'developer' }>,
  index: number,
): Turn {
  const contentPath = `messages[${index}].content`;
  switch (message.role) {
    case 'user':
      return { role: 'user', parts: partsOf(message.content, contentPath) };
    case 'assistant':
      return assistantTurn(message, index);
    case 'tool':
      return {
        role: 'tool',
        callId: message.tool_call_id,
        parts: partsOf(message.content, contentPath),
        isError: false,
      };
  }
}

function assistantTurn(message: AssistantMessage, index: number): AssistantTurn {
  const text = textOf(message.content, `messages[${index}].content`);
  return {
    role: 'assistant',
    text: text === '' ? (message.refusal ?? '') : text,
    toolCalls: [...toolCalls(message, index), ...functionCall(message, index)],
  };
}

function toolCalls(message: AssistantMessage, index: number): ToolCall[] {
  return parseEach(toolCallSchema, message.tool_calls ?? [], `messages[${index}].tool_calls`).map(
    ({ id, function: called }) => ({ id, name: called.name, arguments: argumentsOf(called.arguments) }),
  );
}

// The older form has no id, so one is made of the message's index.
function functionCall({ function_call: called }: AssistantMessage, index: number): ToolCall[] {
  if (called === null || called === undefined) return [];
  return [{ id: `call_${index}`, name: called.name, arguments: argumentsOf(called.arguments) }];
}

// Some servers stream no arguments for a tool without parameters, and clients send that back.
function argumentsOf(text: string): string {
  return text === '' ? NO_ARGUMENTS : text;
}
