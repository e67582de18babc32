import type { IncomingMessage, ServerResponse } from 'node:http';
import { rateHeaderNames } from '../families/rate-headers.ts';

/** The web origins that may call the gateway from a browser. */
export interface CorsPolicy {
  readonly origins: readonly string[];
}

const EXPOSED_HEADERS = [
  'x-request-id',
  'request-id',
  'retry-after',
  'x-should-retry',
  'x-knowledge-sources',
  'idempotent-replayed',
  ...rateHeaderNames(),
].join(', ');
const PREFLIGHT_SECONDS = '600';

/** Whether a request is a CORS preflight of an allowed origin. */
export function isPreflight(policy: CorsPolicy, request: IncomingMessage): boolean {
  return (
    request.method === 'OPTIONS' &&
    request.headers['access-control-request-method'] !== undefined &&
    allowedOrigin(policy, request) !== undefined
  );
}

/** Adds the headers that let a browser of an allowed origin read the answer. */
export function setCorsHeaders(policy: CorsPolicy, request: IncomingMessage, response: ServerResponse): void {
  if (policy.origins.length === 0) return;
  response.setHeader('vary', 'origin');
  const origin = allowedOrigin(policy, request);
  if (origin === undefined) return;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-expose-headers', EXPOSED_HEADERS);
}

/** The headers of the answer to a preflight. They allow every request header, because SDKs add their own. */
export function preflightHeaders(
  request: IncomingMessage,
  methods: string,
): Readonly<Record<string, string>> {
  return {
    'access-control-allow-methods': methods,
    'access-control-allow-headers': request.headers['access-control-request-headers'] ?? '',
    'access-control-max-age': PREFLIGHT_SECONDS,
  };
}

function allowedOrigin(policy: CorsPolicy, request: IncomingMessage): string | undefined {
  const origin = request.headers.origin;
  if (origin === undefined) return undefined;
  if (policy.origins.includes('*')) return '*';
  return policy.origins.includes(origin) ? origin : undefined;
}
