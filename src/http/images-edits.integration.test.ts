import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makePng } from '../../testing/fake-upstream/make-png.mjs';
import { uploadFile } from '../../testing/files/upload-file.ts';
import { jsonCall, requestBytes } from '../../testing/http-call.ts';
import { EDITS, GENERATIONS, ImageGateway } from '../../testing/images/image-gateway.ts';
import { multipartBody, multipartType, type TestPart } from '../../testing/multipart.ts';
import { hugePng, noise, pictures, SECRET } from '../../testing/pictures.ts';

const MIB = 1024 * 1024;
let gateway: ImageGateway;
let png: Buffer;
beforeAll(async () => {
  gateway = await ImageGateway.start();
  png = await pictures.png();
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
});
afterEach(() => {
  const { engine, gallery } = gateway;
  Object.assign(engine, { failure: undefined, state: 'ready', hold: undefined, maxReferences: 4 });
  engine.orders.length = 0;
  Object.assign(gallery, { failure: undefined, hold: undefined });
  gallery.images.length = 0;
});

const prompt: TestPart = { name: 'prompt', text: 'make it winter' };
const image = (bytes: Uint8Array, name = 'image'): TestPart => ({ name, fileName: 'x.bin', bytes });
const lastOrder = () => gateway.engine.orders.at(-1);

describe('an image from words and pictures', () => {
  it('is painted and stored, and its answer has the time for reading the references', async () => {
    const { status, body } = await gateway.edit([prompt, image(png)]);
    expect(status).toBe(200);
    expect(body.meta).toMatchObject({ prompt: 'make it winter', width: 1024, height: 1024, steps: 4, n: 1 });
    const { decode_s, gpu_s, encode_s, worker_s } = body.meta.timings;
    expect(decode_s).toBeGreaterThan(0);
    const whole = (seconds: number) => Math.round(seconds * 10_000);
    expect(whole(worker_s)).toBe(whole(decode_s) + whole(gpu_s) + whole(encode_s));
    expect(gateway.gallery.images).toMatchObject([{ route: 'edits', references: 1, stackId: 'shop' }]);
  });

  it('takes stored files of the stack by their ids', async () => {
    const id = await uploadFile(gateway.http, 'sk-a', { name: 'fox.png', bytes: png });
    const { status } = await gateway.edit([prompt, { name: 'file_id', text: id }, image(png)]);
    expect([status, lastOrder()?.references.length]).toEqual([200, 2]);
    const unknown = await gateway.edit([prompt, { name: 'file_id', text: 'file_x' }]);
    expect([unknown.status, unknown.body]).toEqual([
      400,
      { detail: '`file_id` must be the id of a file of this stack, got "file_x".' },
    ]);
  });

  it('takes every field as text', async () => {
    const fields = {
      size: '1536x1024',
      steps: '8.0',
      guidance_scale: ' 2.5 ',
      seed: '18446744073709551615',
      n: '1',
    };
    const texts = Object.entries(fields).map(([name, text]) => ({ name, text }));
    const { status, text } = await gateway.edit([prompt, ...texts, image(png), { name: 'user', text: 'x' }]);
    expect(status).toBe(200);
    expect(lastOrder()).toMatchObject({
      width: 1536,
      height: 1024,
      steps: 8,
      guidanceScale: 2.5,
      seed: 2n ** 64n - 1n,
    });
    expect(text).toContain('"seed":18446744073709551615,');
  });

  it('keeps the order of its references, over both names', async () => {
    const sized = async (width: number) =>
      await sharp({ create: { width, height: 8, channels: 3, background: 'red' } })
        .jpeg()
        .toBuffer();
    const references = await Promise.all([11, 12, 13, 14].map(sized));
    const names = ['image[]', 'image', 'image[]', 'image'];
    await gateway.edit([...references.map((bytes, index) => image(bytes, names[index])), prompt]);
    const widths = await Promise.all(
      lastOrder()?.references.map(async (bytes) => (await sharp(bytes).metadata()).width) ?? [],
    );
    expect(widths).toEqual([11, 12, 13, 14]);
  });

  it('gives the engine and the store no metadata of its references', async () => {
    const told = await Promise.all([
      pictures.talkativePng(),
      pictures.talkativeJpeg(),
      pictures.talkativeWebp(),
    ]);
    expect(told.every((bytes) => bytes.includes(SECRET))).toBe(true);
    gateway.engine.bytes = undefined;
    expect((await gateway.edit([prompt, ...told.map((bytes) => image(bytes))])).status).toBe(200);
    const seen = [...(lastOrder()?.references ?? []), gateway.gallery.images[0]?.png ?? Buffer.alloc(0)];
    expect(seen).toHaveLength(4);
    expect(seen.some((bytes) => Buffer.from(bytes).includes(SECRET))).toBe(false);
  });

  it('is painted from the beginning of a prompt of any length', async () => {
    const long: TestPart = { name: 'prompt', text: `winter${'x'.repeat(5 * MIB)}` };
    const { status, body } = await gateway.edit([long, image(png)]);
    expect([status, body.meta.prompt]).toEqual([200, `winter${'x'.repeat(1_994)}`]);
  });

  it('is painted from the prompt of the key when it has none', async () => {
    const { body } = await gateway.edit([{ name: 'prompt', text: '  ' }, image(png)], 'sk-prompt');
    expect(body.meta.prompt).toBe('a key’s fox');
  });

  it('may name the served model, and no other', async () => {
    const named = (text: string) => gateway.edit([prompt, { name: 'model', text }, image(png)]);
    expect((await named('fake-painter')).status).toBe(200);
    const other = await named('gpt-image-1');
    expect([other.status, other.body.error]).toEqual([
      404,
      { message: expect.stringContaining('fake-painter'), type: 'not_found_error', code: 'model_not_found' },
    ]);
  });

  it('ignores files in fields that it does not know', async () => {
    await gateway.edit([prompt, { name: 'photo', fileName: 'x', text: 'no picture' }, image(png)]);
    expect(lastOrder()?.references).toHaveLength(1);
  });
});

