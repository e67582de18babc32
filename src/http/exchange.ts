import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../access/caller.ts';
import type { Family } from '../families/family.ts';
import { listedHeaders, type RateStandings } from '../families/rate-headers.ts';
import { renderFault } from '../families/rendered-fault.ts';
import { toFault } from '../faults/fault.ts';
import type { Answer } from './route.ts';
import { endAfterUnreadBody, hasUnreadBody } from './unread-body.ts';

/** One request and its answer, on Node's own objects. */
export class Exchange {
  readonly id: string;
  readonly startedMs: number;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Who asks, once that is known. */
  caller: Caller | undefined;
  /** Whether it has a line of its own in the log. */
  hasLogLine = true;
  readonly #family: Family;
  #rates: (() => RateStandings) | undefined;
  #leaving: AbortController | undefined;

  constructor(
    { id, startedMs }: { readonly id: string; readonly startedMs: number },
    family: Family,
    request: IncomingMessage,
    response: ServerResponse,
  ) {
    this.id = id;
    this.startedMs = startedMs;
    this.request = request;
    this.response = response;
    this.#family = family;
    if (response.socket === null) closeWithConnection(request, response);
  }

  /** Aborts when the client goes away before its answer is complete. Listened to the response: a request "closes" when its body is read. */
  get signal(): AbortSignal {
    if (this.#leaving === undefined) {
      const leaving = new AbortController();
      this.#leaving = leaving;
      const leave = () => {
        if (!this.response.writableFinished) leaving.abort(new ClientGone());
      };
      // It may have left before anybody asked.
      if (this.request.socket.destroyed) leave();
      else this.response.once('close', leave);
    }
    return this.#leaving.signal;
  }

  /** Whether the connection ended before the answer was complete. The socket knows it a moment before the response does. */
  get isLeft(): boolean {
    const { request, response } = this;
    return (response.destroyed || request.socket.destroyed) && !response.writableFinished;
  }

  /** Has the answer, whatever it is, tell how the caller stands with its rates at that moment. */
  tellRates(rates: () => RateStandings): void {
    this.#rates = rates;
  }

  /** Sends a whole answer. */
  send(answer: Answer): void {
    this.#write(answer.status ?? 200, { 'content-type': answer.contentType, ...answer.headers }, answer.body);
  }

  /** Sends a failure in the family's shape. After the head is out there is only one honest thing left: cut the connection. */
  fail(thrown: unknown): void {
    if (this.response.headersSent) {
      this.response.destroy();
      return;
    }
    const rendered = renderFault(toFault(thrown), this.#family, this.id);
    this.#write(rendered.status, rendered.headers, rendered.body);
  }

  /** Sends the head of an event stream, once. */
  openStream(): void {
    if (this.response.headersSent) return;
    this.response.writeHead(200, [
      ...this.#rateHeaders(),
      'content-type',
      'text/event-stream; charset=utf-8',
      'cache-control',
      'no-cache',
      'x-accel-buffering',
      'no',
      'x-request-id',
      this.id,
      'request-id',
      this.id,
    ]);
  }

  #rateHeaders(): readonly string[] {
    return this.#rates === undefined ? [] : listedHeaders(this.#family.rateLines(this.#rates()));
  }

  #write(status: number, headers: Readonly<Record<string, string>>, body: string | Buffer): void {
    const head: (string | number)[] = [...this.#rateHeaders()];
    for (const name in headers) head.push(name, headers[name] ?? '');
    // A 304 has no body by definition, and its length would be taken for that of the answer it stands for.
    if (status !== 304) head.push('content-length', Buffer.byteLength(body));
    head.push('x-request-id', this.id, 'request-id', this.id);
    if (!hasUnreadBody(this.request)) {
      this.response.writeHead(status, head).end(body);
      return;
    }
    this.response.writeHead(status, [...head, 'connection', 'close']);
    endAfterUnreadBody(this.request, this.response, body);
  }
}

/** A response that is queued behind another, as a pipelining client makes them, is not told by Node that the connection closed. */
function closeWithConnection({ socket }: IncomingMessage, response: ServerResponse): void {
  const close = () => response.emit('close');
  // One for each queued response; they are removed one by one.
  socket.setMaxListeners(0).once('close', close);
  response.once('close', () => socket.off('close', close));
}

/** The reason of an abort when the client closed its connection. */
class ClientGone extends Error {
  override readonly name = 'ClientGone';
  override readonly message = 'the client closed the connection';
}

/** Whether work failed only because its client left. */
export function isClientGone(thrown: unknown): boolean {
  return thrown instanceof ClientGone || (thrown instanceof Error && thrown.cause instanceof ClientGone);
}
