import sharp from 'sharp';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { FakeOcrEngine } from '../../../testing/reading/fake-ocr-engine.ts';
import { mixedPdf } from '../../../testing/reading/mixed-pdf.ts';
import { PdfWriter, writtenLines } from '../../../testing/reading/pdf-writer.ts';
import { ChildLost, TooManyWaiting } from '../../supervision/child-lost.ts';
import { UnreadablePicture } from '../ocr-engine.ts';
import { defaultPdfWorkers, PdfWorkers } from '../pdf/pdf-workers.ts';
import { EmbeddedDocumentReader } from './embedded-document-reader.ts';

const pdf = new PdfWorkers({ ...defaultPdfWorkers, workers: 2, stepMs: 25_000 });
const { signal } = new AbortController();

afterAll(() => pdf.stop(AbortSignal.abort()));

const readerWith = (ocr: FakeOcrEngine) => new EmbeddedDocumentReader({ pdf, ocr });

const png = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#fff' } })
  .png()
  .toBuffer();

describe('the document reader', () => {
  it('tells files apart by their content', () => {
    const reader = readerWith(new FakeOcrEngine());
    expect(reader.kindOf(mixedPdf('text'))).toBe('pdf');
    expect(reader.kindOf(Buffer.concat([Buffer.from('\n\n'), mixedPdf('text')]))).toBe('pdf');
    expect(reader.kindOf(png)).toBe('image');
    expect(reader.kindOf(Buffer.from('<svg/>'))).toBeUndefined();
    expect(reader.kindOf(Buffer.alloc(0))).toBeUndefined();
  });

  it('inspects without any OCR', async () => {
    const ocr = new FakeOcrEngine();
    const reader = readerWith(ocr);
    expect(
      await reader.inspectPdf({ stackId: 'shop', bytes: mixedPdf(undefined, undefined) }, signal),
    ).toEqual({ pages: 2 });
    expect(await reader.inspectImage({ stackId: 'shop', bytes: png }, signal)).toEqual({
      format: 'PNG',
      width: 40,
      height: 30,
      megapixels: 0.0012,
    });
    expect(ocr.pictures).toEqual([]);
  });

  it('reads text where there is some, and the picture of the other pages, in order', async () => {
    // The first two wait for each other, so they must be read concurrently.
    let meet = () => {};
    const met = new Promise<void>((resolve) => {
      meet = resolve;
    });
    const ocr: FakeOcrEngine = new FakeOcrEngine(async () => {
      if (ocr.pictures.length === 2) meet();
      await met;
      return 'from the picture';
    }, 2);
    const bytes = mixedPdf('First page of text', undefined, 'Third page of text', undefined, undefined);
    const { pages, ocrUsed } = await readerWith(ocr).readPdf({ stackId: 'shop', bytes }, signal);
    expect(pages.map(({ text }) => text)).toEqual([
      'First page of text',
      'from the picture',
      'Third page of text',
      'from the picture',
      'from the picture',
    ]);
    expect(pages.map((page) => page.ocrUsed)).toEqual([false, true, false, true, true]);
    expect(ocrUsed).toBe(true);
    expect(ocr.pictures[0]).toMatchObject({ kind: 'raster', raster: { width: 1_652, height: 2_338 } });
    expect(ocr.most).toBe(2);
    expect(new Set(ocr.stacks)).toEqual(new Set(['shop']));
  });

  it('needs no OCR for text alone', async () => {
    const ocr = new FakeOcrEngine();
    const { ocrUsed } = await readerWith(ocr).readPdf(
      { stackId: 'shop', bytes: mixedPdf('Nothing but text') },
      signal,
    );
    expect(ocrUsed).toBe(false);
    expect(ocr.pictures).toEqual([]);
  });

  it('keeps the few words over a picture in which OCR finds none', async () => {
    const writer = new PdfWriter();
    const P = writer.picture(Buffer.alloc(30 * 40 * 3, 128), 30, 40);
    const content = `q 595 0 0 842 0 0 cm /P Do Q\n${writtenLines(['Figure 4'])}`;
    writer.addPage({ content, fonts: { F: writer.standardFont() }, pictures: { P } });
    const ocr = new FakeOcrEngine(() => '');
    const { pages } = await readerWith(ocr).readPdf({ stackId: 'shop', bytes: writer.build() }, signal);
    expect(pages).toMatchObject([{ text: 'Figure 4', ocrUsed: true }]);
  });

  it('gives an image to OCR as it came', async () => {
    const ocr = new FakeOcrEngine(() => 'a receipt');
    expect(await readerWith(ocr).readImage({ stackId: 'shop', bytes: png }, signal)).toMatchObject({
      pages: [{ text: 'a receipt' }],
      ocrUsed: true,
    });
    expect([ocr.pictures, ocr.stacks]).toEqual([[{ kind: 'encoded', bytes: png }], ['shop']]);
  });

  it('says which file cannot be read, and why', async () => {
    const reader = readerWith(new FakeOcrEngine());
    const notPdf = { stackId: 'shop', bytes: png, name: 'bill.pdf' };
    await expect(reader.inspectPdf(notPdf, signal)).rejects.toMatchObject({
      code: 'document-unreadable',
      message: 'The PDF "bill.pdf" is damaged or no PDF at all; send another copy of it.',
    });
    await expect(
      reader.inspectImage({ stackId: 'shop', bytes: Buffer.from('GIF89a') }, signal),
    ).rejects.toMatchObject({
      code: 'document-unreadable',
      message: 'The image is damaged; send another copy of it.',
    });
    await expect(
      reader.readImage({ stackId: 'shop', bytes: Buffer.from('<svg/>'), name: 'a.svg' }, signal),
    ).rejects.toMatchObject({
      message: 'The image "a.svg" is none that is read; send a JPEG, PNG or WEBP.',
    });
  });

  it('blames a page that OCR cannot survive on the document, and stops the rest of it', async () => {
    const ocr = new FakeOcrEngine(() => {
      throw new UnreadablePicture('takes too long');
    });
    const bytes = mixedPdf(undefined, undefined, undefined);
    await expect(
      readerWith(ocr).readPdf({ stackId: 'shop', bytes, name: 'a.pdf' }, signal),
    ).rejects.toMatchObject({
      code: 'document-unreadable',
      message: 'The PDF "a.pdf" takes too long.',
    });
    expect(ocr.pictures).toHaveLength(1);
  });

  it.each([
    new TooManyWaiting('512 wait'),
    new ChildLost({ child: 'ocr', reason: 'crashed', started: false }),
  ])('does not blame the document when OCR itself fails: %s', async (error) => {
    const ocr = new FakeOcrEngine(() => Promise.reject(error));
    await expect(readerWith(ocr).readImage({ stackId: 'shop', bytes: png }, signal)).rejects.toMatchObject({
      code: 'model-not-ready',
    });
  });

  it('tells a watch what is there, before OCR begins and after each page while others are missing', async () => {
    const ocr = new FakeOcrEngine(() => 'scan');
    const told: (string | undefined)[][] = [];
    const bytes = mixedPdf('A page of text', undefined, undefined);
    await readerWith(ocr).readPdf({ stackId: 'shop', bytes }, signal, async (pages) => {
      told.push(pages.map((page) => page?.text));
    });
    expect(told).toEqual([
      ['A page of text', undefined, undefined],
      ['A page of text', 'scan', undefined],
    ]);
  });

  it('tells a watch nothing of a document without scans', async () => {
    const bytes = mixedPdf('One page', 'Another page');
    await readerWith(new FakeOcrEngine()).readPdf({ stackId: 'shop', bytes }, signal, async () => {
      throw new Error('told');
    });
  });

  it('begins no OCR where a watch has enough of the text that is there', async () => {
    const ocr = new FakeOcrEngine();
    const bytes = mixedPdf('A page of text', undefined);
    const enough = async () => {
      throw new Error('enough');
    };
    await expect(readerWith(ocr).readPdf({ stackId: 'shop', bytes }, signal, enough)).rejects.toThrow(
      'enough',
    );
    expect(ocr.pictures).toEqual([]);
  });

  it('ends the pages under way, and begins no other, where a watch has enough', async () => {
    const endedPages: unknown[] = [];
    const ocr: FakeOcrEngine = new FakeOcrEngine(async (_, ended) => {
      if (ocr.pictures.length < 2) return 'first';
      await new Promise((resolve) => ended.addEventListener('abort', resolve));
      endedPages.push(ended.reason);
      throw ended.reason;
    }, 3);
    const bytes = mixedPdf(undefined, undefined, undefined, undefined, undefined);
    const enough = async (pages: readonly unknown[]) => {
      if (pages.some((page) => page !== undefined)) throw new Error('enough');
    };
    await expect(readerWith(ocr).readPdf({ stackId: 'shop', bytes }, signal, enough)).rejects.toThrow(
      'enough',
    );
    await expect.poll(() => endedPages).toHaveLength(ocr.pictures.length - 1);
    expect(ocr.pictures.length).toBeLessThanOrEqual(3);
  });

  it('draws one page more than OCR reads, and those of another stack at once', async () => {
    let goOn = () => {};
    const gone = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const ocr = new FakeOcrEngine(() => gone.then(() => 'scan'), 2);
    const drawn: string[] = [];
    const draw = pdf.draw.bind(pdf);
    const drawing = vi.spyOn(pdf, 'draw').mockImplementation((bytes, page, work) => {
      drawn.push(work.stackId);
      return draw(bytes, page, work);
    });
    const reader = readerWith(ocr);
    const bytes = mixedPdf(undefined, undefined, undefined);
    const read = (stackId: string) => reader.readPdf({ stackId, bytes }, signal);
    const noisy = [1, 2, 3, 4].map(() => read('noisy'));
    await expect.poll(() => ocr.pictures).toHaveLength(3);
    const quiet = read('quiet');
    await expect.poll(() => ocr.stacks).toContain('quiet');
    expect(drawn).toEqual(['noisy', 'noisy', 'noisy', 'quiet']);
    goOn();
    const pages = (await Promise.all([...noisy, quiet])).flatMap((document) => document.pages);
    expect(pages.map(({ text }) => text)).toEqual(new Array(15).fill('scan'));
    drawing.mockRestore();
  });

  it('stops when its signal aborts', async () => {
    const leaving = new AbortController();
    const ocr = new FakeOcrEngine((_, ended) => {
      leaving.abort(new Error('gone'));
      ended.throwIfAborted();
      return '';
    });
    const bytes = mixedPdf(undefined, undefined);
    await expect(readerWith(ocr).readPdf({ stackId: 'shop', bytes }, leaving.signal)).rejects.toThrow('gone');
    expect(ocr.pictures).toHaveLength(1);
  });
});
