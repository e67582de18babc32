import type { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { permitsUse } from '../access/key-guard.ts';
import type { MeteredWork } from '../access/meter.ts';
import type { KeyScope } from '../config/key-scopes.ts';

/** An ability of the gateway that a model can call. */
export interface McpTool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** Read by models, so it is short. */
  readonly description: string;
  readonly input: Input;
  /** The shape of `data`. Clients that see data show nothing else, so tools that answer with pictures have none. */
  readonly output?: z.ZodObject;
  /** Whether a call changes nothing. */
  readonly isReadOnly: boolean;
  /** The scope that a key with scopes must have. */
  readonly scope: KeyScope;
  /** Whether keys that may only read can call it, because it costs nothing either. */
  readonly isForReaders: boolean;
  /** Whether the caller's stack and key have what it needs. */
  isOffered(caller: Caller): boolean;
  call(input: z.output<Input>, work: ToolWork): Promise<McpToolResult>;
}

/** The caller of a tool, and where its links lead. */
export interface ToolWork extends MeteredWork {
  readonly caller: Caller;
  /** Scheme and host by which the client reached the gateway. */
  readonly origin: string;
  /** Holds memory for the bytes of files until the request ends; throws if there is no room for them. */
  holdMemory(bytes: number): void;
}

/** The answer of a tool. */
export interface McpToolResult {
  /** Required if the tool has an output schema. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** Absent: the data as JSON. */
  readonly text?: string;
  readonly picture?: { readonly bytes: Uint8Array; readonly mediaType: string };
  readonly link?: ToolLink;
}

/** Something that can be fetched without a key for a while. */
export interface ToolLink {
  readonly url: string;
  readonly name: string;
  readonly mediaType: string;
  readonly sizeBytes: number;
}

/** Tools of different inputs in one list: the server checks an input before it is given to its tool. */
export function tool<Input extends z.ZodObject>(definition: McpTool<Input>): McpTool {
  return definition as unknown as McpTool;
}

/** Whether the caller may use a tool; tools that it may not use are not listed. */
export function isOpenTo(tool: McpTool, caller: Caller): boolean {
  return tool.isOffered(caller) && permitsUse(caller, tool);
}
