import sharp from 'sharp';
import { describe, expect, it, test } from 'vitest';
import { decodeImage, MAX_IMAGE_PIXELS } from './decode-image.ts';

const red = { r: 255, g: 0, b: 0 };
const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: red } });
const pixel = async (bytes: Buffer) => [...(await decodeImage(bytes)).data.subarray(0, 3)];

describe('decoding', () => {
  test.each([
    ['PNG', picture(4, 3).png()],
    ['16-bit PNG', picture(4, 3).toColourspace('rgb16').png()],
    ['palette PNG', picture(4, 3).png({ palette: true })],
    ['WEBP', picture(4, 3).webp({ lossless: true })],
    ['GIF', picture(4, 3).gif()],
  ])('gives the pixels of a %s', async (_, made) => {
    const bytes = await made.toBuffer();
    expect(await decodeImage(bytes)).toMatchObject({ width: 4, height: 3, channels: 3 });
    expect(await pixel(bytes)).toEqual([255, 0, 0]);
  });

  it('turns a photo as its camera says', async () => {
    const bytes = await picture(40, 20).jpeg().withMetadata({ orientation: 6 }).toBuffer();
    expect(await decodeImage(bytes)).toMatchObject({ width: 20, height: 40 });
  });

  it('makes colours of CMYK and of grey', async () => {
    const cmyk = await picture(8, 8).toColourspace('cmyk').jpeg({ quality: 100 }).toBuffer();
    expect((await sharp(cmyk).metadata()).space).toBe('cmyk');
    const [r = 0, g = 255] = await pixel(cmyk);
    expect(r - g).toBeGreaterThan(100);
    const grey = await picture(8, 8).greyscale().png().toBuffer();
    const [a, b, c] = await pixel(grey);
    expect([b, c]).toEqual([a, a]);
  });

  it('puts what is transparent on white', async () => {
    const clear = sharp({ create: { width: 2, height: 2, channels: 4, background: { ...red, alpha: 0 } } });
    expect(await pixel(await clear.png().toBuffer())).toEqual([255, 255, 255]);
  });

  it('takes the first picture of an animation', async () => {
    const frames = Buffer.concat([Buffer.alloc(16 * 3, 0), Buffer.alloc(16 * 3, 255)]);
    const animation = sharp(frames, { raw: { width: 4, height: 8, channels: 3, pageHeight: 4 } });
    const bytes = await animation.gif({ delay: [100, 100] }).toBuffer();
    expect((await sharp(bytes).metadata()).pages).toBe(2);
    expect(await decodeImage(bytes)).toMatchObject({ width: 4, height: 4 });
    expect(await pixel(bytes)).toEqual([0, 0, 0]);
  });

  it('refuses a picture that is cut off, is none, or is not of a kind that is read', async () => {
    const whole = await picture(300, 300).jpeg().toBuffer();
    const png = await picture(300, 300).png().toBuffer();
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    for (const bytes of [
      whole.subarray(0, whole.length - 300),
      png.subarray(0, 120),
      svg,
      Buffer.from('text'),
      Buffer.alloc(0),
    ]) {
      await expect(decodeImage(bytes)).rejects.toMatchObject({ name: 'UnreadablePicture' });
    }
  });

  it('refuses an enormous picture by its header', async () => {
    const bytes = await picture(4, 4).png().toBuffer();
    const side = Math.ceil(Math.sqrt(MAX_IMAGE_PIXELS)) + 1;
    bytes.writeUInt32BE(side, 16);
    bytes.writeUInt32BE(side, 20);
    await expect(decodeImage(bytes)).rejects.toMatchObject({ name: 'UnreadablePicture' });
  });
});
