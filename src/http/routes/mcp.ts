import { createMcpHandler } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Admission } from '../../access/admission.ts';
import { outcomeOfStatus } from '../../access/usage-recorder.ts';
import { Fault } from '../../faults/fault.ts';
import { isRecord } from '../../lib/json-record.ts';
import { isSoundCall, type McpCall, type McpServerParts, mcpServer } from '../../mcp/mcp-server.ts';
import type { Delivery } from '../answer.ts';
import type { CorsPolicy } from '../cors.ts';
import type { Exchange } from '../exchange.ts';
import type { LinkOrigin } from '../link-origin.ts';
import type { KeyRequest, KeyRoute } from '../route.ts';
import { StreamDelivery } from '../stream-delivery.ts';
import type { StreamWatch } from '../stream-watch.ts';
import { ofScope } from './of-scope.ts';

export interface McpRouteParts {
  readonly server: McpServerParts;
  readonly admission: Admission;
  readonly cors: CorsPolicy;
  readonly origin: LinkOrigin;
  readonly watch: StreamWatch;
}

/** Room for a file of 1 MB as a data URI, and for a long HTML document. */
const BODY_CAP_BYTES = 4 * 1024 * 1024;
const KEEP_ALIVE_MS = 15_000;

/** Pages of programs on the same machine. */
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** The handler needs a whole URL, and looks at nothing of it. */
const ENDPOINT = 'http://gateway/mcp';

const ANYTHING = '*/*';
const BOTH_FORMS = 'application/json, text/event-stream';

/** Headers of the protocol, which are compared with the body. */
const PROTOCOL_HEADERS = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

/** `POST /mcp`: the abilities of the gateway as tools of the Model Context Protocol. */
export function mcpRoute(parts: McpRouteParts): KeyRoute {
  return {
    ...ofScope('mcp'),
    method: 'POST',
    path: '/mcp',
    // Each tool says for itself.
    isForReaders: true,
    admitsItself: true,
    body: { kind: 'json', cap: () => BODY_CAP_BYTES, tooLarge: 'body-too-large' },
    summary: 'Model Context Protocol',
    detail:
      'One JSON-RPC message of the protocol, versions 2025-03-26 to 2026-07-28, without sessions. Tools that the key may not use are not listed; a refusal of a tool is the result of its call.',
    request: { schema: messageSchema, schemaName: 'McpMessage', example },
    answer: { contentType: 'application/json', streams: true },
    protocolAnswers: {
      202: 'A notification was taken.',
      404: 'The method is unknown.',
    },
    faults: ['origin-refused'],
    handle: (request) => {
      requireOrigin(request, parts.cors);
      return new FetchDelivery((exchange) => respond(parts, request, exchange), parts.watch);
    },
  };
}

async function respond(
  { server, admission, origin }: McpRouteParts,
  request: KeyRequest,
  exchange: Exchange,
): Promise<Response> {
  const { caller, meter, body } = request;
  const { signal } = exchange;
  const admit = async () => exchange.hold(await admission.admit(caller, exchange));
  // A sound call is admitted by its tool, whose result reports a limit; the SDK answers others before any tool runs.
  const isAdmittedLater =
    isRecord(body) && body.method === 'tools/call' && isSoundCall(server, caller, body.params);
  if (!isAdmittedLater) await admit();
  const call: McpCall = {
    caller,
    meter,
    signal,
    origin: origin.urlOf('', request),
    admit: (tool) => {
      exchange.narrow(tool.name);
      return admit();
    },
    // Usage counts the failure of a tool as one, though it is answered with 200. A client that left is no failure.
    failed: (fault) => {
      if (!exchange.outlet.isGone) exchange.noteFailure(fault);
      exchange.countAs(outcomeOfStatus(fault.status));
    },
    holdMemory: (bytes) => request.holdMemory(bytes),
  };
  const handler = createMcpHandler(() => mcpServer(server, call), { keepAliveMs: KEEP_ALIVE_MS });
  const headers = new Headers();
  for (const name of PROTOCOL_HEADERS) {
    const value = request.header(name);
    if (value !== undefined && value !== ANYTHING) headers.set(name, value);
  }
  // A client that accepts anything can read both forms of an answer.
  if (!headers.has('accept')) headers.set('accept', BOTH_FORMS);
  const asked = new Request(ENDPOINT, { method: 'POST', headers, body: JSON.stringify(body), signal });
  return await handler.fetch(asked, { parsedBody: body });
}

/** Browsers name the page that sends a request. Its own host is no proof: a page can give its name the address of this gateway. */
function requireOrigin(request: KeyRequest, { origins }: CorsPolicy): void {
  const origin = request.header('origin');
  if (origin === undefined || origins.includes('*') || origins.includes(origin)) return;
  if (URL.canParse(origin) && LOOPBACK.has(new URL(origin).hostname)) return;
  throw new Fault(
    'origin-refused',
    'Pages of this origin may not call the gateway; see `server.cors.origins`.',
  );
}

const messageSchema = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.int()]).optional(),
  method: z.string(),
  params: z.looseObject({}).optional(),
});
const example = '{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}';

/** Sends a web `Response`, whole or event by event. */
export class FetchDelivery implements Delivery {
  readonly #respond: (exchange: Exchange) => Promise<Response>;
  readonly #watch: StreamWatch;

  constructor(respond: (exchange: Exchange) => Promise<Response>, watch: StreamWatch) {
    this.#respond = respond;
    this.#watch = watch;
  }

  deliver(exchange: Exchange): void {
    this.#deliver(exchange).catch((error: unknown) => {
      if (exchange.outlet.isGone) exchange.settle('gone');
      else exchange.fail(error);
    });
  }

  async #deliver(exchange: Exchange): Promise<void> {
    const response = await this.#respond(exchange);
    const { status, body } = response;
    const contentType = response.headers.get('content-type') ?? 'application/json';
    if (body !== null && contentType.startsWith('text/event-stream'))
      new StreamDelivery((signal) => piecesOf(body, signal), this.#watch).deliver(exchange);
    else exchange.send({ status, contentType, body: Buffer.from(await response.arrayBuffer()) });
  }
}

/** Cancels the body when the client leaves. */
async function* piecesOf(body: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<string> {
  const reader = body.getReader();
  const cancel = () => void reader.cancel().catch(() => {});
  signal.addEventListener('abort', cancel);
  if (signal.aborted) cancel();
  const text = new TextDecoder();
  for (let read = await reader.read(); !read.done; read = await reader.read())
    yield text.decode(read.value, { stream: true });
}