describe('a refusal', () => {
  it.each<[string, readonly TestPart[]]>([
    ['missing_prompt', [{ name: 'image', fileName: 'x', text: 'x' }]],
    ['invalid_size', [prompt, { name: 'size', text: '1x1' }]],
    ['invalid_steps', [prompt, { name: 'steps', text: 'four' }]],
    ['invalid_steps', [prompt, { name: 'steps', text: '' }]],
    ['invalid_steps', [prompt, { name: 'steps', text: '0x4' }]],
    ['invalid_guidance_scale', [prompt, { name: 'guidance_scale', text: '1,5' }]],
    ['invalid_guidance_scale', [prompt, { name: 'guidance_scale', text: 'Infinity' }]],
    ['invalid_seed', [prompt, { name: 'seed', text: '42.0' }]],
    ['invalid_seed', [prompt, { name: 'seed', text: '1e3' }]],
    ['invalid_seed', [prompt, { name: 'seed', text: '-1' }]],
    ['invalid_seed', [prompt, { name: 'seed', text: '18446744073709551616' }]],
    ['invalid_n', [prompt, { name: 'n', text: '2' }]],
    ['invalid_response_format', [prompt, { name: 'response_format', text: 'url' }]],
    ['mask_not_supported', [prompt, { name: 'mask', fileName: 'm.png', text: 'x' }]],
    ['mask_not_supported', [prompt, { name: 'mask', text: '' }]],
    ['missing_image', [prompt]],
    ['missing_image', [prompt, { name: 'image', text: 'data:image/png;base64,' }]],
    [
      'unsupported_image_format',
      [prompt, { name: 'image', fileName: 'a.png', contentType: 'image/png', text: 'GIF89a' }],
    ],
    ['unsupported_image_format', [prompt, { name: 'image', fileName: 'a.png', text: '' }]],
  ])('%s', async (code, parts) => {
    const answer = await gateway.edit(parts);
    expect([answer.status, answer.body.error]).toEqual([
      400,
      { message: expect.any(String), type: 'invalid_request_error', code },
    ]);
    expect(gateway.engine.orders).toEqual([]);
  });

  it('of more references than are taken comes before looking at them', async () => {
    const broken = image(Buffer.from('x'));
    const answer = await gateway.edit([prompt, ...Array<TestPart>(5).fill(broken)]);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'too_many_reference_images']);
    expect(answer.body.error.message).toContain('at most 4');
    gateway.engine.maxReferences = 1;
    const two = await gateway.edit([prompt, broken, broken]);
    expect([two.body.error.code, two.body.error.message]).toEqual([
      'too_many_reference_images',
      expect.stringContaining('at most 1'),
    ]);
  });

  it('of a reference over 5 MiB comes before looking at it, and one of exactly 5 MiB passes', async () => {
    const answer = await gateway.edit([prompt, image(png), image(Buffer.alloc(5 * MIB + 1))]);
    expect([answer.status, answer.body.error]).toEqual([
      413,
      { message: expect.stringContaining('image 2'), type: 'request_too_large', code: 'image_too_large' },
    ]);
    const padded = Buffer.concat([png, Buffer.alloc(5 * MIB - png.length)]);
    expect((await gateway.edit([prompt, image(padded)])).status).toBe(200);
  });

  it('of too many pixels is 413', async () => {
    const answer = await gateway.edit([prompt, image(hugePng(20_000, 20_000))]);
    expect([answer.status, answer.body.error.code]).toEqual([413, 'image_too_large']);
    expect(answer.body.error.message).toContain('40 megapixels');
  });

  it('of a picture that breaks off is 400', async () => {
    const whole = await noise(64, 48);
    const answer = await gateway.edit([prompt, image(whole.subarray(0, whole.length / 2))]);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'unsupported_image_format']);
  });

  it('comes for references before the engine is asked whether it is ready', async () => {
    gateway.engine.state = 'degraded';
    expect((await gateway.edit([prompt, image(Buffer.from('x'))])).status).toBe(400);
    expect((await gateway.edit([prompt, image(png)])).status).toBe(503);
  });

  it('of a malformed form has the gateway’s shape', async () => {
    const headers = { 'content-type': multipartType };
    const answer = await gateway.send({
      path: EDITS,
      headers,
      body: multipartBody([prompt]).subarray(0, 50),
    });
    expect([answer.status, answer.body]).toEqual([400, { detail: expect.stringContaining('multipart') }]);
    const json = await gateway.send(jsonCall(EDITS, 'sk-a', '{"prompt": "a"}'));
    expect([json.status, json.body]).toEqual([415, { detail: expect.any(String) }]);
  });

  it('of an empty body, and of a form without files, follows the fields', async () => {
    expect((await gateway.send({ path: EDITS })).body.error.code).toBe('missing_prompt');
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const send = async (body: string) => (await gateway.send({ path: EDITS, headers, body })).body.error.code;
    expect([await send(''), await send('prompt=a&steps=9'), await send('prompt=a')]).toEqual([
      'missing_prompt',
      'invalid_steps',
      'missing_image',
    ]);
  });

  it('of more than 21 MiB comes while it arrives', async () => {
    await using client = await gateway.http.connect();
    await client.send(
      `POST ${EDITS} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer sk-a\r\ncontent-type: ${multipartType}\r\ntransfer-encoding: chunked\r\n\r\n`,
    );
    const chunk = Buffer.alloc(MIB, 1);
    for (let sent = 0; sent < 22; sent++) {
      await client.send(Buffer.concat([Buffer.from('100000\r\n'), chunk, Buffer.from('\r\n')]));
    }
    const answer = await client.answer();
    expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([413, 'image_too_large']);
  });
});

