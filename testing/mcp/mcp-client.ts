import { goodKey, type HttpGateway } from '../http-gateway.ts';

/** A message of JSON-RPC, as far as tests look at it. */
export interface McpMessage {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: {
    readonly content?: readonly Record<string, unknown>[];
    readonly structuredContent?: unknown;
    readonly isError?: boolean;
    readonly tools?: readonly Record<string, unknown>[];
    readonly [name: string]: unknown;
  };
  readonly error?: { readonly code: number; readonly message: string };
}

export interface McpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly messages: readonly McpMessage[];
}

export const NEW_VERSION = '2026-07-28';

interface Asked {
  readonly key?: string;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

/** Sends a request as clients of 2026 do: with its version, client and headers in every one. */
export function askNew(
  gateway: Pick<HttpGateway, 'url'>,
  method: string,
  params: Record<string, unknown> = {},
  { headers = {}, ...asked }: Asked = {},
): Promise<McpAnswer> {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': NEW_VERSION,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const { _meta: own, ...rest } = params;
  const body = { jsonrpc: '2.0', id: 1, method, params: { ...rest, _meta: { ...meta, ...(own as object) } } };
  const name = typeof params.name === 'string' ? { 'mcp-name': params.name } : {};
  const told = { 'mcp-protocol-version': NEW_VERSION, 'mcp-method': method, ...name, ...headers };
  return postMcp(gateway, body, { ...asked, headers: told });
}

/** Sends a message as it is. */
export async function postMcp(
  gateway: Pick<HttpGateway, 'url'>,
  body: unknown,
  { key = goodKey, headers = {}, signal }: Asked = {},
): Promise<McpAnswer> {
  const response = await fetch(`${gateway.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal && { signal }),
  });
  return { status: response.status, headers: response.headers, messages: messagesOf(await response.text()) };
}

function messagesOf(text: string): readonly McpMessage[] {
  if (text === '') return [];
  if (text.startsWith('{')) return [JSON.parse(text) as McpMessage];
  const lines = text.split('\n').filter((line) => line.startsWith('data: '));
  return lines.map((line) => JSON.parse(line.slice('data: '.length)) as McpMessage);
}
