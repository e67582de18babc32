import { Fault } from '../../../faults/fault.ts';
import type { AssistantTurn, ToolCall, Turn } from '../../conversation.ts';
import { parseField } from '../parse-field.ts';
import { type AskedItems, kindOf, namedItems } from './asked-items.ts';
import { partsOf, textOf } from './item-parts.ts';
import {
  additionalToolsSchema,
  callOutputSchema,
  customCallSchema,
  functionCallSchema,
  messageItemSchema,
  reasoningItemSchema,
} from './item-schemas.ts';
import { openReasoning } from './reasoning-carrier.ts';
import type { ToolTable } from './tool-table.ts';

/** Adds the tools listed among the items; must run before their calls are read. */
export function addItemTools(items: AskedItems, table: ToolTable): void {
  for (const [path, item] of namedItems(items)) {
    if (kindOf(item) !== 'additional_tools') continue;
    const { tools } = parseField(additionalToolsSchema, item, path);
    table.add(tools ?? [], `${path}.tools`);
  }
}

/** Parses items in order; unknown kinds are left out. */
export function readItems(items: AskedItems, table: ToolTable) {
  const reader = new ItemReader(table);
  for (const [path, item] of namedItems(items)) reader.read(item, path);
  return reader.end();
}

/** Merges adjacent reasoning, text and calls of the assistant into one turn. */
class ItemReader {
  readonly #table: ToolTable;
  readonly #system: string[] = [];
  readonly #turns: Turn[] = [];
  readonly #unanswered: string[] = [];
  readonly #called = new Set<string>();
  #texts: string[] = [];
  #reasoning: string[] = [];
  #calls: ToolCall[] = [];

  constructor(table: ToolTable) {
    this.#table = table;
  }

  read(item: unknown, path: string): void {
    switch (kindOf(item)) {
      case 'message':
        this.#readMessage(item, path);
        break;
      case 'reasoning':
        this.#readReasoning(item, path);
        break;
      case 'function_call': {
        const { call_id: id, name, namespace, arguments: given } = parseField(functionCallSchema, item, path);
        this.#call({ id, name: this.#sentName(name, namespace), arguments: given || '{}' });
        break;
      }
      case 'custom_tool_call': {
        const { call_id: id, name, namespace, input } = parseField(customCallSchema, item, path);
        const text = JSON.stringify({ input: input ?? '' });
        this.#call({ id, name: this.#sentName(name, namespace), arguments: text });
        break;
      }
      case 'function_call_output':
      case 'custom_tool_call_output':
        this.#readOutput(item, path);
    }
  }

  end(): { readonly system: readonly string[]; readonly turns: readonly Turn[] } {
    this.#endAssistant();
    return { system: this.#system, turns: this.#turns };
  }

  #readMessage(item: unknown, path: string): void {
    const { role, content } = parseField(messageItemSchema, item, path);
    const contentPath = `${path}.content`;
    switch (role) {
      case 'system':
      case 'developer':
        this.#system.push(textOf(content, contentPath));
        break;
      case 'assistant':
        this.#texts.push(textOf(content, contentPath));
        break;
      case 'user':
        this.#endAssistant();
        this.#turns.push({ role: 'user', parts: partsOf(content, contentPath) });
    }
  }

  #readReasoning(item: unknown, path: string): void {
    const { content, summary, encrypted_content: carrier } = parseField(reasoningItemSchema, item, path);
    const shown = content?.length ? content : (summary ?? []);
    const text = (carrier && openReasoning(carrier)) || shown.map((part) => part.text ?? '').join('\n');
    if (text !== '') this.#reasoning.push(text);
  }

  #readOutput(item: unknown, path: string): void {
    const { call_id: given, output } = parseField(callOutputSchema, item, path);
    const callId = given ?? this.#unanswered[0];
    if (callId === undefined || !this.#called.has(callId)) throw outputWithoutCall(given, path);
    this.#endAssistant();
    const waiting = this.#unanswered.indexOf(callId);
    if (waiting !== -1) this.#unanswered.splice(waiting, 1);
    this.#turns.push({ role: 'tool', callId, parts: partsOf(output, `${path}.output`), isError: false });
  }

  #call(call: ToolCall): void {
    this.#calls.push(call);
    this.#called.add(call.id);
    this.#unanswered.push(call.id);
  }

  /** A tool that this request does not list gets a name of the same form. */
  #sentName(name: string, namespace: string | null | undefined): string {
    return this.#table.sentName(name, namespace) ?? (namespace ? `${namespace}__${name}` : name);
  }

  #endAssistant(): void {
    if (this.#texts.length + this.#calls.length > 0) {
      const turn: AssistantTurn = { role: 'assistant', text: this.#texts.join('\n'), toolCalls: this.#calls };
      const reasoning = this.#reasoning.join('\n');
      this.#turns.push(reasoning === '' ? turn : { ...turn, reasoning });
    }
    this.#texts = [];
    this.#calls = [];
    this.#reasoning = [];
  }
}

function outputWithoutCall(callId: string | null | undefined, path: string): Fault {
  const which = callId ? ` for the call \`${callId}\`` : '';
  const message = `\`${path}\` is the output of a tool${which}, but no call before it has that id.`;
  return new Fault('invalid-request', message, { param: 'input' });
}
