import http from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SecureContext } from 'node:tls';
import { modelsFamily } from '../families/chat-family.ts';
import { renderFault } from '../families/rendered-fault.ts';
import { Fault } from '../faults/fault.ts';
import type { ConnectionFront } from './connection-front.ts';
import { ConnectionSlots } from './connection-slots.ts';
import { withoutUpgrade } from './ignored-upgrade.ts';
import { MAX_REFUSED_CONNECTIONS, RefusedConnections } from './refused-connections.ts';
import type { RequestJournal } from './request-journal.ts';
import { TlsHandshakes } from './tls-handshakes.ts';

export type ConnectionLimits = Readonly<typeof defaultConnectionLimits>;

/** Bounds on connections, and on the time and the head of a request: long enough for slow uplinks, short for idle connections. */
export const defaultConnectionLimits = {
  headersMs: 15_000,
  requestMs: 300_000,
  bodyIdleMs: 20_000,
  /** How long a client may go on sending a body after its answer, before the connection is closed. */
  lingerMs: 2_000,
  /** A request that takes longer to arrive on the fast path goes on with Node's server. */
  fastArrivalMs: 2_000,
  // Longer than the usual 60 s of load balancers, so that they close idle connections first.
  keepAliveMs: 65_000,
  headBytes: 16 * 1024,
  urlBytes: 8 * 1024,
  /** The most open connections, in all and from one address. */
  connections: 10_000,
  connectionsPerAddress: 1_000,
  /** How long a connection without a slot waits for its refusal. */
  refusalMs: 1_000,
};

export interface NodeServerParts {
  readonly limits: ConnectionLimits;
  readonly journal: RequestJournal;
  readonly trustProxy: boolean | readonly string[];
  readonly front?: ConnectionFront;
  /** The certificate for the next connection; absent: plain HTTP. */
  readonly tlsContext?: () => SecureContext;
}

/** Creates Node's HTTP server with our limits. It also answers bytes that are no request. */
export function createNodeServer(
  listener: http.RequestListener,
  { limits, journal, trustProxy, front, tlsContext }: NodeServerParts,
): http.Server {
  const slots = new ConnectionSlots({
    inAll: limits.connections,
    perAddress: limits.connectionsPerAddress,
    trustProxy,
  });
  const answer = (fault: Fault, socket: Duplex) =>
    answerUnparsed({ fault, socket, journal, lingerMs: limits.lingerMs });
  const refused = new RefusedConnections({
    waitMs: limits.refusalMs,
    tell: (socket) => {
      const message = 'There are too many connections, from this address or in all.';
      answer(new Fault('too-many-connections', message), socket);
    },
  });
  const server = new FrontedServer(
    {
      maxHeaderSize: limits.headBytes,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.keepAliveMs,
      connectionsCheckingInterval: Math.min(5_000, limits.headersMs),
      // Unread bodies of refused requests are handled by us; see unread-body.ts.
      noDelay: true,
      // Node's own refusal has neither id nor body; see http-server.ts for ours.
      requireHostHeader: false,
    },
    listener,
    { front, slots, tlsContext, onRefused: (socket) => refused.add(socket) },
  );
  server.maxConnections = limits.connections + MAX_REFUSED_CONNECTIONS;
  // "100 Continue" is sent just before the body is read, so that a refused client need not send it.
  server.on('checkContinue', listener);
  server.on('checkExpectation', listener);
  const newest = new WeakMap<Duplex, Asked>();
  for (const event of ['request', 'checkContinue', 'checkExpectation']) {
    server.on(event, (request: http.IncomingMessage, response: http.ServerResponse) =>
      newest.set(request.socket, { request, response }),
    );
  }
  answerNonsense(server, answer, newest);
  ignoreUpgrades(server, newest);
  return server;
}

/** The latest request of a connection, and its response. */
interface Asked {
  readonly request: http.IncomingMessage;
  readonly response: http.ServerResponse;
}

interface FrontedServerParts {
  readonly front: ConnectionFront | undefined;
  readonly slots: ConnectionSlots;
  readonly tlsContext: (() => SecureContext) | undefined;
  readonly onRefused: (socket: Socket) => void;
}

/** A server that bounds its connections and offers them to a front first. */
class FrontedServer extends http.Server {
  readonly #front: ConnectionFront | undefined;
  readonly #serve;
  readonly #handshakes: TlsHandshakes | undefined;

