import { jsonHead, RawClient } from './raw-client.ts';

/** The ways in which a client can misbehave. */
export const rudeManners = [
  'leaves-mid-head',
  'leaves-mid-body',
  'leaves-mid-chunk',
  'sends-too-much',
  'garbage',
  'resets-before-answer',
  'slow',
] as const;

type RudeManner = (typeof rudeManners)[number];

interface Abuse {
  readonly key: string;
  readonly manner: RudeManner;
}

/** Connects, misbehaves, and disconnects. */
export async function abuse(url: string, { key, manner }: Abuse): Promise<void> {
  using client = await RawClient.open(url);
  await behave[manner](client, key);
}

const path = '/v1/chat/completions';

const behave: Readonly<Record<RudeManner, (client: RawClient, key: string) => Promise<void>>> = {
  'leaves-mid-head': async (client) => client.sent('POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuth'),
  'leaves-mid-body': async (client, key) =>
    client.sent(`${jsonHead(path, { key, length: 1_000_000 })}{"model":`),
  'leaves-mid-chunk': async (client, key) => {
    const head = jsonHead(path, { key, length: 0 }).replace(
      'Content-Length: 0',
      'Transfer-Encoding: chunked',
    );
    await client.sent(`${head}ffff\r\n{"mod`);
  },
  'sends-too-much': async (client, key) => {
    await client.sent(`${jsonHead(path, { key, length: 2 ** 40 })}${'x'.repeat(100_000)}`);
    await client.receives(/^HTTP\/1\.1 413 /);
  },
  garbage: async (client) => {
    await client.sent('\u0000\u0001\u0002 GET nothing\r\n\r\n');
    await client.closed();
  },
  'resets-before-answer': async (client, key) => client.sent(`${jsonHead(path, { key, length: 2 })}{}`),
  slow: async (client, key) => {
    for (const letter of jsonHead(path, { key, length: 2 }).slice(0, 20)) await client.sent(letter);
  },
};
