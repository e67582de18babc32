import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HeldClock } from '../../../testing/bad-child/clocks.ts';
import { UPSTREAM_DETAIL } from '../../../testing/fake-upstream/failure-modes.mjs';
import { type FakeUpstream, startFakeUpstream } from '../../../testing/fake-upstream/fake-upstream.mjs';
import { describeImageEngine, orderOf } from '../../../testing/images/engine-contract.ts';
import { pictures } from '../../../testing/pictures.ts';
import { Secret } from '../../config/secret.ts';
import { Fault } from '../../faults/fault.ts';
import { createLog } from '../../telemetry/log.ts';
import type { ImageOrder } from '../image-engine.ts';
import type { ImageServerSettings } from './image-server.ts';
import { OpenAiImagesEngine } from './openai-images/openai-images-engine.ts';
import { SdapiEngine } from './sdapi/sdapi-engine.ts';

const never = new AbortController().signal;
const soon = () => AbortSignal.timeout(60_000);
const silent = { log: createLog('silent', { write: () => undefined }) };
const common = { model: 'painter-x', timeoutSeconds: 20, maxPromptCharacters: 2_000 };
const KEY = 'sk-image-server-secret';

type Settings = Partial<ImageServerSettings> & { readonly maxReferences?: number };

const kinds = {
  'openai-images': (url: string, { maxReferences = 4, ...settings }: Settings = {}) =>
    new OpenAiImagesEngine({
      config: {
        kind: 'openai-images',
        baseUrl: `${url}/v1`,
        apiKey: new Secret(KEY),
        maxReferences,
        ...common,
      },
      ...silent,
      ...settings,
    }),
  sdapi: (url: string, { maxReferences = 1, ...settings }: Settings = {}) =>
    new SdapiEngine({
      config: { kind: 'sdapi', baseUrl: url, maxReferences, ...common },
      ...silent,
      ...settings,
    }),
};

for (const [kind, make] of Object.entries(kinds)) {
  describeImageEngine(kind, async () => {
    const upstream = await startFakeUpstream({ model: 'painter-x' });
    const engine = make(upstream.url);
    return {
      engine,
      [Symbol.asyncDispose]: async () => {
        await engine.close();
        await upstream.until(({ openConnections }) => openConnections === 0, soon());
        await upstream.close();
      },
    };
  });
}

let upstream: FakeUpstream;
beforeEach(async () => {
  upstream = await startFakeUpstream({ model: 'painter-x', plan: { image: await pictures.png() } });
});
afterEach(async () => {
  await upstream.close();
});

const order = (changes: Partial<ImageOrder> = {}) =>
  orderOf({
    prompt: 'ein Füchslein',
    width: 1536,
    steps: 3,
    guidanceScale: 2.5,
    seed: 2n ** 63n + 5n,
    ...changes,
  });
// The 31-bit pieces of 2^63 + 5 are 5, 0 and 2.
const FOLDED = 7;

async function asked() {
  const recorded = upstream.requests.findLast(({ method }) => method === 'POST');
  if (recorded === undefined) throw new Error('nothing was asked');
  return recorded;
}

it.each(Object.entries(kinds))('%s tells the server the span of the call', async (_kind, make) => {
  const engine = make(upstream.url);
  const traceparent = `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`;
  await engine.paint(order({ traceparent }), never);
  expect((await asked()).headers.traceparent).toBe(traceparent);
  await engine.close();
});

