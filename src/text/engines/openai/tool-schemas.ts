import { Buffer } from 'node:buffer';
import { isRecord } from '../../../lib/json-record.ts';
import type { Conversation } from '../../conversation.ts';
import type { AskedConversation } from '../../passthrough.ts';

/** Longer lists of tools are not parsed. */
const MAXIMUM_BYTES = 512 * 1024;

/** Finds the schemas of tools' arguments. Parses lists in original bytes on first use and once, since agents repeat the same list with every request. */
export class ToolSchemas {
  readonly #written = new WeakMap<Buffer, WrittenTools>();

  /** A look-up for a conversation; it stays valid when the bytes of the request are freed. */
  of({ conversation, passthrough }: AskedConversation): (name: string) => unknown {
    if (passthrough === undefined) return (name) => parametersOf(conversation, name);
    const { tools } = passthrough;
    const known = this.#written.get(tools) ?? new WrittenTools(tools);
    this.#written.set(tools, known);
    return (name) => known.schemaOf(name);
  }
}

class WrittenTools {
  #bytes: Buffer | undefined;
  #schemas: ReadonlyMap<string, unknown> | undefined;

  constructor(bytes: Buffer) {
    if (bytes.length <= MAXIMUM_BYTES) this.#bytes = Buffer.from(bytes);
  }

  schemaOf(name: string): unknown {
    this.#schemas ??= schemasIn(this.#bytes?.toString() ?? '');
    this.#bytes = undefined;
    return this.#schemas.get(name);
  }
}

function parametersOf({ tools }: Conversation, name: string): unknown {
  return tools.find((tool) => tool.name === name)?.parameters;
}

function schemasIn(items: string): ReadonlyMap<string, unknown> {
  const tools = JSON.parse(`[${items}]`) as readonly { readonly function?: unknown }[];
  return new Map(
    tools.flatMap(({ function: tool }) =>
      isRecord(tool) && typeof tool.name === 'string' ? [[tool.name, tool.parameters ?? undefined]] : [],
    ),
  );
}
