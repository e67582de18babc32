import { isRecord } from '../../../lib/json-record.ts';
import type { Tool } from '../../conversation.ts';
import {
  HOSTED_FUNCTIONS,
  type HostedKind,
  type HostedSettings,
  type IsHostedOpen,
} from '../../hosted-tool.ts';
import { parseField } from '../parse-field.ts';
import {
  type CustomTool,
  customToolSchema,
  functionToolSchema,
  hostedToolSchema,
  namespaceSchema,
} from './tool-schemas.ts';

/** The types of the tools that the gateway runs itself. */
export type HostedType = 'file_search' | 'image_generation';

const HOSTED_KINDS: Readonly<Record<HostedType, HostedKind>> = {
  file_search: 'file-search',
  image_generation: 'image-generation',
};

/** A tool under the client's name. */
export interface ClientTool {
  readonly kind: 'function' | 'custom' | HostedType;
  readonly name: string;
  readonly namespace: string | undefined;
}

/** The tools of one request: as sent to the engine, and under the client's names. */
export class ToolTable {
  readonly #tools: Tool[] = [];
  readonly #clientTools = new Map<string, ClientTool>();
  readonly #hosted = new Map<string, HostedSettings>();
  readonly #isOpen: IsHostedOpen;

  /** Without `isOpen` no hosted tool is supported. */
  constructor(isOpen: IsHostedOpen = () => false) {
    this.#isOpen = isOpen;
  }

  /** Adds a list; unsupported types are left out. */
  add(tools: readonly unknown[], path: string, namespace?: string): void {
    for (const [index, tool] of tools.entries()) this.#addOne(tool, `${path}[${index}]`, namespace);
  }

  get tools(): readonly Tool[] {
    return this.#tools;
  }

  /** The hosted tools, by the engine's names. */
  get hosted(): ReadonlyMap<string, HostedSettings> {
    return this.#hosted;
  }

  /** The client's tool for a name that the engine called. */
  clientTool(sentName: string): ClientTool {
    return this.#clientTools.get(sentName) ?? { kind: 'function', name: sentName, namespace: undefined };
  }

  /** The engine's name of a tool; `undefined` if there is none. */
  sentName(name: string, namespace?: string | null): string | undefined {
    for (const [sent, tool] of this.#clientTools)
      if (tool.name === name && (namespace ?? undefined) === tool.namespace) return sent;
    return undefined;
  }

  /** Keeps only tools of these names. */
  narrow(names: ReadonlySet<string>): readonly Tool[] {
    return this.#tools.filter((tool) => names.has(tool.name));
  }

  #addOne(tool: unknown, path: string, namespace: string | undefined): void {
    switch (typeOf(tool)) {
      case 'function': {
        const { name, description, parameters, strict } = parseField(functionToolSchema, tool, path);
        this.#register({ kind: 'function', name, namespace }, (sent) => ({
          name: sent,
          description: description ?? undefined,
          parameters: parameters ?? undefined,
          strict: strict ?? false,
        }));
        break;
      }
      case 'custom':
        this.#addCustom(parseField(customToolSchema, tool, path), namespace);
        break;
      case 'namespace': {
        const { name, tools } = parseField(namespaceSchema, tool, path);
        this.add(tools ?? [], `${path}.tools`, name);
        break;
      }
      case 'file_search':
        this.#addHosted('file_search', tool, path);
        break;
      case 'image_generation':
        this.#addHosted('image_generation', tool, path);
    }
  }

  #addHosted(type: HostedType, tool: unknown, path: string): void {
    const kind = HOSTED_KINDS[type];
    if (!this.#isOpen(kind)) return;
    const { max_num_results: most, size } = parseField(hostedToolSchema, tool, path);
    this.#register({ kind: type, name: type, namespace: undefined }, () => HOSTED_FUNCTIONS[kind]);
    const imageSize = size === 'auto' ? undefined : (size ?? undefined);
    this.#hosted.set(type, { kind, mostPassages: most ?? undefined, imageSize });
  }

  /** A tool that takes plain text becomes a function with one string parameter. */
  #addCustom(tool: CustomTool, namespace: string | undefined): void {
    const { format } = tool;
    const isRegex = format?.syntax === 'regex' && typeof format.definition === 'string';
    const grammar = format?.definition
      ? `\n\n\`input\` must match this ${format.syntax ?? ''} grammar:\n${format.definition}`
      : '';
    const input = { type: 'string', ...(isRegex && { pattern: format.definition }) };
    this.#register({ kind: 'custom', name: tool.name, namespace }, (sent) => ({
      name: sent,
      description: `${tool.description ?? ''}${grammar}`,
      parameters: { type: 'object', properties: { input }, required: ['input'], additionalProperties: false },
      strict: false,
    }));
  }

  /** Of two tools with the same names the last one counts. A tool in a namespace gets a prefix only if its name is taken. */
  #register(tool: ClientTool, make: (sentName: string) => Tool): void {
    const isTaken = this.#clientTools.has(tool.name);
    const sent = isTaken && tool.namespace !== undefined ? `${tool.namespace}__${tool.name}` : tool.name;
    if (this.#clientTools.has(sent))
      this.#tools.splice(
        this.#tools.findIndex(({ name }) => name === sent),
        1,
      );
    this.#clientTools.set(sent, tool);
    this.#hosted.delete(sent);
    this.#tools.push(make(sent));
  }
}

function typeOf(tool: unknown): unknown {
  return isRecord(tool) ? tool.type : undefined;
}
