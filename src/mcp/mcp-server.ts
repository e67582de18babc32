import {
  type CallToolResult,
  McpServer,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Caller } from '../access/caller.ts';
import { permitsUse } from '../access/key-guard.ts';
import { type Fault, toFault } from '../faults/fault.ts';
import { isRecord } from '../lib/json-record.ts';
import type { ResourceReader } from './resources.ts';
import { isOpenTo, type McpTool, type McpToolResult, type ToolWork } from './tool.ts';

/** How often a client that asked for it hears that a call is still running. */
const PROGRESS_MS = 5_000;
const INSTRUCTIONS =
  'Images, documents, PDFs and knowledge of this gateway. Hand over local files with upload_file; results come as links that work for an hour.';

/** A call of one client, as the HTTP side sees it. */
export interface McpCall extends ToolWork {
  /** Admits the call of a tool; throws the fault of a limit. Its result tells that to the model. */
  admit(tool: McpTool): void | Promise<void>;
  /** Called with the fault that a result tells. */
  failed(fault: Fault): void;
}

export interface McpServerParts {
  readonly tools: readonly McpTool[];
  readonly resources: ResourceReader;
  readonly version: string;
  readonly progressMs?: number;
}

/** A server for one request: it has the tools that the caller may use, and keeps nothing. */
export function mcpServer(parts: McpServerParts, call: McpCall): McpServer {
  const server = new McpServer(
    { name: 'stackgate', title: 'Stackgate', version: parts.version },
    // Tools of a key change only with its plan, so no client needs to listen for that.
    {
      capabilities: { tools: { listChanged: false }, resources: { listChanged: false } },
      instructions: INSTRUCTIONS,
    },
  );
  for (const tool of parts.tools.filter((known) => isOpenTo(known, call.caller)))
    addTool(server, tool, parts, call);
  for (const scope of ['images', 'files'] as const)
    if (permitsUse(call.caller, { scope, isForReaders: true })) addResources(server, scope, parts, call);
  return server;
}

/** Whether the parameters of a call name a tool that the caller may use, with arguments that it takes. */
export function isSoundCall({ tools }: McpServerParts, caller: Caller, params: unknown): boolean {
  if (!isRecord(params)) return false;
  const called = tools.find((known) => known.name === params.name && isOpenTo(known, caller));
  return called?.input.safeParse(params.arguments ?? {}).success ?? false;
}

function addTool(
  server: McpServer,
  tool: McpTool,
  { progressMs = PROGRESS_MS }: McpServerParts,
  call: McpCall,
): void {
  const { name, title, description, input, output, isReadOnly } = tool;
  const config = {
    title,
    description,
    inputSchema: input,
    ...(output !== undefined && { outputSchema: output }),
    annotations: { readOnlyHint: isReadOnly, destructiveHint: false, openWorldHint: false },
  };
  server.registerTool(name, config, async (args: Record<string, unknown>, context: ServerContext) => {
    const progress = tellProgress(context, progressMs);
    try {
      await call.admit(tool);
      const signal = AbortSignal.any([call.signal, context.mcpReq.signal]);
      return resultOf(await tool.call(args, { ...workOf(call), signal }));
    } catch (error) {
      const fault = toFault(error);
      call.failed(fault);
      return refusal(fault);
    } finally {
      clearInterval(progress);
    }
  });
}

function workOf({ caller, meter, origin, holdMemory }: McpCall): Omit<ToolWork, 'signal'> {
  return { caller, meter, origin, holdMemory };
}

function addResources(
  server: McpServer,
  kind: 'images' | 'files',
  { resources }: McpServerParts,
  call: McpCall,
): void {
  const template = new ResourceTemplate(`stackgate://${kind}/{id}`, { list: undefined });
  const config = { description: kind === 'images' ? 'A generated image.' : 'An uploaded or generated file.' };
  server.registerResource(kind, template, config, async (uri, { id }) => {
    const { bytes, mediaType } = await resources[kind](String(id), call);
    const blob = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
    return { contents: [{ uri: uri.href, mimeType: mediaType, blob }] };
  });
}

/** Sends progress until the timer is cleared; undefined if the client did not ask for it. */
function tellProgress({ mcpReq }: ServerContext, everyMs: number): NodeJS.Timeout | undefined {
  const token = mcpReq._meta?.progressToken;
  if (token === undefined) return undefined;
  let progress = 0;
  return setInterval(() => {
    progress += everyMs / 1000;
    const params = { progressToken: token, progress, message: `Working for ${progress} seconds.` };
    // A client that left cancels the call by other means.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  }, everyMs);
}

function resultOf({ data, text = JSON.stringify(data), picture, link }: McpToolResult): CallToolResult {
  const content: CallToolResult['content'] = [{ type: 'text', text }];
  if (picture !== undefined) {
    const { bytes, mediaType } = picture;
    content.push({ type: 'image', data: Buffer.from(bytes).toString('base64'), mimeType: mediaType });
  }
  if (link !== undefined) {
    const { url, name, mediaType, sizeBytes } = link;
    content.push({ type: 'resource_link', uri: url, name, mimeType: mediaType, size: sizeBytes });
  }
  return { content, ...(data !== undefined && { structuredContent: data }) };
}

/** A refusal that a model can act on. */
function refusal({ message, wireCode, code, param, retryAfterSeconds }: Fault): CallToolResult {
  const known = {
    error: message,
    code: wireCode ?? code.replaceAll('-', '_'),
    ...(param !== undefined && { param }),
    ...(retryAfterSeconds !== undefined && { retry_after_seconds: retryAfterSeconds }),
  };
  return { isError: true, content: [{ type: 'text', text: JSON.stringify(known) }] };
}
