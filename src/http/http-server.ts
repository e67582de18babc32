import type { IncomingMessage } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { modelsFamily } from '../families/chat-family.ts';
import type { Family } from '../families/family.ts';
import { messagesFamily } from '../families/messages-family.ts';
import { Fault } from '../faults/fault.ts';
import type { Arrival } from './arrival.ts';
import type { ConnectionFront } from './connection-front.ts';
import { isPreflight, preflightHeaders } from './cors.ts';
import { type ConnectionLimits, createNodeServer, METHODS } from './node-server.ts';
import { RequestHandler, type RequestHandlerParts } from './request-handler.ts';
import type { Route } from './route.ts';

export interface HttpServerParts extends Omit<RequestHandlerParts, 'timeouts'> {
  readonly routes: readonly Route[];
  readonly trustProxy: boolean | readonly string[];
  readonly limits: ConnectionLimits;
  /** Who sees connections first; Node's server serves what it gives away. */
  readonly front?: ConnectionFront;
}

/** The server, as whoever starts and stops it sees it. */
export type HttpServer = Pick<FastifyInstance, 'listen' | 'close' | 'server'>;

type Serve = (arrival: Arrival) => void;

/**
 * Builds the HTTP server. Fastify finds the path; from there on a request is served on Node's own objects,
 * before Fastify looks at the body: half the cost, and the order of checks is ours.
 */
export function buildHttpServer(parts: HttpServerParts): HttpServer {
  const handler = new RequestHandler({ ...parts, timeouts: parts.limits });
  const app: FastifyInstance = Fastify({
    serverFactory: (listener) => createNodeServer(listener, { ...parts, handler }),
    trustProxy: typeof parts.trustProxy === 'boolean' ? parts.trustProxy : [...parts.trustProxy],
    routerOptions: { maxParamLength: parts.limits.urlBytes },
    exposeHeadRoutes: false,
    // Fastify's own would cut the connection before the answer of node-server.ts is read.
    clientErrorHandler: () => {},
    frameworkErrors: (_error, request, reply) => {
      reply.hijack();
      const fault = new Fault('request-malformed', 'The URL cannot be decoded.');
      handler.refuse(fault, familyOfUnknown(request.url), arrivalOf(request, reply));
    },
  });
  for (const method of METHODS) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: true });
  }
  const checked = (serve: Serve): Serve => {
    return (arrival) => {
      const fault = headFault(arrival.request, parts.limits.urlBytes);
      if (fault === undefined) serve(arrival);
      else handler.refuse(fault, familyOfUnknown(arrival.request.url ?? ''), arrival);
    };
  };
  for (const path of new Set(parts.routes.map((route) => route.path))) {
    const routes = parts.routes.filter((route) => route.path === path);
    register(app, path, checked(serveByMethod(routes, handler, parts)));
  }
  register(
    app,
    '*',
    checked((arrival) => refuseUnknownPath(handler, arrival)),
  );
  return app;
}

const HOST = 'host';
const noParameters: Readonly<Record<string, string>> = {};

function register(app: FastifyInstance, path: string, serve: Serve): void {
  // A last parameter takes the rest of the path: openai 4 sends the slashes of a model's name as they are.
  const last = /:(\w+)$/.exec(path)?.[1];
  const inner = [...path.matchAll(/:(\w+)\//g)].map(([, name = '']) => name);
  app.route({
    method: [...METHODS],
    url: path.replace(/:\w+$/, '*'),
    onRequest: (request, reply) => {
      reply.hijack();
      if (last === undefined && inner.length === 0) return serve(arrivalOf(request, reply));
      const params = inner.map((name) => [name, parameterOf(request, name)]);
      if (last !== undefined) params.push([last, parameterOf(request, '*')]);
      serve(arrivalOf(request, reply, Object.fromEntries(params)));
    },
    // Never reached: the request left Fastify in the hook above.
    handler: () => undefined,
  });
}

function parameterOf({ params }: FastifyRequest, name: string): string {
  if (typeof params !== 'object' || params === null) return '';
  return String(Object.entries(params).find(([key]) => key === name)?.[1] ?? '');
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

/** What is wrong with the head of a request that the parser let through. */
function headFault(request: IncomingMessage, urlBytes: number): Fault | undefined {
  const { url = '', rawHeaders, httpVersion } = request;
  if (url.length > urlBytes) return new Fault('url-too-long', `The URL is longer than ${urlBytes} bytes.`);
  const hosts = hostHeaders(rawHeaders);
  if (hosts === 0 && httpVersion === '1.1') {
    return new Fault('request-malformed', 'The request has no Host header.');
  }
  // Whoever stands before the gateway may have read the other one.
  if (hosts > 1) return new Fault('request-malformed', 'The request has more than one Host header.');
  return undefined;
}

/** How many there are: of several, `headers` has the first. */
function hostHeaders(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === HOST.length && name.toLowerCase() === HOST) count += 1;
  }
  return count;
}

function refuseUnknownPath(handler: RequestHandler, arrival: Arrival): void {
  const fault = new Fault('path-not-found', 'There is no such endpoint. See /docs for the list.');
  handler.refuse(fault, familyOfUnknown(arrival.request.url ?? ''), arrival);
}

/** Unknown paths under /v1/messages are answered in that dialect, all others in the one that every SDK reads. */
function familyOfUnknown(url: string): Family {
  return /^\/v1\/messages([/?]|$)/.test(url) ? messagesFamily : modelsFamily;
}

function arrivalOf(request: FastifyRequest, reply: FastifyReply, params = noParameters): Arrival {
  return { request: request.raw, response: reply.raw, params, address: request.ip };
}
