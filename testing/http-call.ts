import { expect } from 'vitest';
import { answerProblems } from './answer-problems.ts';
import type { HttpGateway } from './http-gateway.ts';
import type { RawAnswer } from './raw-client.ts';

/** A request of a test. */
export interface Call {
  readonly method?: string;
  readonly path: string;
  /** Sent as `Authorization: Bearer`. */
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** The bytes of a request, with the necessary headers. */
export function requestBytes({ method = 'GET', path, key, headers = {}, body }: Call): Buffer {
  const all = {
    host: 'gateway.test',
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([
    Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'),
    Buffer.from(body ?? ''),
  ]);
}

/** Sends one request and checks the guarantees of every answer. */
export async function call(gateway: HttpGateway, request: Call): Promise<RawAnswer> {
  await using client = await gateway.connect();
  await client.send(requestBytes(request));
  const answer = await client.answer({ bodyless: request.method === 'HEAD' });
  expectSound(gateway, request, answer);
  return answer;
}

/** Fails if an answer breaks a guarantee of every answer. */
export function expectSound(gateway: HttpGateway, request: Call, answer: RawAnswer): void {
  const asked = { method: request.method ?? 'GET', path: request.path };
  expect(
    answerProblems(gateway.description(asked.path), asked, answer),
    `${asked.method} ${asked.path} ${answer.status}`,
  ).toEqual([]);
}

/** A call with a JSON body and a key. */
export function jsonCall(path: string, key: string, body: string | Buffer = '{}'): Call {
  return { method: 'POST', path, key, body, headers: { 'content-type': 'application/json' } };
}
