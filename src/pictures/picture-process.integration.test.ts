import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { Nursery } from '../../testing/bad-child/launch-bad-child.ts';
import { hugePng, noise, pictures, SECRET, strangers, turnedJpeg } from '../../testing/pictures.ts';
import { pngChunk, pngChunks } from '../../testing/png-chunks.ts';
import { forkedChild } from '../supervision/forked-child.ts';
import { MAX_REFERENCE_PIXELS } from './clean-picture.ts';
import type { CleanPicture, PictureResult } from './picture-job.ts';
import { launchPictureChild, PictureProcess } from './picture-process.ts';

const endless = forkedChild({
  entry: fileURLToPath(new URL('../../testing/fixtures/endless-child.mjs', import.meta.url)),
  env: {},
});
const never = new AbortController().signal;
const work = { stackId: 'shop', signal: never };
const process = new PictureProcess();
afterAll(async () => {
  await process.close(AbortSignal.timeout(10_000));
});

function picture(result: PictureResult): CleanPicture & { readonly png: Buffer } {
  if (result.type !== 'clean') throw new Error(`refused: ${result.why}`);
  return { ...result, png: Buffer.from(result.png) };
}

async function pixelAt(png: Uint8Array, left: number, top: number): Promise<readonly number[]> {
  return [...(await sharp(png).extract({ left, top, width: 1, height: 1 }).raw().toBuffer())];
}

/** Necessary chunks only: header (8-bit RGB), pixels, end. */
function expectBare(png: Buffer): void {
  const chunks = pngChunks(png);
  expect(new Set(chunks.map(({ type }) => type))).toEqual(new Set(['IHDR', 'IDAT', 'IEND']));
  expect([...(chunks[0]?.data.subarray(8, 10) ?? [])]).toEqual([8, 2]);
}

describe('a preview', () => {
  it('is the picture itself if it is a small PNG', async () => {
    const png = await noise(64, 48);
    const preview = await process.preview(png, work);
    expect(preview).toMatchObject({ mediaType: 'image/png', width: 64, height: 48 });
    expect(Buffer.from(preview.bytes)).toEqual(png);
  });

  it('has at most 1,024 pixels a side and 700 KB, whatever is on it', async () => {
    const preview = await process.preview(await noise(1536, 1024), work);
    expect(preview).toMatchObject({ mediaType: 'image/jpeg', width: 1024, height: 683 });
    expect(preview.bytes.length).toBeLessThanOrEqual(700 * 1024);
    expect(await sharp(preview.bytes).metadata()).toMatchObject({ format: 'jpeg', width: 1024 });
  });

  it('is not made of what is no picture', async () => {
    await expect(process.preview(Buffer.from('no picture'), work)).rejects.toThrow('preview');
  });
});

describe('a reference', () => {
  it.each(Object.entries(pictures))('becomes a bare PNG: %s', async (_name, make) => {
    const clean = picture(await process.clean(await make(), work));
    expectBare(clean.png);
    expect([clean.width, clean.height]).toEqual([64, 48]);
    expect(await sharp(clean.png).metadata()).toMatchObject({ width: 64, height: 48, channels: 3 });
  });

  it.each(['talkativePng', 'talkativeJpeg', 'talkativeWebp'] as const)(
    'leaves no byte of what it tells: %s',
    async (name) => {
      const told = await pictures[name]();
      expect(told.includes(SECRET)).toBe(true);
      expect((await sharp(told).metadata()).icc).toBeDefined();
      const { png } = picture(await process.clean(told, work));
      expect(png.includes(SECRET)).toBe(false);
      expectBare(png);
    },
  );

  it.each(['translucentPng', 'translucentWebp', 'palettePng'] as const)(
    'is laid over white: %s',
    async (name) => {
      const { png } = picture(await process.clean(await pictures[name](), work));
      const [red, green, blue] = await pixelAt(png, 5, 5);
      expect([red, Math.abs((green ?? 0) - 127) <= 1, green === blue]).toEqual([255, true, true]);
    },
  );

  it('stands upright', async () => {
    const clean = picture(await process.clean(await turnedJpeg(), work));
    expect([clean.width, clean.height]).toEqual([48, 64]);
    const [above, below] = [await pixelAt(clean.png, 24, 5), await pixelAt(clean.png, 24, 60)];
    expect([above[0] ?? 0, below[2] ?? 0].every((value) => value > 200)).toBe(true);
  });

  it('is converted to sRGB where it has another profile', async () => {
    const p3 = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#00ff00' } })
      .withIccProfile('p3')
      .png()
      .toBuffer();
    const stored = await sharp(p3, { ignoreIcc: true }).raw().toBuffer();
    const [, green] = await pixelAt(picture(await process.clean(p3, work)).png, 3, 3);
    // sRGB green has a smaller value in the wider space, and is full again after conversion.
    expect(stored[1]).toBeLessThan(254);
    expect(green).toBeGreaterThanOrEqual(254);
  });

  it.each(Object.entries(strangers))('may not be of another format: %s', async (_name, make) => {
    expect(await process.clean(await make(), work)).toEqual({
      type: 'refused',
      why: 'format',
    });
  });

  it.each(['png', 'jpeg', 'webp'] as const)('must be whole: %s', async (name) => {
    const whole = name === 'png' ? await noise(64, 48) : await pictures[name]();
    for (const share of [0.2, 0.5, 0.9]) {
      const cut = whole.subarray(0, Math.floor(whole.length * share));
      expect([share, await process.clean(cut, work)]).toEqual([share, { type: 'refused', why: 'broken' }]);
    }
  });

  it('is refused for its pixels before one of them is decoded', async () => {
    const bomb = hugePng(20_000, 20_000);
    expect(bomb.length).toBeLessThan(61_000);
    expect(await process.clean(bomb, work)).toEqual({
      type: 'refused',
      why: 'pixels',
    });
  });

  it('may have 40 megapixels and not one more', async () => {
    const result = picture(await process.clean(hugePng(8_000, 5_000), work));
    expect(result.width * result.height).toBeLessThanOrEqual(MAX_REFERENCE_PIXELS);
    expect(result.width / result.height).toBeCloseTo(1.6, 2);
    expect(await process.clean(hugePng(8_000, 5_001), work)).toEqual({
      type: 'refused',
      why: 'pixels',
    });
  });

  it('keeps its size up to four megapixels', async () => {
    expect(picture(await process.clean(hugePng(2_048, 2_048), work))).toMatchObject({
      width: 2_048,
      height: 2_048,
    });
  });
});

