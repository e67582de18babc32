import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawPage } from '../../../testing/reading/draw-page.mjs';
import { ocrTestModels } from '../../../testing/reading/ocr-test-models.ts';
import { usePageFonts } from '../../../testing/reading/page-fonts.mjs';
import { seededRandom } from '../../../testing/reading/seeded-random.mjs';
import type { PageText } from '../page-text.ts';
import { EmbeddedOcr } from './embedded-ocr.ts';
import type { OcrModelFiles } from './ocr-models.ts';

const files = await ocrTestModels();
const folder = mkdtempSync(join(tmpdir(), 'page-fonts-'));
usePageFonts(folder);
// Imported late: it looks up fonts when loaded.
const { degradedPage } = await import('../../../testing/reading/degrade-page.mjs');
const { signal } = new AbortController();
const work = { stackId: 'shop', signal };

afterAll(() => rmSync(folder, { recursive: true }));

describe.skipIf(files === undefined)('embedded OCR', () => {
  let ocr: EmbeddedOcr;

  beforeAll(() => {
    ocr = openOcr({});
  });
  afterAll(() => ocr.stop(AbortSignal.abort()));

  it.each(['photo', 'turned 270°, skewed'])(
    'reads a letter with a table, spoilt by: %s',
    async (damage) => {
      const random = seededRandom(3);
      const page = drawPage({ language: 'de', random, proseLines: 4 });
      const bytes = await degradedPage(page.svg, damage, random);
      const read = await ocr.read({ kind: 'encoded', bytes }, work);
      const said = linesOf(read);
      expect(page.rows.filter((row) => said.includes(row)).length).toBeGreaterThanOrEqual(
        page.rows.length - 1,
      );
      expect(said.filter((line) => page.lines.includes(line)).length).toBeGreaterThan(
        0.8 * page.lines.length,
      );
      expect(read).toMatchObject({ ocrUsed: true, isDamaged: false });
      for (const { box } of read.lines) expect(box.x0 < box.x1 && box.y0 < box.y1 && box.x1 <= 1).toBe(true);
      expect(ocr.lifecycle.state).toBe('ready');
    },
    60_000,
  );

  it('finds nothing on an empty page', async () => {
    const raster = {
      data: new Uint8Array(200 * 100 * 4).fill(255),
      width: 200,
      height: 100,
      channels: 4,
    } as const;
    expect(await ocr.read({ kind: 'raster', raster }, work)).toMatchObject({
      text: '',
      lines: [],
    });
  });

  it('refuses a picture that cannot be decoded, and goes on', async () => {
    const broken = ocr.read({ kind: 'encoded', bytes: Buffer.from('no picture') }, work);
    await expect(broken).rejects.toMatchObject({ name: 'UnreadablePicture' });
    expect(ocr.lifecycle.state).toBe('ready');
  });

  it('refuses a page that takes too long, and stops one whose signal aborts', async () => {
    const hasty = openOcr({ pageMs: 1 });
    try {
      const bytes = await degradedPage(
        drawPage({ language: 'en', random: seededRandom(1) }).svg,
        'clean',
        seededRandom(1),
      );
      await expect(hasty.read({ kind: 'encoded', bytes }, work)).rejects.toMatchObject({
        name: 'UnreadablePicture',
        message: expect.stringContaining('takes more time'),
      });
      const leaving = new AbortController();
      const left = hasty.read({ kind: 'encoded', bytes }, { stackId: 'shop', signal: leaving.signal });
      leaving.abort(new Error('gone'));
      await expect(left).rejects.toThrow('gone');
    } finally {
      await hasty.stop(AbortSignal.abort());
    }
  });
});

it('does not blame the picture when OCR cannot start', async () => {
  const nowhere = { detector: '/nowhere.onnx', recogniser: '/nowhere.onnx' };
  const ocr = openOcr({ files: nowhere });
  const asked = ocr.read({ kind: 'encoded', bytes: Buffer.from('x') }, work);
  await expect(asked).rejects.toMatchObject({ name: 'ChildLost', started: false });
  await ocr.stop(AbortSignal.abort());
});

function openOcr(options: { files?: OcrModelFiles; pageMs?: number }): EmbeddedOcr {
  return new EmbeddedOcr({
    files: files ?? { detector: '', recogniser: '' },
    threads: 1,
    pageMs: 60_000,
    ...options,
  });
}

function linesOf({ text }: PageText): readonly string[] {
  return text.split('\n').map((line) => line.replace(/\s+/g, ' ').trim());
}