describe('what openai-images asks', () => {
  it('is every value by the names that servers take, and the key', async () => {
    const engine = kinds['openai-images'](upstream.url);
    await engine.paint(order(), never);
    const { path, body, headers } = await asked();
    expect([path, headers.authorization]).toEqual(['/v1/images/generations', `Bearer ${KEY}`]);
    expect(body).toEqual({
      model: 'painter-x',
      prompt: 'ein Füchslein',
      n: 1,
      size: '1536x1024',
      response_format: 'b64_json',
      output_format: 'png',
      num_inference_steps: 3,
      guidance_scale: 2.5,
      seed: FOLDED,
      step: 3,
      cfg_scale: 2.5,
    });
    await engine.close();
  });

  it('is a form with the pictures in their order where there are references', async () => {
    const engine = kinds['openai-images'](upstream.url);
    const references = [await pictures.png(), await pictures.greyPng(), await pictures.deepPng()];
    await engine.paint(order({ references }), never);
    const { path, form } = await asked();
    expect(path).toBe('/v1/images/edits');
    expect(form.filter(({ bytes }) => bytes !== undefined)).toEqual(
      references.map((bytes, index) => ({
        name: 'image[]',
        fileName: `reference-${index + 1}.png`,
        contentType: 'image/png',
        bytes,
      })),
    );
    const fields = Object.fromEntries(
      form.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])),
    );
    expect(fields).toMatchObject({
      prompt: 'ein Füchslein',
      size: '1536x1024',
      num_inference_steps: '3',
      seed: '7',
    });
    await engine.close();
  });
});

describe('what sdapi asks', () => {
  it('is every value by the names that servers take', async () => {
    const engine = kinds.sdapi(upstream.url);
    await engine.paint(order(), never);
    const { path, body } = await asked();
    expect(path).toBe('/sdapi/v1/txt2img');
    expect(body).toMatchObject({
      prompt: 'ein Füchslein',
      width: 1536,
      height: 1024,
      steps: 3,
      cfg_scale: 2.5,
      seed: FOLDED,
      batch_size: 1,
      n_iter: 1,
      override_settings: { sd_model_checkpoint: 'painter-x', img2img_fix_steps: true, samples_format: 'png' },
    });
    await engine.close();
  });

  it('is one picture to start from where the server takes one', async () => {
    const engine = kinds.sdapi(upstream.url);
    const png = await pictures.png();
    await engine.paint(order({ references: [png] }), never);
    const { path, body } = await asked();
    expect(path).toBe('/sdapi/v1/img2img');
    expect(body).toMatchObject({ init_images: [png.toString('base64')], denoising_strength: 0.75 });
    expect(body).not.toHaveProperty('extra_images');
    await engine.close();
  });

  it('is all pictures in their order where the server takes several', async () => {
    const engine = kinds.sdapi(upstream.url, { maxReferences: 4 });
    const references = [await pictures.png(), await pictures.greyPng()];
    await engine.paint(order({ references }), never);
    const encoded = references.map((bytes) => bytes.toString('base64'));
    expect((await asked()).body).toMatchObject({ init_images: [encoded[0]], extra_images: encoded });
    await engine.close();
  });
});

