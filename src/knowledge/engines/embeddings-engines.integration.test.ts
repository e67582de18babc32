import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { childProcesses } from '../../../testing/child-processes.ts';
import { Secret } from '../../config/secret.ts';
import { createLog } from '../../telemetry/log.ts';
import { EmbeddedEmbeddings } from './embedded/embedded-embeddings.ts';
import { OpenAiEmbeddings } from './openai/openai-embeddings.ts';

const log = createLog('fatal', process.stderr);
const { signal } = new AbortController();
const work = { stackId: 'shop', signal };
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

interface Asked {
  readonly path: string | undefined;
  readonly authorization: string | undefined;
  readonly input: readonly string[];
}

/** Serves the results of `answer`, one per request. */
async function serve(answer: (asked: Asked, serial: number) => { status?: number; body: unknown }) {
  const asked: Asked[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { input } = JSON.parse(Buffer.concat(chunks).toString());
      asked.push({ path: request.url, authorization: request.headers.authorization, input });
      const { status = 200, body } = answer(asked.at(-1) as Asked, asked.length);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => new Promise((resolve) => server.close(() => resolve())));
  const { port } = server.address() as AddressInfo;
  const engine = new OpenAiEmbeddings({
    config: { baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: new Secret('hidden'), model: 'm' },
    log,
  });
  closers.unshift(() => engine.stop());
  return { engine, asked };
}

const vectorsOf = ({ input }: Asked) => ({
  body: {
    data: input.map((text, index) => ({ index, embedding: [text.length, 0] })).toReversed(),
    usage: { prompt_tokens: input.length },
  },
});

describe('embeddings by a server', () => {
  it('come in the order of the texts, of length 1, in batches, with the key', async () => {
    const { engine, asked } = await serve(vectorsOf);
    const { vectors, tokens } = await engine.embed(
      Array.from({ length: 70 }, (_, index) => 'x'.repeat(index + 1)),
      work,
    );
    expect(vectors).toHaveLength(70);
    expect(vectors[3]).toEqual(Float32Array.of(1, 0));
    expect(tokens).toBe(70);
    expect(asked.map(({ input }) => input.length)).toEqual([32, 32, 6]);
    expect(asked[0]).toMatchObject({ path: '/v1/embeddings', authorization: 'Bearer hidden' });
    expect(engine.lifecycle.state).toBe('ready');
  });

  it('are asked for again where the server was busy', async () => {
    const { engine, asked } = await serve((request, serial) =>
      serial < 3 ? { status: 503, body: {} } : vectorsOf(request),
    );
    expect((await engine.embed(['a'], work)).vectors).toHaveLength(1);
    expect(asked).toHaveLength(3);
  });

  it('fail after a few attempts, and say so', async () => {
    const { engine, asked } = await serve(() => ({ status: 500, body: {} }));
    await expect(engine.embed(['a'], work)).rejects.toMatchObject({
      code: 'engine-failed',
    });
    expect(asked).toHaveLength(3);
    expect(engine.lifecycle.state).toBe('degraded');
  });

  it('are not asked for again where the text was refused', async () => {
    const { engine, asked } = await serve(() => ({ status: 400, body: {} }));
    await expect(engine.embed(['a'], work)).rejects.toMatchObject({
      code: 'engine-refused',
    });
    expect(asked).toHaveLength(1);
  });

  it.each([
    ['too few vectors', { data: [] }],
    ['vectors of several lengths', { data: [{ embedding: [1] }, { embedding: [1, 2] }] }],
    ['a vector without direction', { data: [{ embedding: [0] }, { embedding: [0] }] }],
    [
      'a path that does not exist',
      {
        data: [
          { index: 0, embedding: [1] },
          { index: 7, embedding: [1] },
        ],
      },
    ],
  ])('are no answer with %s', async (_, body) => {
    const { engine } = await serve(() => ({ body }));
    await expect(engine.embed(['a', 'b'], work)).rejects.toMatchObject({
      code: 'engine-failed',
    });
  });
});

describe('the embedded embeddings', () => {
  function embedded(): EmbeddedEmbeddings {
    const engine = new EmbeddedEmbeddings({ log: createLog('silent', process.stderr) });
    closers.push(() => engine.stop(AbortSignal.abort()));
    return engine;
  }

  it('embed in a process of their own, which sleeps until the first text', async () => {
    const engine = embedded();
    expect(engine.lifecycle.state).toBe('paused');
    const texts = Array.from({ length: 20 }, (_, index) => `Parcel number ${index}`);
    const { vectors, tokens } = await engine.embed(texts, work);
    expect(vectors).toHaveLength(20);
    expect(vectors.every((vector) => Math.abs(Math.hypot(...vector) - 1) < 1e-3)).toBe(true);
    expect(tokens).toBeGreaterThan(60);
    expect(engine.lifecycle.state).toBe('ready');
  });

  it('go on in a fresh process after it was killed', async () => {
    const others = new Set(childProcesses('embeddings-child'));
    const running = () => childProcesses('embeddings-child').filter((pid) => !others.has(pid));
    const engine = embedded();
    const before = await engine.embed(['Parcels travel by van.'], work);
    const [killed = 0, ...more] = running();
    expect([killed > 0, more]).toEqual([true, []]);
    process.kill(killed, 'SIGKILL');
    await expect.poll(() => engine.lifecycle.state).not.toBe('ready');
    expect(await engine.embed(['Parcels travel by van.'], work)).toEqual(before);
    expect(running()).not.toContain(killed);
    expect(running()).toHaveLength(1);
  });

  it('refuse with a fault where the process cannot start', async () => {
    const engine = new EmbeddedEmbeddings({
      log,
      launch: (listener) => {
        queueMicrotask(() => listener.ended({ exitCode: 1, signal: null }));
        return { send() {}, kill() {} };
      },
    });
    closers.push(() => engine.stop(AbortSignal.abort()));
    await expect(engine.embed(['a'], work)).rejects.toMatchObject({
      code: 'model-not-ready',
    });
  });
});
