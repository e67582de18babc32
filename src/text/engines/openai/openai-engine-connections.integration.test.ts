import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { answerOf } from '../../../../testing/text/engine-answers.ts';
import { conversationOf } from '../../../../testing/text/engine-conversations.ts';
import { eventsOf, expectLegalEvents } from '../../../../testing/text/engine-events.ts';
import { failureOf, openAiEngineFor } from '../../../../testing/text/engine-openai.ts';
import { Secret } from '../../../config/secret.ts';

const plain = { signal: new AbortController().signal, countFirst: false };
const whole = JSON.stringify({
  choices: [{ message: { content: 'Hi.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1 },
});

describe('a server behind TLS', () => {
  it('answers if its certificate is trusted, and fails otherwise', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'stackgate-tls-'));
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const request = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout ${key} -out ${cert} -subj /CN=localhost -days 2 -addext subjectAltName=DNS:localhost,IP:127.0.0.1`;
    await promisify(execFile)('openssl', request.split(' '));
    const [keyPem, certPem] = await Promise.all([readFile(key, 'utf8'), readFile(cert, 'utf8')]);
    await rm(folder, { recursive: true });
    const server = createServer({ key: keyPem, cert: certPem }, (incoming, response) => {
      incoming
        .resume()
        .on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(whole));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const baseUrls = [`https://localhost:${port}/v1`, `https://127.0.0.1:${port}/v1`];
    for (const baseUrl of baseUrls) {
      const trusting = openAiEngineFor([], {
        baseUrls: [baseUrl],
        certificates: { ca: new Secret(certPem) },
      });
      for (let round = 0; round < 3; round += 1)
        expectLegalEvents(await eventsOf(answerOf(trusting, conversationOf(), plain)));
      await trusting.close();
    }
    const doubting = openAiEngineFor([], { baseUrls });
    expect((await failureOf(answerOf(doubting, conversationOf(), plain))).fault.code).toBe('engine-failed');
    await doubting.close();
    await new Promise((resolve) => server.close(resolve));
  });
});
