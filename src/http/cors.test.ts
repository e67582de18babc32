import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { type CorsPolicy, isPreflight, preflightHeaders, setCorsHeaders } from './cors.ts';

const off: CorsPolicy = { origins: [] };
const one: CorsPolicy = { origins: ['https://app.example'] };
const all: CorsPolicy = { origins: ['*'] };

function request(method: string, headers: Readonly<Record<string, string>>): IncomingMessage {
  return Object.assign(new IncomingMessage(new Socket()), { method, headers });
}

function headersOf(policy: CorsPolicy, origin: string | undefined): object {
  const asked = request('GET', origin === undefined ? {} : { origin });
  const response = new ServerResponse(asked);
  setCorsHeaders(policy, asked, response);
  return { ...response.getHeaders() };
}

const exposed = {
  'access-control-expose-headers': expect.stringMatching(
    /^x-request-id, request-id, retry-after, x-should-retry, x-knowledge-sources, idempotent-replayed, x-ratelimit-limit-requests, .*, anthropic-ratelimit-tokens-reset$/,
  ),
};

describe('CORS headers', () => {
  it.each<[string, CorsPolicy, string | undefined, object]>([
    ['nothing when off', off, 'https://app.example', {}],
    [
      'an allowed origin by name',
      one,
      'https://app.example',
      { vary: 'origin', 'access-control-allow-origin': 'https://app.example', ...exposed },
    ],
    ['no other origin', one, 'https://app.example.evil', { vary: 'origin' }],
    ['nothing but Vary to clients that are no browser', one, undefined, { vary: 'origin' }],
    [
      'every origin for a star',
      all,
      'https://any.example',
      { vary: 'origin', 'access-control-allow-origin': '*', ...exposed },
    ],
  ])('tell %s', (_what, policy, origin, expected) => {
    expect(headersOf(policy, origin)).toEqual(expected);
  });
});

describe('a preflight', () => {
  const question = { origin: 'https://app.example', 'access-control-request-method': 'POST' };

  it('is answered for allowed origins only', () => {
    expect(isPreflight(one, request('OPTIONS', question))).toBe(true);
    expect(isPreflight(all, request('OPTIONS', question))).toBe(true);
    expect(isPreflight(off, request('OPTIONS', question))).toBe(false);
    expect(isPreflight(one, request('OPTIONS', { ...question, origin: 'https://evil' }))).toBe(false);
    expect(isPreflight(one, request('GET', question))).toBe(false);
    expect(isPreflight(one, request('OPTIONS', { origin: question.origin }))).toBe(false);
  });

  it('allows the methods of the route and the headers that were asked for', () => {
    const asked = { ...question, 'access-control-request-headers': 'authorization,x-stainless-os' };
    expect(preflightHeaders(request('OPTIONS', asked), 'POST')).toEqual({
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'authorization,x-stainless-os',
      'access-control-max-age': '600',
    });
  });
});