describe.each(Object.entries(kinds))('%s', (_kind, make) => {
  it('does not pass settings in a prompt to the server', async () => {
    const engine = make(upstream.url);
    await engine.paint(order({ prompt: '<<sd_cpp_extra_args>>{"steps": 99}<</SD_CPP_extra_args>>' }), never);
    expect(JSON.stringify((await asked()).body)).not.toMatch(/sd_cpp_extra_args/i);
    await engine.close();
  });

  it.each([
    { mode: 'status', status: 500 } as const,
    { mode: 'status', status: 400 } as const,
    { mode: 'status', status: 422, body: 'html' } as const,
    { mode: 'status', status: 503, retryAfter: 7 } as const,
    'reset-before-headers' as const,
    'truncated-body' as const,
    'garbage-json' as const,
  ])('is not ready when its server fails, and says nothing of what it said: %o', async (fail) => {
    const engine = make(upstream.url);
    upstream.respond({ fail });
    const fault = await engine.paint(order(), never).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(Fault);
    expect(fault).toMatchObject({ code: 'model-not-ready' });
    expect((fault as Fault).message).not.toContain(UPSTREAM_DETAIL);
    expect((await engine.paint(order(), never)).bytes.length).toBeGreaterThan(0);
    await engine.close();
  });

  it("passes on its server's retry delay", async () => {
    const engine = make(upstream.url);
    upstream.respond({ fail: { mode: 'status', status: 503, retryAfter: 7 } });
    await expect(engine.paint(order(), never)).rejects.toMatchObject({ retryAfterSeconds: 7 });
    await engine.close();
  });

  it.each([
    {},
    { data: [], images: [] },
    { data: [{ url: 'http://x/y.png' }], images: [5] },
    [1],
    { data: 'x', images: {} },
  ])('is not ready when the answer has no picture: %o', async (answer) => {
    const engine = make(upstream.url);
    upstream.respond({ answer });
    await expect(engine.paint(order(), never)).rejects.toMatchObject({ code: 'model-not-ready' });
    await engine.close();
  });

  it('takes a picture with the head of a data URL', async () => {
    const engine = make(upstream.url);
    const png = await pictures.png();
    const url = `data:image/png;base64,${png.toString('base64')}`;
    upstream.respond({ answer: { data: [{ b64_json: url }], images: [url] } });
    expect(Buffer.from((await engine.paint(order(), never)).bytes).equals(png)).toBe(true);
    await engine.close();
  });

  it('gives up after its time, and drops the connection', async () => {
    const clock = new HeldClock();
    const engine = make(upstream.url, { clock });
    upstream.respond({ fail: 'stall-before-headers' });
    const painting = engine.paint(order(), never).catch((error: unknown) => error);
    await upstream.until(({ requests }) => requests.some(({ method }) => method === 'POST'), soon());
    const recorded = await asked();
    clock.pass(20_250);
    expect(await painting).toMatchObject({
      code: 'model-not-ready',
      message: expect.stringContaining('too long'),
    });
    expect(await recorded.ended).toBe('client-gone');
    await engine.close();
    expect(clock.pending).toBe(0);
  });

  it('drops the connection when its signal aborts', async () => {
    const engine = make(upstream.url);
    upstream.respond({ fail: 'stall-before-headers' });
    const leaving = new AbortController();
    const painting = engine.paint(order(), leaving.signal).catch((error: unknown) => error);
    await upstream.until(({ requests }) => requests.some(({ method }) => method === 'POST'), soon());
    const recorded = await asked();
    leaving.abort(new Error('client left'));
    expect(await painting).toMatchObject({ message: 'client left' });
    expect(await recorded.ended).toBe('client-gone');
    await engine.close();
  });

  it('is starting, then ready, then degraded, then ready again', async () => {
    const clock = new HeldClock();
    await upstream.refuse();
    const engine = make(upstream.url, { clock });
    expect(engine.lifecycle.state).toBe('starting');
    clock.pass(250);
    await expect.poll(() => engine.lifecycle.state).toBe('degraded');
    await upstream.accept();
    await engine.lifecycle.ready(soon());
    expect(engine.lifecycle.state).toBe('ready');
    await upstream.refuse();
    await expect
      .poll(() => {
        clock.pass(10_000);
        return engine.lifecycle.state;
      })
      .toBe('degraded');
    await engine.close();
    expect(clock.pending).toBe(0);
  });

  it('is checked soon after a failure', async () => {
    const clock = new HeldClock();
    const engine = make(upstream.url, { clock });
    await engine.lifecycle.ready(soon());
    await upstream.refuse();
    await expect(engine.paint(order(), never)).rejects.toMatchObject({ code: 'model-not-ready' });
    await expect
      .poll(
        () => {
          clock.pass(500);
          return engine.lifecycle.state;
        },
        { interval: 20 },
      )
      .toBe('degraded');
    await engine.close();
  });

  it('is ready if its server answers without a health route', async () => {
    upstream.script(({ method }) =>
      method === 'GET' ? { fail: { mode: 'status', status: 404 } } : undefined,
    );
    const engine = make(upstream.url);
    await engine.lifecycle.ready(soon());
    expect(engine.lifecycle.state).toBe('ready');
    await engine.close();
  });

  it('rejects waiting requests once it is closed', async () => {
    await upstream.refuse();
    const engine = make(upstream.url);
    const waiting = engine.lifecycle.ready(never).catch((error: unknown) => error);
    await engine.close();
    expect(await waiting).toMatchObject({ code: 'model-not-ready' });
  });
});
