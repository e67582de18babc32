import type { AssistantTurn, Part, Turn } from '../../conversation.ts';
import { textPart } from './content-parts.ts';
import type { MessageFields } from './messages-request-schema.ts';
import { type AssistantUtterance, readUtterance, type ToolResult, type UserUtterance } from './utterance.ts';

/** Converts messages to turns: adjacent messages of one role become one turn, results follow their calls. */
export function readTurns(messages: readonly MessageFields[]): readonly Turn[] {
  const list = new TurnList();
  for (const [index, message] of messages.entries()) {
    const utterance = readUtterance(message, `messages[${index}].content`);
    if (utterance?.isAssistant === true) list.addAssistant(utterance);
    else if (utterance !== undefined) list.addUser(utterance);
  }
  return list.finish();
}

/** Collects the messages of one role until the other follows. */
class TurnList {
  readonly #turns: Turn[] = [];
  #assistant: AssistantUtterance[] = [];
  #user: UserUtterance[] = [];

  addAssistant(utterance: AssistantUtterance): void {
    this.#closeUser();
    this.#assistant.push(utterance);
  }

  addUser(utterance: UserUtterance): void {
    this.#closeAssistant();
    this.#user.push(utterance);
  }

  finish(): readonly Turn[] {
    this.#closeAssistant();
    this.#closeUser();
    // All messages were empty, so the model gets an empty one.
    return this.#turns.length === 0 ? [{ role: 'user', parts: [textPart('')] }] : this.#turns;
  }

  #closeAssistant(): void {
    if (this.#assistant.length === 0) return;
    this.#turns.push(mergedAssistant(this.#assistant));
    this.#assistant = [];
  }

  #closeUser(): void {
    if (this.#user.length === 0) return;
    const last = this.#turns.at(-1);
    this.#turns.push(...userTurns(this.#user, last?.role === 'assistant' ? last : undefined));
    this.#user = [];
  }
}

function mergedAssistant(utterances: readonly AssistantUtterance[]): AssistantTurn {
  const texts = utterances.map(({ text }) => text).filter((text) => text !== '');
  return {
    role: 'assistant',
    text: texts.join('\n\n'),
    toolCalls: utterances.flatMap(({ toolCalls }) => toolCalls),
  };
}

// Results come before text, because nothing may stand between a call and its result.
function userTurns(utterances: readonly UserUtterance[], asked: AssistantTurn | undefined): readonly Turn[] {
  const open = new Set(asked?.toolCalls.map(({ id }) => id));
  const turns: Turn[] = [];
  const parts: Part[] = [];
  for (const result of utterances.flatMap(({ results }) => results)) {
    const { callId, isError } = result;
    if (callId !== undefined && open.delete(callId))
      turns.push({ role: 'tool', callId, parts: result.parts, isError });
    else parts.push(...orphanParts(result));
  }
  parts.push(...utterances.flatMap((utterance) => utterance.parts));
  if (parts.length > 0) turns.push({ role: 'user', parts });
  return turns;
}

// A result whose call is missing, or that came twice, becomes text: engines refuse it as a result.
function orphanParts({ parts, isError }: ToolResult): readonly Part[] {
  const heading = textPart(
    isError ? '[result of an earlier tool call, an error]' : '[result of an earlier tool call]',
  );
  return [heading, ...parts].map((part) => (part.type === 'text' ? { ...part, isReminder: true } : part));
}