  constructor(options: http.ServerOptions, listener: http.RequestListener, parts: FrontedServerParts) {
    super(options, listener);
    const { front, slots, tlsContext, onRefused } = parts;
    this.#front = front;
    this.#handshakes = tlsContext && new TlsHandshakes(tlsContext);
    this.#serve = this.listeners('connection');
    this.removeAllListeners('connection');
    this.on('connection', (accepted: Socket) => {
      const release = slots.take(accepted.remoteAddress ?? '');
      if (release === undefined) {
        // A refusal is no secret, but a client of TLS could not read it.
        if (this.#handshakes === undefined) onRefused(accepted);
        else this.#handshakes.secure(accepted, onRefused);
      } else if (this.#handshakes === undefined) this.#accept(accepted).once('close', release);
      else this.#handshakes.secure(accepted, (secured) => this.#accept(secured)).once('close', release);
    });
  }

  /** Returns the connection's socket from now on. */
  #accept(socket: Socket): Socket {
    if (this.#front !== undefined) return this.#front.accept(socket, (given) => this.serve(given));
    this.serve(socket);
    return socket;
  }

  /** Lets Node read requests from a connection. */
  serve(socket: Duplex): void {
    for (const listen of this.#serve) listen.call(this, socket);
  }

  override closeIdleConnections(): void {
    this.#front?.closeIdle();
    super.closeIdleConnections();
  }

  override closeAllConnections(): void {
    this.#handshakes?.closeAll();
    this.#front?.closeAll();
    super.closeAllConnections();
  }
}

/** Answers bytes that are no request, once per connection, and never within another answer. */
function answerNonsense(
  server: http.Server,
  answerWith: (fault: Fault, socket: Duplex) => void,
  newest: WeakMap<Duplex, Asked>,
): void {
  const refused = new WeakSet<Duplex>();
  const refuse = (fault: Fault, socket: Duplex) => {
    // The bytes that follow are no request either.
    if (refused.has(socket)) return;
    refused.add(socket);
    const answer = () => {
      if (socket.writable) answerWith(fault, socket);
      else socket.destroy();
    };
    const asked = newest.get(socket);
    if (asked === undefined || asked.response.writableFinished) answer();
    // The request before it is complete; its answer goes first.
    else if (asked.request.complete) asked.response.once('finish', answer);
    else if (isUnanswered(asked.response)) answer();
    else socket.destroy();
  };
  server.on('clientError', (error: Error & { code?: string }, socket) => {
    // Bytes behind a request with `Connection: close`, which closes the connection after its answer.
    if (error.code !== 'HPE_CLOSED_CONNECTION') refuse(clientFault(error.code), socket);
  });
  server.on('connect', (_request, socket) => {
    socket.on('error', ignore);
    refuse(new Fault('request-malformed', 'CONNECT is not offered; this is no proxy.'), socket);
  });
}

// A response without a socket waits for the one before it.
function isUnanswered(response: http.ServerResponse): boolean {
  return response.socket !== null && !response.headersSent;
}

/** Serves an upgrade request, and the requests behind it, as plain requests. */
function ignoreUpgrades(server: FrontedServer, newest: WeakMap<Duplex, Asked>): void {
  server.on('upgrade', (request, socket, behind) => {
    // Node has removed its own listeners.
    socket.on('error', ignore);
    const serve = () => {
      if (socket.destroyed) return;
      if (socket instanceof Socket) socket.setTimeout(0);
      socket.off('error', ignore);
      socket.unshift(withoutUpgrade(request, behind));
      server.serve(socket);
      socket.resume();
    };
    const before = newest.get(socket)?.response;
    // Not `writableFinished`, which is true a moment before Node detaches the socket.
    if (before === undefined || before.destroyed) serve();
    else before.once('close', serve);
  });
}

// An error is followed by `close`.
function ignore(): void {}

function clientFault(code: string | undefined): Fault {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new Fault('headers-too-large', 'The head of the request is too large.');
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new Fault('request-timeout', 'The request arrived too slowly.');
  }
  return new Fault('request-malformed', 'The request is not well-formed HTTP.');
}

interface UnparsedAnswer {
  readonly fault: Fault;
  readonly socket: Duplex;
  readonly journal: RequestJournal;
  readonly lingerMs: number;
}

function answerUnparsed({ fault, socket, journal, lingerMs }: UnparsedAnswer): void {
  const client = socket instanceof Socket ? socket.remoteAddress : undefined;
  const requestId = journal.noteUnparsed(fault, client ?? '');
  const { status, headers, body } = renderFault(fault, modelsFamily, { requestId });
  const head = Object.entries({
    ...headers,
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    'request-id': requestId,
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\n${head.join('\r\n')}\r\n\r\n${body}`);
  setTimeout(() => socket.destroy(), lingerMs).unref();
}
