import { describe, expect, it } from 'vitest';
import type { RgbRaster } from './decode-image.ts';
import { inkAreas } from './ink-areas.ts';

const STRIDE = 32;

/** A picture with the given shade per pixel. */
function picture(width: number, height: number, shadeAt: (x: number, y: number) => number): RgbRaster {
  const data = new Uint8Array(width * height * 3);
  for (let index = 0; index < width * height; index += 1) {
    data.fill(shadeAt(index % width, Math.floor(index / width)), index * 3, index * 3 + 3);
  }
  return { data, width, height, channels: 3 };
}

describe('areas of ink', () => {
  it('are none on empty paper of any shade', () => {
    for (const shade of [0, 120, 255])
      expect(
        inkAreas(
          picture(320, 320, () => shade),
          STRIDE,
        ),
      ).toEqual([]);
  });

  it('leave out the paper around and between what stands on it, but for some room', () => {
    const isInk = (x: number, y: number) => x >= 200 && x < 300 && ((y >= 100 && y < 120) || y >= 620);
    const areas = inkAreas(
      picture(640, 640, (x, y) => (isInk(x, y) ? 20 : 250)),
      STRIDE,
    );
    expect(areas).toEqual([
      { left: 152, top: 52, width: 224, height: 128 },
      { left: 152, top: 544, width: 224, height: 96 },
    ]);
  });

  it('keep lines that stand near each other together', () => {
    const isInk = (_: number, y: number) => y % 80 < 12;
    expect(
      inkAreas(
        picture(320, 320, (x, y) => (isInk(x, y) ? 20 : 250)),
        STRIDE,
      ),
    ).toEqual([{ left: 0, top: 0, width: 320, height: 320 }]);
  });

  it('find faint print, and a single small figure', () => {
    const [faint] = inkAreas(
      picture(320, 320, (x, y) => (x > 150 && x < 160 && y > 150 && y < 160 ? 232 : 240)),
      STRIDE,
    );
    expect(faint).toMatchObject({ width: 128, height: 128 });
    expect(faint?.left).toBeLessThan(150);
  });

  it('are the whole picture where the paper has a shadow', () => {
    expect(
      inkAreas(
        picture(320, 320, (x) => 100 + x / 4),
        STRIDE,
      ),
    ).toEqual([{ left: 0, top: 0, width: 320, height: 320 }]);
  });
});
