import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeCaller } from '../../testing/fake-callers.ts';
import { GENERATIONS, ImageGateway } from '../../testing/images/image-gateway.ts';
import { multipartBody, multipartType, type TestPart } from '../../testing/multipart.ts';
import { pictures } from '../../testing/pictures.ts';
import { Fault } from '../faults/fault.ts';

let gateway: ImageGateway;
beforeAll(async () => {
  gateway = await ImageGateway.start({
    'sk-none': makeCaller({ stack: { id: 'text', imagePlan: false } }),
    'sk-small': makeCaller({ stack: { id: 'small' }, limits: { storageBytes: 1_000 } }),
    'sk-bare': makeCaller({ stack: { id: 'bare', imageEngine: 'painter' } }),
  });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
});
afterEach(() => {
  const { engine, queue, gallery } = gateway;
  Object.assign(engine, { failure: undefined, state: 'ready', bytes: undefined, maxPromptCharacters: 2_000 });
  engine.orders.length = 0;
  engine.unknownWords = undefined;
  Object.assign(queue, { failure: undefined });
  Object.assign(gallery, { failure: undefined });
  gallery.images.length = 0;
});

const lastOrder = () => gateway.engine.orders.at(-1);

describe('an image of a stack whose storage is full', () => {
  it('is 429 before it is painted, and takes up no submission', async () => {
    expect((await gateway.generate({}, 'sk-small')).status).toBe(200);
    const refused = await gateway.generate({}, 'sk-small');
    expect([refused.status, refused.body.error.code]).toEqual([429, 'storage_quota_exceeded']);
    expect(refused.headers['x-should-retry']).toBe('false');
    expect(gateway.engine.orders).toHaveLength(1);
  });
});

