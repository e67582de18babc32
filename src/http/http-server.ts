import { once } from 'node:events';
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { SecureContext } from 'node:tls';
import findMyWay from 'find-my-way';
import proxyAddress from 'proxy-addr';
import { adminFamily } from '../families/admin-family.ts';
import { modelsFamily } from '../families/chat-family.ts';
import type { Family } from '../families/family.ts';
import { messagesFamily } from '../families/messages-family.ts';
import { Fault } from '../faults/fault.ts';
import type { ConnectionFront } from './connection-front.ts';
import { isPreflight, preflightHeaders } from './cors.ts';
import type { Arrival } from './node-incoming.ts';
import { type ConnectionLimits, createNodeServer } from './node-server.ts';
import { RequestHandler, type RequestHandlerParts } from './request-handler.ts';
import type { Route } from './route.ts';

export interface HttpServerParts extends Omit<RequestHandlerParts, 'timeouts'> {
  readonly routes: readonly Route[];
  readonly trustProxy: boolean | readonly string[];
  readonly limits: ConnectionLimits;
  /** Gets connections first; Node's server serves those that it gives away. */
  readonly front?: ConnectionFront;
  /** The certificate for the next connection; absent: plain HTTP. */
  readonly tlsContext?: () => SecureContext;
}

/** The HTTP server, ready to listen. */
export interface HttpServer {
  readonly server: Server;
  listen(address: { readonly host: string; readonly port: number }): Promise<void>;
  /** Resolves when every connection has ended. */
  close(): Promise<void>;
}

type Serve = (arrival: Arrival) => void;

/** The router knows paths under one method only; `serveByMethod` chooses the route by its method. */
const ANY_METHOD = 'GET';
const HOST = 'host';
const NO_PARAMETERS: Readonly<Record<string, string>> = {};

/** Builds the HTTP server: it finds the route and the client's address, and hands the request to the handler. */
export function buildHttpServer(parts: HttpServerParts): HttpServer {
  const handler = new RequestHandler({ ...parts, timeouts: parts.limits });
  const paths = new PathTable(parts.limits.urlBytes);
  for (const path of new Set(parts.routes.map(fullPath))) {
    const routes = parts.routes.filter((route) => fullPath(route) === path);
    paths.add(path, serveByMethod(routes, handler, parts));
  }
  const addressOf = addressReader(parts.trustProxy);
  const listener: RequestListener = (request, response) => {
    const url = request.url ?? '';
    const found = paths.find(url);
    const params = found?.params ?? NO_PARAMETERS;
    const arrival: Arrival = { request, response, params, address: addressOf(request) };
    const fault = headFault(request, parts.limits.urlBytes) ?? pathFault(found);
    if (fault !== undefined) handler.refuse(fault, familyOfUnknown(url), arrival);
    else found?.serve?.(arrival);
  };
  const server = createNodeServer(listener, parts);
  return {
    server,
    listen: async (address) => {
      server.listen({ ...address });
      await once(server, 'listening');
    },
    close: () => closed(server),
  };
}

/** The path of a route, with that of the place where it is mounted. */
function fullPath(route: Route): string {
  return route.access === 'playground' ? `${route.mountedAt}${route.path}` : route.path;
}

function closed(server: Server): Promise<void> {
  if (!server.listening) return Promise.resolve();
  return new Promise((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)));
  });
}

/** Finds the path pattern of a URL. */
class PathTable {
  readonly #router;

  constructor(urlBytes: number) {
    this.#router = findMyWay({ maxParamLength: urlBytes, onBadUrl: () => {} });
  }

  add(path: string, serve: Serve): void {
    // A last parameter takes the rest of the path: openai 4 does not escape the slashes in a model's name.
    const last = /:(\w+)$/.exec(path)?.[1];
    this.#router.on(ANY_METHOD, path.replace(/:\w+$/, '*'), () => {}, { serve, last });
  }

  /** The pattern's server, if there is one, and the parameters; `undefined` if the URL cannot be decoded. */
  find(url: string): FoundPath | undefined {
    const found = this.#router.find(ANY_METHOD, url);
    if (found === null) return { serve: undefined, params: NO_PARAMETERS };
    if (found.store === null) return undefined;
    const { serve, last } = found.store as { readonly serve: Serve; readonly last: string | undefined };
    const { '*': rest = '', ...params } = found.params;
    return {
      serve,
      params: (last === undefined ? params : { ...params, [last]: rest }) as FoundPath['params'],
    };
  }
}

interface FoundPath {
  readonly serve: Serve | undefined;
  readonly params: Readonly<Record<string, string>>;
}

/** Reads the client's address, from `X-Forwarded-For` behind trusted proxies. */
function addressReader(trustProxy: boolean | readonly string[]): (request: IncomingMessage) => string {
  if (trustProxy === false) return ({ socket }) => socket.remoteAddress ?? '';
  const isTrusted = trustProxy === true ? () => true : proxyAddress.compile([...trustProxy]);
  return (request) => proxyAddress(request, isTrusted);
}

function serveByMethod(routes: readonly Route[], handler: RequestHandler, parts: HttpServerParts): Serve {
  const byMethod = new Map<string, Route>(routes.map((route) => [route.method, route]));
  const get = byMethod.get('GET');
  if (get !== undefined) byMethod.set('HEAD', get);
  const allow = [...byMethod.keys()].join(', ');
  const family = routes[0]?.family ?? modelsFamily;
  return (arrival) => {
    const route = byMethod.get(arrival.request.method ?? '');
    if (route !== undefined) handler.serve(route, arrival);
    else if (isPreflight(parts.cors, arrival.request))
      handler.answerPreflight(preflightHeaders(arrival.request, allow), arrival);
    else handler.refuse(methodNotAllowed(allow), family, arrival);
  };
}

function methodNotAllowed(allow: string): Fault {
  return new Fault('method-not-allowed', `This path takes ${allow}.`, { headers: { allow } });
}

/** The fault of a head that Node's parser accepts and the gateway does not. */
function headFault(request: IncomingMessage, urlBytes: number): Fault | undefined {
  const { url = '', rawHeaders, httpVersion } = request;
  if (url.length > urlBytes) return new Fault('url-too-long', `The URL is longer than ${urlBytes} bytes.`);
  const hosts = hostHeaders(rawHeaders);
  if (hosts === 0 && httpVersion === '1.1') {
    return new Fault('request-malformed', 'The request has no Host header.');
  }
  // A proxy before the gateway may have used the other one.
  if (hosts > 1) return new Fault('request-malformed', 'The request has more than one Host header.');
  return undefined;
}

/** Counts the Host headers; `request.headers` has only the first. */
function hostHeaders(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === HOST.length && name.toLowerCase() === HOST) count += 1;
  }
  return count;
}

function pathFault(found: FoundPath | undefined): Fault | undefined {
  if (found === undefined) return new Fault('request-malformed', 'The URL cannot be decoded.');
  if (found.serve !== undefined) return undefined;
  return new Fault('path-not-found', 'There is no such endpoint. See /docs for the list.');
}

/** Unknown paths are answered in the shape of the API that they are below, all others in that of chat completions, which every SDK reads. */
function familyOfUnknown(url: string): Family {
  if (/^\/(admin\/v1|console\/api)([/?]|$)/.test(url)) return adminFamily;
  return /^\/v1\/messages([/?]|$)/.test(url) ? messagesFamily : modelsFamily;
}