describe('a client that leaves', () => {
  it('stops the painting at once, and nothing is stored', async () => {
    gateway.engine.hold = new Promise(() => {});
    const client = await gateway.http.connect();
    await client.send(requestBytes({ method: 'POST', ...jsonCall(GENERATIONS, 'sk-a', '{"prompt": "a"}') }));
    await expect.poll(() => gateway.engine.painting).toBe(1);
    expect(gateway.queue.held).toBe(1);
    await client[Symbol.asyncDispose]();
    await expect.poll(() => [gateway.engine.painting, gateway.queue.held]).toEqual([0, 0]);
    expect(gateway.gallery.images).toEqual([]);
  });

  it('while its image is being stored leaves nothing', async () => {
    let store = () => {};
    gateway.gallery.hold = new Promise((resolve) => {
      store = resolve;
    });
    const client = await gateway.http.connect();
    await client.send(requestBytes({ method: 'POST', ...jsonCall(GENERATIONS, 'sk-a', '{"prompt": "a"}') }));
    await expect.poll(() => gateway.engine.orders.length).toBe(1);
    await expect.poll(() => gateway.engine.painting).toBe(0);
    await client[Symbol.asyncDispose]();
    await expect.poll(() => gateway.queue.held).toBe(0);
    store();
    await expect.poll(() => gateway.http.inFlight()).toBe(0);
    expect(gateway.gallery.images).toEqual([]);
  });

  it('holds its permit until the image is stored, and no longer', async () => {
    let store = () => {};
    gateway.gallery.hold = new Promise((resolve) => {
      store = resolve;
    });
    const answering = gateway.generate();
    await expect.poll(() => gateway.engine.orders.length).toBe(1);
    await expect.poll(() => gateway.engine.painting).toBe(0);
    expect(gateway.queue.held).toBe(1);
    store();
    expect((await answering).status).toBe(200);
    expect(gateway.queue.held).toBe(0);
  });
});

describe('a lost slot in the queue', () => {
  it('stops the painting and answers 503', async () => {
    await using other = await ImageGateway.start();
    other.engine.hold = new Promise(() => {});
    const answering = other.generate();
    await expect.poll(() => other.engine.painting).toBe(1);
    other.queue.lose();
    const { status, body } = await answering;
    expect([status, body.error.code]).toEqual([503, 'model_not_ready']);
    expect([other.engine.painting, other.queue.held]).toEqual([0, 0]);
  });
});

describe('the same order', () => {
  it('gives the same bytes', async () => {
    const order = [prompt, { name: 'seed', text: '7' }, image(png)];
    const [one, other] = [await gateway.edit(order), await gateway.edit(order)];
    expect(one.body.data[0].b64_json).toBe(other.body.data[0].b64_json);
    const painted = Buffer.from(one.body.data[0].b64_json, 'base64');
    expect(painted.equals(makePng({ width: 1024, height: 1024, seed: 7 }))).toBe(true);
  });
});