describe('what an engine painted', () => {
  const size = { width: 64, height: 48 };

  it('keeps its compressed pixels and loses all else', async () => {
    const told = await pictures.talkativePng();
    const { png } = picture(await process.verify(told, size, work));
    const pixelsOf = (bytes: Buffer) => pngChunks(bytes).filter(({ type }) => type === 'IDAT');
    expect(pixelsOf(png)).toEqual(pixelsOf(told.subarray(0, told.length - SECRET.length)));
    expect(png.includes(SECRET)).toBe(false);
    expectBare(png);
  });

  it.each(Object.entries(pictures))('becomes a bare PNG: %s', async (_name, make) => {
    const { png } = picture(await process.verify(await make(), size, work));
    expectBare(png);
    expect(png.includes(SECRET)).toBe(false);
    expect(await sharp(png).metadata()).toMatchObject({ ...size, channels: 3 });
  });

  it('is the same for the same bytes', async () => {
    const jpeg = await pictures.jpeg();
    const [one, other] = [await process.verify(jpeg, size, work), await process.verify(jpeg, size, work)];
    expect(picture(one).png.equals(picture(other).png)).toBe(true);
  });

  it('must have the size that was asked for', async () => {
    const refused = { type: 'refused', why: 'size' };
    expect(await process.verify(await pictures.png(), { width: 48, height: 64 }, work)).toEqual(refused);
    expect(await process.verify(await turnedJpeg(), size, work)).toEqual(refused);
  });

  it('must be whole', async () => {
    const png = await noise(64, 48);
    for (const share of [0.1, 0.5, 0.99]) {
      const cut = png.subarray(0, Math.floor(png.length * share));
      expect(await process.verify(cut, size, work)).toEqual({
        type: 'refused',
        why: 'broken',
      });
    }
    const flipped = Buffer.from(png);
    flipped[1_000] = (flipped[1_000] ?? 0) ^ 0xff;
    expect(await process.verify(flipped, size, work)).toEqual({
      type: 'refused',
      why: 'broken',
    });
  });

  it('must have its pixels inside its chunks', async () => {
    const png = await pictures.png();
    const header = png.subarray(0, 33);
    const empty = Buffer.concat([
      header,
      pngChunk('IDAT', Buffer.alloc(0)),
      pngChunk('IEND', Buffer.alloc(0)),
    ]);
    expect(await process.verify(empty, size, work)).toEqual({
      type: 'refused',
      why: 'broken',
    });
  });
});

describe('the process for pictures', () => {
  let other: PictureProcess;
  afterEach(async () => {
    await other.close(AbortSignal.timeout(10_000));
  });

  it('is killed when a picture takes too long, and the picture is refused', async () => {
    const nursery = new Nursery();
    other = new PictureProcess({ deadlineMs: 200, launch: nursery.launcher(() => endless) });
    expect(await other.clean(await pictures.png(), work)).toEqual({
      type: 'refused',
      why: 'broken',
    });
    await other.close(AbortSignal.timeout(10_000));
    expect([nursery.alive, nursery.mostAlive]).toEqual([0, 1]);
  });

  it('is asked once more when it died, which may have been the fault of the picture beside it', async () => {
    const nursery = new Nursery();
    const launch = nursery.launcher((number) => (number === 1 ? endless : launchPictureChild()));
    other = new PictureProcess({ deadlineMs: 2_000, launch });
    expect(picture(await other.clean(await pictures.png(), work)).width).toBe(64);
    expect(nursery.launched).toBe(2);
  });

  it('stops when its signal aborts', async () => {
    other = new PictureProcess();
    const leaving = new AbortController();
    const asked = other.clean(await pictures.png(), { stackId: 'shop', signal: leaving.signal });
    leaving.abort(new Error('client left'));
    await expect(asked).rejects.toThrow('client left');
    expect(picture(await other.clean(await pictures.png(), work)).width).toBe(64);
  });

  it('reports a temporary failure, not a bad picture, if it cannot start', async () => {
    other = new PictureProcess({
      launch: () => {
        throw new Error('no such program');
      },
    });
    await expect(other.clean(await pictures.png(), work)).rejects.toMatchObject({ code: 'model-not-ready' });
  });
});
