import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request as openRequest } from 'node:http';
import { request as openSecureRequest } from 'node:https';
import type { ServerCredentials } from '../config/config.ts';
import { tlsOptions } from '../upstream/tls-options.ts';

/** More than any answer to the doctor has. */
const MOST_BYTES = 4 * 1024 * 1024;

export interface ServerQuestion {
  readonly url: string;
  /** A body of JSON, sent by POST; absent: GET. */
  readonly body?: string;
  /** The key and certificates that the gateway uses there. */
  readonly credentials?: ServerCredentials;
  /** Whether any certificate of the server will do. */
  readonly trustsAnyone?: boolean;
  readonly signal: AbortSignal;
}

export interface ServerAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Asks a server as the gateway would: with the same key and certificates, and without following it elsewhere. */
export async function askServer(question: ServerQuestion): Promise<ServerAnswer> {
  const { url, body, credentials = {}, trustsAnyone = false, signal } = question;
  const { apiKey, certificates } = credentials;
  const open = url.startsWith('https:') ? openSecureRequest : openRequest;
  const asked = open(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(apiKey && { authorization: `Bearer ${apiKey.reveal()}` }),
    },
    ...tlsOptions(certificates),
    rejectUnauthorized: !trustsAnyone,
    agent: false,
    signal,
  }).end(body);
  const [answer]: [IncomingMessage] = (await once(asked, 'response')) as [IncomingMessage];
  return { status: answer.statusCode ?? 0, headers: answer.headers, text: await textOf(answer) };
}

async function textOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of answer) {
    sizeBytes += chunk.length;
    if (sizeBytes > MOST_BYTES) throw new Error('the answer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
