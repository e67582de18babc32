import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { type Certificate, makeCertificate } from '../../testing/certificates.mjs';
import { parseTestConfig } from '../../testing/parse-test-config.ts';
import { answerOf } from '../../testing/text/engine-answers.ts';
import { conversationOf } from '../../testing/text/engine-conversations.ts';
import { eventsOf, expectLegalEvents } from '../../testing/text/engine-events.ts';
import { failureOf, openAiEngineFor } from '../../testing/text/engine-openai.ts';
import type { OpenAiConfig } from '../config/config.ts';
import { renewCredentials, withCredentialFiles } from '../config/credential-files.ts';
import { Secret } from '../config/secret.ts';
import { OpenAiImagesEngine } from '../images/engines/openai-images/openai-images-engine.ts';
import { OpenAiEmbeddings } from '../knowledge/engines/openai/openai-embeddings.ts';
import { createLog } from '../telemetry/log.ts';
import type { OpenAiEngine } from '../text/engines/openai/openai-engine.ts';

const { signal } = new AbortController();
const plain = { signal, countFirst: false };
const log = createLog('silent', { write: () => undefined });
const answers: Readonly<Record<string, object>> = {
  '/v1/chat/completions': {
    choices: [{ message: { content: 'Hi.' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1 },
  },
  '/v1/embeddings': { data: [{ index: 0, embedding: [1, 0] }], usage: { prompt_tokens: 1 } },
  '/v1/models': { data: [] },
};
const [own, gateway, stranger] = [makeCertificate(), makeCertificate('gateway'), makeCertificate('stranger')];

let server: Server;
/** Each request: its path, the name in the certificate of who asked, and the key. */
const seen: (readonly [string | undefined, string | undefined, string | undefined])[] = [];
const chats = () => seen.flatMap(([path, ...who]) => (path === '/v1/chat/completions' ? [who] : []));
afterEach(async () => {
  seen.length = 0;
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function serve(options: ServerOptions): Promise<number> {
  server = createServer({ cert: own.certificate, key: own.key, ...options }, (incoming, response) => {
    const { subject } = (incoming.socket as TLSSocket).getPeerCertificate() ?? {};
    seen.push([incoming.url, subject && String(subject.CN), incoming.headers.authorization]);
    const answer = JSON.stringify(answers[incoming.url ?? ''] ?? {});
    incoming.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function expectAnswer(engine: OpenAiEngine): Promise<void> {
  expectLegalEvents(await eventsOf(answerOf(engine, conversationOf(), plain)));
}

async function faultOf(engine: OpenAiEngine): Promise<string> {
  return (await failureOf(answerOf(engine, conversationOf(), plain))).fault.code;
}

describe('a server behind TLS', () => {
  it('answers if its certificate is trusted, and fails otherwise', async () => {
    const port = await serve({});
    const baseUrls = [`https://localhost:${port}/v1`, `https://127.0.0.1:${port}/v1`];
    for (const baseUrl of baseUrls) {
      const certificates = { ca: new Secret(own.certificate) };
      const trusting = openAiEngineFor([], { baseUrls: [baseUrl], certificates });
      for (let round = 0; round < 3; round += 1) await expectAnswer(trusting);
      await trusting.close();
    }
    const doubting = openAiEngineFor([], { baseUrls });
    expect(await faultOf(doubting)).toBe('engine-failed');
    await doubting.close();
  });
});

describe('a server that wants to know who asks', () => {
  const mutual = { requestCert: true, rejectUnauthorized: true, ca: gateway.certificate };
  const secretsOf = ({ certificate, key }: Certificate) => ({
    ca: new Secret(own.certificate),
    certificate: new Secret(certificate),
    key: new Secret(key),
  });

  it('answers text engines with the certificate that it knows, and no others', async () => {
    const baseUrls = [`https://127.0.0.1:${await serve(mutual)}/v1`];
    const known = openAiEngineFor([], { baseUrls, certificates: secretsOf(gateway) });
    await expectAnswer(known);
    expect(chats()).toEqual([['gateway', undefined]]);
    await known.close();
    for (const certificates of [{ ca: new Secret(own.certificate) }, secretsOf(stranger)]) {
      const unknown = openAiEngineFor([], { baseUrls, certificates });
      expect(await faultOf(unknown)).toBe('engine-failed');
      await unknown.close();
    }
    expect(chats()).toHaveLength(1);
  });

  it('answers image engines and embeddings too', async () => {
    const baseUrl = `https://127.0.0.1:${await serve(mutual)}/v1`;
    const certificates = secretsOf(gateway);
    const embeddings = new OpenAiEmbeddings({ config: { baseUrl, model: 'm', certificates }, log });
    expect((await embeddings.embed(['word'], { stackId: 'shop', signal })).tokens).toBe(1);
    await embeddings.stop();
    const limits = { timeoutSeconds: 5, maxPromptCharacters: 100, maxReferences: 1 };
    const config = { kind: 'openai-images', baseUrl, model: 'm', certificates, ...limits } as const;
    const images = new OpenAiImagesEngine({ config, log });
    await images.lifecycle.ready(signal);
    await images.close();
    expect(seen.map(([path, name]) => [path, name])).toEqual([
      ['/v1/embeddings', 'gateway'],
      ['/v1/models', 'gateway'],
    ]);
  });

  it('is shown the certificate and told the key that are in the files since they were read again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'stackgate-mutual-'));
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
    const baseUrl = `https://127.0.0.1:${await serve(mutual)}/v1`;
    const read = () =>
      withCredentialFiles(
        parseTestConfig(`
engines:
  text:
    gpu: { kind: openai, base_url: "${baseUrl}", model: m, api_key_file: ${folder}/key,
      tls: { ca: ${folder}/ca.pem, certificate: ${folder}/own.pem, key: ${folder}/own-key.pem } }
`),
      );
    const renew = async ({ certificate, key }: Certificate, secret: string) => {
      write('ca.pem', own.certificate);
      write('own.pem', certificate);
      write('own-key.pem', key);
      write('key', secret);
      return (await read()).engines;
    };
    const running = await renew(stranger, 'first');
    const engine = openAiEngineFor([], running.text.gpu as OpenAiConfig);
    expect(await faultOf(engine)).toBe('engine-failed');
    renewCredentials(running, await renew(gateway, 'second'));
    await expectAnswer(engine);
    renewCredentials(running, await renew(gateway, 'third'));
    await expectAnswer(engine);
    expect(chats()).toEqual([
      ['gateway', 'Bearer second'],
      ['gateway', 'Bearer third'],
    ]);
    await engine.close();
    rmSync(folder, { recursive: true });
  });
});