describe('an image from words', () => {
  it('is painted with the defaults, which the answer shows', async () => {
    const { status, body, headers } = await gateway.generate();
    expect([status, headers['content-type']]).toEqual([200, 'application/json']);
    expect(body.created).toBe(Math.floor(Date.parse('2026-01-02T03:04:05.678Z') / 1000));
    expect(body.data).toHaveLength(1);
    expect(body.meta).toMatchObject({
      prompt: 'a fox',
      width: 1024,
      height: 1024,
      steps: 4,
      guidance_scale: 1,
      n: 1,
      model: 'fake-painter',
    });
    const png = Buffer.from(body.data[0].b64_json, 'base64');
    expect(await sharp(png).metadata()).toMatchObject({
      format: 'png',
      width: 1024,
      height: 1024,
      channels: 3,
    });
  });

  it('has timings of four decimals, and their exact sum', async () => {
    const { body, text } = await gateway.generate();
    const { timings } = body.meta;
    expect(timings).toMatchObject({ queue_wait_s: 0.0123, decode_s: null, gpu_s: 1.2346 });
    const whole = (seconds: number) => Math.round(seconds * 10_000);
    expect(whole(timings.worker_s)).toBe(whole(timings.gpu_s) + whole(timings.encode_s));
    for (const [, decimals] of text.matchAll(/_s":\d+\.(\d+)/g))
      expect(decimals?.length).toBeLessThanOrEqual(4);
  });

  it.each([
    ['1536x1024', 1536, 1024],
    ['1024x1536', 1024, 1536],
  ])('has the size %s', async (size, width, height) => {
    const { body } = await gateway.generate({ size });
    expect(body.meta).toMatchObject({ width, height });
    expect(lastOrder()).toMatchObject({ width, height });
  });

  it.each(['0', '1', '9007199254740993', '18446744073709551615'])('has the seed %s exactly', async (seed) => {
    const { text } = await gateway.generate(`{"prompt": "a fox", "seed": ${seed}}`);
    expect(text).toContain(`"seed":${seed},`);
    expect(lastOrder()?.seed).toBe(BigInt(seed));
    expect(gateway.gallery.images.at(-1)?.seed).toBe(BigInt(seed));
  });

  it('has a random seed by default', async () => {
    const seeds = new Set<bigint | undefined>();
    for (let round = 0; round < 3; round++) {
      const { text } = await gateway.generate();
      seeds.add(lastOrder()?.seed);
      expect(text).toContain(`"seed":${lastOrder()?.seed},`);
    }
    expect(seeds.size).toBe(3);
  });

  it('takes null as absent, and ignores unknown fields', async () => {
    const fields = {
      size: null,
      steps: null,
      guidance_scale: null,
      seed: null,
      n: null,
      response_format: null,
    };
    const others = { model: 'any', image: null, mask: null, user: 'u', style: { a: [1] }, quality: 'hd' };
    expect((await gateway.generate({ ...fields, ...others })).status).toBe(200);
    expect(lastOrder()).toMatchObject({ width: 1024, steps: 4, guidanceScale: 1 });
  });

  it('takes 4.0 for the integer 4', async () => {
    const { status, body } = await gateway.generate(
      '{"prompt": "a", "steps": 4.0, "n": 1e0, "guidance_scale": 20}',
    );
    expect([status, body.meta.steps, body.meta.guidance_scale]).toEqual([200, 4, 20]);
  });

  it('tells which words of its prompt had no effect, where the engine can tell', async () => {
    const silent = await gateway.generate();
    expect(silent.body.meta).not.toHaveProperty('unknown_words');
    expect(silent.headers).not.toHaveProperty('x-prompt-unknown-words');
    expect(gateway.gallery.images.at(-1)?.unknownWords).toBeNull();
    gateway.engine.unknownWords = ['sad', 'staff'];
    const { body, headers } = await gateway.generate();
    expect([body.meta.unknown_words, headers['x-prompt-unknown-words']]).toEqual([['sad', 'staff'], '2']);
    expect(gateway.gallery.images.at(-1)?.unknownWords).toEqual(['sad', 'staff']);
    gateway.engine.unknownWords = [];
    expect((await gateway.generate()).body.meta.unknown_words).toEqual([]);
  });

  it('is stored with all its parameters, before the answer', async () => {
    const { body } = await gateway.generate({ seed: 7, steps: 2, guidance_scale: 2.5 }, 'sk-prompt');
    const [image] = gateway.gallery.images;
    expect(image).toMatchObject({
      accountId: 'acme',
      stackId: 'shop',
      keyId: 'art',
      route: 'generations',
      model: 'fake-painter',
      prompt: 'a fox',
      steps: 2,
      guidanceScale: 2.5,
      seed: 7n,
      references: 0,
    });
    expect(Buffer.from(image?.png ?? []).toString('base64')).toBe(body.data[0].b64_json);
  });
});

describe('the prompt', () => {
  it.each([
    ['the request’s', { prompt: 'mine' }, 'sk-prompt', 'mine'],
    ['the key’s when there is none', { prompt: undefined }, 'sk-prompt', 'a key’s fox'],
    ['the key’s when it is null', { prompt: null }, 'sk-prompt', 'a key’s fox'],
    ['the key’s when it is blank', { prompt: ' \n\t ' }, 'sk-prompt', 'a key’s fox'],
    ['the key’s when nothing of it can be used', { prompt: '\0\ud800' }, 'sk-prompt', 'a key’s fox'],
    ['kept with its blanks', { prompt: '  mine ' }, 'sk-a', '  mine '],
    ['rid of what no database takes', { prompt: 'a\0b\ud800c🦊' }, 'sk-a', 'abc🦊'],
  ])('is %s', async (_what, fields, key, expected) => {
    const { body } = await gateway.generate(fields, key);
    expect([body.meta.prompt, lastOrder()?.prompt]).toEqual([expected, expected]);
  });

  it.each([
    ['2,000 characters', 2_000, 'ü'],
    ['2,000 characters outside the first plane', 2_000, '🦊'],
    ['what the engine takes', 77, '🦊'],
    ['2,000 characters although the engine takes more', 5_000, 'x'],
  ])('is cut at %s', async (_what, maxPromptCharacters, character) => {
    gateway.engine.maxPromptCharacters = maxPromptCharacters;
    const { body } = await gateway.generate({ prompt: character.repeat(5_001) });
    expect([...body.meta.prompt].length).toBe(Math.min(2_000, maxPromptCharacters));
    expect(lastOrder()?.prompt).toBe(body.meta.prompt);
  });
});

describe('a refusal', () => {
  const serverFault = (code: string, type = 'invalid_request_error') => ({
    error: { message: expect.any(String), type, code },
  });

  it.each<[string, string, RegExp]>([
    ['missing_prompt', '{}', /prompt/],
    ['missing_prompt', '{"prompt": "  "}', /prompt/],
    ['invalid_prompt', '{"prompt": 5}', /must be a string, got 5/],
    ['invalid_prompt', '{"prompt": ["a"]}', /got a list/],
    ['invalid_size', '{"prompt": "a", "size": "512x512"}', /1536x1024.*got "512x512"/],
    ['invalid_size', '{"prompt": "a", "size": "auto"}', /got "auto"/],
    ['invalid_size', '{"prompt": "a", "size": 1024}', /got 1024/],
    ['invalid_size', '{"prompt": "a", "size": "toString"}', /got "toString"/],
    ['invalid_steps', '{"prompt": "a", "steps": 9}', /from 1 to 8, got 9/],
    ['invalid_steps', '{"prompt": "a", "steps": 0}', /got 0/],
    ['invalid_steps', '{"prompt": "a", "steps": 4.5}', /got 4.5/],
    ['invalid_steps', '{"prompt": "a", "steps": "4"}', /got "4"/],
    ['invalid_steps', '{"prompt": "a", "steps": true}', /got true/],
    ['invalid_guidance_scale', '{"prompt": "a", "guidance_scale": 20.001}', /0 to 20/],
    ['invalid_guidance_scale', '{"prompt": "a", "guidance_scale": -1}', /got -1/],
    ['invalid_guidance_scale', '{"prompt": "a", "guidance_scale": "1"}', /got "1"/],
    ['invalid_seed', '{"prompt": "a", "seed": -1}', /got -1/],
    ['invalid_seed', '{"prompt": "a", "seed": 18446744073709551616}', /got 18446744073709551616/],
    ['invalid_seed', '{"prompt": "a", "seed": 42.0}', /without point/],
    ['invalid_seed', '{"prompt": "a", "seed": 1e3}', /without point/],
    ['invalid_seed', '{"prompt": "a", "seed": "42"}', /got "42"/],
    ['invalid_n', '{"prompt": "a", "n": 2}', /got 2/],
    ['invalid_n', '{"prompt": "a", "n": "1"}', /got "1"/],
    ['invalid_response_format', '{"prompt": "a", "response_format": "url"}', /b64_json/],
    ['invalid_response_format', '{"prompt": "a", "response_format": 1}', /b64_json/],
    ['mask_not_supported', '{"prompt": "a", "mask": "data:"}', /mask/],
    ...['image', 'image[]', 'images', 'image_url', 'reference_images'].map(
      (name): [string, string, RegExp] => [
        'wrong_route_for_reference_image',
        `{"prompt": "a", "${name}": "data:"}`,
        /\/v1\/images\/edits/,
      ],
    ),
  ])('%s: %s', async (code, body, message) => {
    const answer = await gateway.generate(body);
    expect([answer.status, answer.body]).toEqual([400, serverFault(code)]);
    expect(answer.body.error.message).toMatch(message);
    expect([gateway.queue.entered.length, gateway.engine.orders.length]).toEqual([
      gateway.queue.entered.length,
      0,
    ]);
  });

  it('is the first of the list where several things are wrong', async () => {
    const wrong = { image: 'x', mask: 'x', prompt: 5, size: 1, steps: 9, guidance_scale: 99, seed: -1, n: 2 };
    const order = [
      ['image', 'wrong_route_for_reference_image'],
      ['mask', 'mask_not_supported'],
      ['prompt', 'invalid_prompt'],
      ['size', 'invalid_size'],
      ['steps', 'invalid_steps'],
      ['guidance_scale', 'invalid_guidance_scale'],
      ['seed', 'invalid_seed'],
      ['n', 'invalid_n'],
      ['response_format', 'invalid_response_format'],
    ] as const;
    const fields: Record<string, unknown> = { ...wrong, response_format: 'url' };
    for (const [name, code] of order) {
      expect((await gateway.generate(fields)).body.error.code).toBe(code);
      fields[name] = name === 'prompt' ? 'a' : null;
    }
    expect((await gateway.generate(fields)).status).toBe(200);
  });

  it.each(['[]', '"a"', '5', 'null', '{"prompt": ', ''])('of a body that is no object: %s', async (body) => {
    const answer = await gateway.generate(body);
    expect([answer.status, answer.body]).toEqual([400, { detail: expect.any(String) }]);
  });

  it('comes before all else where the stack is not on the image plan', async () => {
    const answer = await gateway.generate('{"steps": 99', 'sk-none');
    expect([answer.status, answer.body]).toEqual([403, { detail: expect.any(String) }]);
  });

  it('takes up no submission', async () => {
    const before = gateway.queue.entered.length;
    await gateway.generate({ steps: 9 });
    gateway.engine.state = 'degraded';
    await gateway.generate();
    expect(gateway.queue.entered.length).toBe(before);
  });
});

describe('a form on the route for words', () => {
  const image = { name: 'image', fileName: 'a.png', text: 'x' };
  const mask = { name: 'mask', fileName: 'm.png', text: 'x' };
  const sendForm = async (parts: readonly TestPart[]) =>
    await gateway.send({
      path: GENERATIONS,
      headers: { 'content-type': multipartType },
      body: multipartBody(parts),
    });

  it.each<[string, readonly TestPart[], string]>([
    ['a file', [{ ...image, name: 'whatever' }], 'wrong_route_for_reference_image'],
    ['an image field', [{ name: 'image_url', text: 'https://x' }], 'wrong_route_for_reference_image'],
    ['an image and a mask', [mask, image], 'wrong_route_for_reference_image'],
    ['a mask', [{ name: 'prompt', text: 'a' }, mask], 'mask_not_supported'],
    ['a mask of text', [{ name: 'mask', text: 'x' }], 'mask_not_supported'],
  ])('with %s has a code for that', async (_what, parts, code) => {
    const answer = await sendForm(parts);
    expect([answer.status, answer.body.error?.code]).toEqual([400, code]);
  });

  it('without either is of the wrong type', async () => {
    for (const parts of [[], [{ name: 'prompt', text: 'a fox' }]]) {
      const answer = await sendForm(parts);
      expect([answer.status, answer.body]).toEqual([
        415,
        { detail: expect.stringContaining('application/json') },
      ]);
    }
  });
});

describe('trouble on the way', () => {
  it.each(['starting', 'degraded'] as const)('is 503 while the engine is %s', async (state) => {
    gateway.engine.state = state;
    const { status, body, headers } = await gateway.generate();
    expect([status, body.error, headers['retry-after']]).toEqual([
      503,
      { message: expect.stringContaining(state), type: 'server_error', code: 'model_not_ready' },
      '10',
    ]);
  });

  it('is none where a paused engine can be woken', async () => {
    gateway.engine.state = 'paused';
    expect((await gateway.generate()).status).toBe(200);
  });

  it('is 503 where the engine is not part of this installation, after the fields', async () => {
    expect((await gateway.generate({ steps: 9 }, 'sk-bare')).status).toBe(400);
    expect((await gateway.generate({}, 'sk-bare')).body.error.code).toBe('model_not_ready');
  });

  it.each([
    ['image-rate-limited', 429, { detail: 'Why.' }],
    ['image-queue-full', 429, { error: { message: 'Why.', type: 'rate_limit_error', code: 'queue_full' } }],
    ['image-queue-timeout', 504, { error: { message: 'Why.', type: 'server_error', code: 'queue_timeout' } }],
  ] as const)('in the line is told as it is: %s', async (code, status, expected) => {
    gateway.queue.failure = new Fault(code, 'Why.', { retryAfterSeconds: 17 });
    const answer = await gateway.generate();
    expect([answer.status, answer.body, answer.headers['retry-after']]).toEqual([status, expected, '17']);
    expect(gateway.engine.orders).toEqual([]);
  });

  it('in the engine is 503, and nothing is stored', async () => {
    gateway.engine.failure = new Fault('model-not-ready', 'The image server failed; retry.');
    const answer = await gateway.generate();
    expect([answer.status, answer.body.error.code]).toEqual([503, 'model_not_ready']);
    expect([gateway.gallery.images, gateway.queue.held]).toEqual([[], 0]);
  });

  it.each([
    ['something else', async () => Buffer.from('no picture')],
    ['another size', pictures.png],
    ['a part of a picture', async () => (await pictures.png()).subarray(0, 60)],
  ])('in the painting is 503, and nothing is stored: %s', async (_what, make) => {
    gateway.engine.bytes = await make();
    const answer = await gateway.generate();
    expect([answer.status, answer.body.error.code]).toEqual([503, 'model_not_ready']);
    expect([gateway.gallery.images, gateway.queue.held]).toEqual([[], 0]);
  });

  it('in storing is 502, says nothing of its cause, and is not charged', async () => {
    const { ended } = gateway.http.usage;
    ended.length = 0;
    gateway.gallery.failure = new Error('disk /var/secret is full');
    const answer = await gateway.generate();
    gateway.gallery.failure = undefined;
    await gateway.generate();
    await expect
      .poll(() => ended.map(({ outcome, images }) => [outcome, images]))
      .toEqual([
        ['server', 0],
        ['ok', 1],
      ]);
    expect([answer.status, answer.body, answer.headers['retry-after']]).toEqual([
      502,
      { detail: expect.stringContaining('could not be stored') },
      undefined,
    ]);
    expect([answer.text.includes('secret'), gateway.queue.held]).toEqual([false, 0]);
    expect(gateway.http.log).toContain('disk /var/secret is full');
  });
});
