import { choice, flag, json, number, type StateOf, text } from '../../state/url-state.ts';
import { jsonValue, problemOf, typedJson } from '../json-text.ts';
import { areTools, areTurns, type ChatForm, type Turn } from './turn.ts';

const turns = json<readonly Turn[]>([], areTurns);

/** The state of the page. */
export const CHAT_STATE = {
  stack: text(),
  wire: choice(['chat', 'messages', 'responses'], 'chat'),
  model: text(),
  system: text(),
  // Passages of documents do not belong into an address, which would soon be too long.
  turns: { ...turns, write: (value: readonly Turn[]) => turns.write(value.map(withoutSources)) },
  draft: text(),
  temperature: number(null),
  maxTokens: number(null),
  stream: flag(true),
  tools: text(),
  schema: text(),
  sources: flag(true),
};
export type ChatState = StateOf<typeof CHAT_STATE>;

function withoutSources(turn: Turn): Turn {
  if (turn.role !== 'assistant') return turn;
  const { sources: _, ...rest } = turn;
  return rest;
}

/** The mistake in a field that must be JSON. */
export function jsonProblems({ tools, schema }: ChatState) {
  const typed = typedJson(tools);
  const list = jsonValue(typed);
  const isNoList = list !== undefined && !areTools(list);
  return {
    tools:
      problemOf(typed) ?? (isNoList ? 'A list of {name, description, parameters} is needed.' : undefined),
    schema: problemOf(typedJson(schema)),
  };
}

/** The request for these turns. */
export function formOf(state: ChatState, model: string, turns: readonly Turn[]): ChatForm {
  const tools = jsonValue(typedJson(state.tools));
  return {
    ...state,
    model,
    turns,
    tools: areTools(tools) ? tools : [],
    schema: jsonValue(typedJson(state.schema)),
  };
}

/** The turns with what is typed but not sent yet. */
export function turnsWithDraft({ turns, draft }: ChatState): readonly Turn[] {
  return draft.trim() === '' ? turns : [...turns, { role: 'user', text: draft }];
}
