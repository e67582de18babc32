import sharp from 'sharp';
import { expect, it } from 'vitest';
import { encodePng } from './encode-png.ts';

it('writes pixels that a decoder reads back, without the fourth channel', async () => {
  const data = Uint8Array.from([
    255, 0, 0, 9, 0, 255, 0, 9, 0, 0, 255, 9, 1, 2, 3, 9, 4, 5, 6, 9, 7, 8, 9, 9,
  ]);
  const png = encodePng({ data, width: 3, height: 2, channels: 4 });
  const { data: read, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
  expect([info.width, info.height, info.channels]).toEqual([3, 2, 3]);
  expect([...read]).toEqual([255, 0, 0, 0, 255, 0, 0, 0, 255, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});
