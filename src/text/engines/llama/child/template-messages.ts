import { tryParseJson } from '../../../../lib/json-record.ts';
import type { AssistantTurn, Conversation, Part, Tool, ToolCall } from '../../../conversation.ts';
import { callableTools } from '../build-output-grammar.ts';
import { callEndMark, callMark } from '../output-grammar.ts';

/** A message as chat templates expect it. */
export interface TemplateMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  readonly tool_calls?: readonly object[];
  readonly reasoning_content?: string;
}

/** The input of a template. */
export interface TemplateInput {
  readonly messages: readonly TemplateMessage[];
  /** Absent if the template renders no tools, or there are none. */
  readonly tools?: readonly object[];
}

const ERROR_MARK = '[The tool reported an error]\n';

/** The messages for a template that renders tools, in the form that all such templates accept. */
export function messagesWithTools(conversation: Conversation): TemplateInput {
  const { system, turns } = conversation;
  const messages: TemplateMessage[] = system ? [{ role: 'system', content: system }] : [];
  for (const turn of turns) {
    if (turn.role === 'user') messages.push({ role: 'user', content: textOf(turn.parts) });
    else if (turn.role === 'tool') messages.push({ role: 'tool', content: resultText(turn) });
    else messages.push({ role: 'assistant', content: turn.text, ...callsOf(turn), ...thoughtsOf(turn) });
  }
  const tools = callableTools(conversation);
  return tools.length === 0 ? { messages } : { messages, tools: tools.map(declaration) };
}

/** The messages for a template without tools: the system text describes them, and results are user messages. */
export function messagesWithoutTools(conversation: Conversation): TemplateInput {
  const tools = callableTools(conversation);
  const system = [conversation.system, tools.length > 0 ? describeTools(tools) : '']
    .filter((text) => text !== undefined && text !== '')
    .join('\n\n');
  const messages: TemplateMessage[] = system === '' ? [] : [{ role: 'system', content: system }];
  let results: string[] = [];
  const sayResults = () => {
    if (results.length > 0) messages.push({ role: 'user', content: results.join('\n') });
    results = [];
  };
  for (const turn of conversation.turns) {
    if (turn.role === 'tool') {
      results.push(`<tool_response>\n${resultText(turn)}\n</tool_response>`);
      continue;
    }
    sayResults();
    if (turn.role === 'user') messages.push({ role: 'user', content: textOf(turn.parts) });
    else
      messages.push({
        role: 'assistant',
        content: [turn.text, ...turn.toolCalls.map(writtenCall)].filter((text) => text !== '').join('\n'),
      });
  }
  sayResults();
  return { messages };
}

function describeTools(tools: readonly Tool[]): string {
  return [
    'You can call functions. Their signatures, one per line:',
    '<tools>',
    ...tools.map((tool) => JSON.stringify(declaration(tool))),
    '</tools>',
    'To call one, answer with its name and arguments as JSON and nothing else:',
    `${callMark}\n{"name": "<name>", "arguments": {<arguments>}}\n${callEndMark}`,
  ].join('\n');
}

function declaration({ name, description, parameters }: Tool): object {
  return {
    type: 'function',
    function: {
      name,
      ...(description !== undefined && { description }),
      parameters: parameters ?? { type: 'object' },
    },
  };
}

function callsOf({ toolCalls }: AssistantTurn): { readonly tool_calls?: readonly object[] } {
  if (toolCalls.length === 0) return {};
  const calls = toolCalls.map((call) => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: argumentsOf(call) },
  }));
  return { tool_calls: calls };
}

/** Templates of reasoning models use it; others ignore it. */
function thoughtsOf({ reasoning }: AssistantTurn): { readonly reasoning_content?: string } {
  return reasoning === undefined ? {} : { reasoning_content: reasoning };
}

function writtenCall(call: ToolCall): string {
  return `${callMark}\n${JSON.stringify({ name: call.name, arguments: argumentsOf(call) })}\n${callEndMark}`;
}

/** Templates serialize arguments themselves, so they get a value; invalid JSON stays text. */
function argumentsOf({ arguments: given }: ToolCall): unknown {
  return given === '' ? {} : (tryParseJson(given) ?? given);
}

function resultText({
  parts,
  isError,
}: {
  readonly parts: readonly Part[];
  readonly isError: boolean;
}): string {
  return isError ? ERROR_MARK + textOf(parts) : textOf(parts);
}

function textOf(parts: readonly Part[]): string {
  return parts
    .map((part) => (part.type === 'text' ? part.text : `[${part.type}: ${part.name ?? part.mediaType}]`))
    .join('\n');
}
