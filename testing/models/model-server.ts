import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answers one request for a file. */
export type FileAnswer = (exchange: FileExchange) => void;

/** A request and the requested file. */
export interface FileExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly content: Buffer;
  readonly etag: string;
  /** First requested byte; 0 without a valid range. */
  readonly offset: number;
}

export interface SeenRequest {
  readonly path: string;
  readonly range: string | undefined;
  readonly ifRange: string | undefined;
}

/** A real HTTP server with one file under every path; scripted answers come first, then honest ones. */
export class ModelServer implements AsyncDisposable {
  readonly seen: SeenRequest[] = [];
  readonly #script: FileAnswer[] = [];
  readonly #server = createServer((request, response) => this.#answer(request, response));
  content: Buffer;

  constructor(content: Buffer) {
    this.content = content;
  }

  /** Listens on a free loopback port. */
  static async open(content: Buffer, ...script: FileAnswer[]): Promise<ModelServer> {
    const server = new ModelServer(content);
    server.#script.push(...script);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}/model.gguf`;
  }

  /** Queues answers for the next requests. */
  script(...answers: readonly FileAnswer[]): void {
    this.#script.push(...answers);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { range, 'if-range': ifRange } = request.headers;
    this.seen.push({ path: request.url ?? '', range, ifRange: String(ifRange ?? '') || undefined });
    const etag = etagOf(this.content);
    const isCurrent = ifRange === undefined || ifRange === etag;
    const offset = isCurrent ? Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0) : 0;
    const answer = this.#script.shift() ?? honest;
    answer({ request, response, content: this.content, etag, offset });
  }
}

/** The server's ETag for a content. */
export function etagOf(content: Buffer): string {
  return `"${createHash('md5').update(content).digest('hex')}"`;
}

/** The whole file, or the requested rest. */
export function honest(exchange: FileExchange): void {
  sendHead(exchange);
  exchange.response.end(exchange.content.subarray(exchange.offset));
}

/** Promises all, sends some, and closes. */
export function cutAfter(bytes: number): FileAnswer {
  return (exchange) => {
    sendHead(exchange);
    const some = exchange.content.subarray(exchange.offset, exchange.offset + bytes);
    exchange.response.write(some, () => exchange.response.destroy());
  };
}

/** Sends some and then stalls. */
export function stallAfter(bytes: number): FileAnswer {
  return (exchange) => {
    sendHead(exchange);
    exchange.response.write(exchange.content.subarray(exchange.offset, exchange.offset + bytes));
  };
}

/** Never answers. */
export const silence: FileAnswer = () => {};

/** The whole file, whatever was requested. */
export const wholeAgain: FileAnswer = (exchange) => honest({ ...exchange, offset: 0 });

/** A bare status. */
export function status(code: number, headers: Record<string, string> = {}): FileAnswer {
  return ({ response }) => response.writeHead(code, headers).end('an error page');
}

/** A web page instead of a file. */
export const webPage: FileAnswer = ({ response, content }) =>
  response
    .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': content.length })
    .end(content);

/** The right length, other bytes. */
export const otherBytes: FileAnswer = (exchange) =>
  honest({ ...exchange, content: Buffer.alloc(exchange.content.length, 7) });

/** A part with a wrong offset. */
export const shiftedPart: FileAnswer = (exchange) => honest({ ...exchange, offset: exchange.offset + 10 });

/** No length, and a different number of bytes. */
export function unmeasured(content: Buffer): FileAnswer {
  return ({ response }) => response.writeHead(200, { 'transfer-encoding': 'chunked' }).end(content);
}

/** Redirects like hubs do; headers describe the target file. */
export function redirect(location: string, headers: Record<string, string> = {}): FileAnswer {
  return ({ response }) => response.writeHead(302, { location, ...headers }).end();
}

function sendHead({ response, content, etag, offset }: FileExchange): void {
  const rest = content.length - offset;
  const range = { 'content-range': `bytes ${offset}-${content.length - 1}/${content.length}` };
  response.writeHead(offset === 0 ? 200 : 206, {
    'content-length': rest,
    etag,
    ...(offset > 0 && range),
  });
}
