import type { IncomingMessage, ServerResponse } from 'node:http';
import { listedHeaders } from '../lib/header-lines.ts';
import type { AnswerHead, Outlet, OutletListener } from './outlet.ts';
import { closeUnlessComplete, endAfterUnreadBody, hasUnreadBody, type Lingering } from './unread-body.ts';

/** Sends an answer on Node's response. */
export class NodeOutlet implements Outlet {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #lingering: Lingering;
  #listener: OutletListener | undefined;

  constructor(request: IncomingMessage, response: ServerResponse, lingering: Lingering) {
    this.#request = request;
    this.#response = response;
    this.#lingering = lingering;
    if (response.socket === null) closeWithConnection(request, response);
  }

  get isOpen(): boolean {
    return this.#response.headersSent;
  }

  // The socket closes a moment before the response.
  get isGone(): boolean {
    const response = this.#response;
    return (response.destroyed || this.#request.socket.destroyed) && !response.writableFinished;
  }

  listen(listener: OutletListener): void {
    this.#listener = listener;
    // The response, because the request closes once its body was read.
    this.#response.once('close', () => {
      listener.closed(this.#response.writableFinished);
      closeUnlessComplete(this.#request, this.#lingering.lingerMs);
    });
    this.#response.on('drain', () => listener.drained());
  }

  send(head: AnswerHead, body: string | Buffer): void {
    this.#listener?.ending?.();
    const headers: (string | number)[] = listedHead(head);
    // A 304 has no body; a length would be that of the answer it stands for.
    if (head.status !== 304) headers.push('content-length', Buffer.byteLength(body));
    if (!hasUnreadBody(this.#request)) {
      this.#response.writeHead(head.status, headers).end(body);
      return;
    }
    this.#response.writeHead(head.status, [...headers, 'connection', 'close']);
    endAfterUnreadBody({ request: this.#request, response: this.#response }, body, this.#lingering);
  }

  open(head: AnswerHead): void {
    this.#response.writeHead(head.status, listedHead(head));
  }

  write(piece: string): boolean {
    return this.#response.write(piece);
  }

  end(piece: string): void {
    this.#listener?.ending?.();
    this.#response.end(piece);
  }

  destroy(): void {
    this.#response.destroy();
  }
}

function listedHead({ lines, requestId }: AnswerHead): string[] {
  return [...listedHeaders(lines), 'x-request-id', requestId, 'request-id', requestId];
}

/** Emits `close` on a response queued behind another (pipelining); Node does not when the connection closes. */
function closeWithConnection({ socket }: IncomingMessage, response: ServerResponse): void {
  const close = () => response.emit('close');
  // One listener per queued response, each removed with its response.
  socket.setMaxListeners(0).once('close', close);
  response.once('close', () => socket.off('close', close));
}
