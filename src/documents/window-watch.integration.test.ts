import { afterAll, describe, expect, it } from 'vitest';
import { makeCaller } from '../../testing/fake-callers.ts';
import { FakeMeter } from '../../testing/fake-meter.ts';
import { FakeOcrEngine } from '../../testing/reading/fake-ocr-engine.ts';
import { mixedPdf } from '../../testing/reading/mixed-pdf.ts';
import { FakeTextEngine, textAnswer } from '../../testing/text/fake-text-engine.ts';
import { textService } from '../../testing/text/text-service.ts';
import { Fault } from '../faults/fault.ts';
import { EmbeddedDocumentReader } from '../reading/embedded/embedded-document-reader.ts';
import { defaultPdfWorkers, PdfWorkers } from '../reading/pdf/pdf-workers.ts';
import { SchemaService } from '../schema/service/schema-service.ts';
import type { Conversation } from '../text/conversation.ts';
import { citeExtraction } from './citations/cite-extraction.ts';
import { DirectExtractor } from './direct/direct-extractor.ts';
import type { ExtractionRequest } from './extraction-request.ts';
import { ExtractionService } from './extraction-service.ts';

const never = new AbortController().signal;
const schemas = new SchemaService();
const pdf = new PdfWorkers({ ...defaultPdfWorkers, workers: 2, stepMs: 25_000 });
afterAll(() => Promise.all([schemas.stop(AbortSignal.timeout(5_000)), pdf.stop(AbortSignal.abort())]));

const MAX_TOKENS = 100;
/** One token each; other pages contain none. */
const TOKEN = 'word';
const dense = Array.from({ length: 1_000 }, () => TOKEN).join(' ');

const scans = (count: number) => mixedPdf(...Array.from({ length: count }, () => undefined));
const files = (...bytes: Buffer[]) => bytes.map((one, index) => ({ name: `${index}.pdf`, bytes: one }));

function tokensOf({ turns }: Conversation): number {
  const texts = turns.flatMap((turn) => (turn.role === 'user' ? turn.parts : []));
  return texts.reduce((sum, part) => sum + (part.type === 'text' ? part.text.split(TOKEN).length - 1 : 0), 0);
}

/** An extraction with a window of `room` words, and OCR that reads the same on every page. */
function setUp({ room, page = dense, parallel = 1 }: { room: number; page?: string; parallel?: number }) {
  const ocr = new FakeOcrEngine(() => page, parallel);
  const engine = new FakeTextEngine();
  engine.contextWindow = room + MAX_TOKENS;
  engine.script = textAnswer('{}');
  engine.countTokens = async (conversation) => {
    engine.counted.push(conversation);
    return tokensOf(conversation);
  };
  const text = textService([['gpu', engine]]);
  const direct = new DirectExtractor({ text, schemas });
  const reader = new EmbeddedDocumentReader({ pdf, ocr });
  const parts = { reader, schemas, text, extractorFor: () => direct, cite: citeExtraction };
  const service = new ExtractionService(parts);
  const extract = (changes: Partial<ExtractionRequest>) => {
    const common = { route: 'documents', schema: '{"type": "object"}' } as const;
    const plain = { ...common, citations: false, confidence: false };
    const request = { ...plain, files: [], system: undefined, user: undefined, maxTokens: MAX_TOKENS };
    const work = { meter: new FakeMeter(), signal: never };
    return service.extract(makeCaller({ plan: 'max' }), { ...request, ...changes }, work);
  };
  return { ocr, engine, extract };
}

describe('a document over the window', () => {
  it('is refused with the numbers as soon as that is certain, and no further page is read', async () => {
    const { ocr, engine, extract } = setUp({ room: 2_500 });
    await expect(extract({ files: files(scans(50)) })).rejects.toMatchObject({
      code: 'context-length-exceeded',
      status: 400,
      message:
        'prompt is too long: at least 2953 tokens > 2500 maximum, with 3 of 50 pages read; send fewer pages at once',
    });
    expect(ocr.pictures).toHaveLength(3);
    expect(engine.asked).toEqual([]);
  });

  it('is refused before any OCR where its text layers are too much already', async () => {
    const { ocr, extract } = setUp({ room: 20 });
    const line = Array.from({ length: 30 }, () => TOKEN).join(' ');
    await expect(extract({ files: files(mixedPdf(line, undefined, undefined)) })).rejects.toMatchObject({
      message: expect.stringContaining('at least 28 tokens > 20 maximum, with 1 of 3 pages read'),
    });
    expect(ocr.pictures).toEqual([]);
  });

  it('ends the reading of the other files too', async () => {
    const { ocr, extract } = setUp({ room: 2_500, parallel: 2 });
    await expect(extract({ files: files(scans(20), scans(20)) })).rejects.toMatchObject({
      code: 'context-length-exceeded',
    });
    expect(ocr.pictures.length).toBeLessThan(10);
  });

  it('that is read to its end is refused with its exact length', async () => {
    const { ocr, extract } = setUp({ room: 2_999 });
    await expect(extract({ files: files(scans(3)) })).rejects.toMatchObject({
      message: 'prompt is too long: 3000 tokens > 2999 maximum',
    });
    expect(ocr.pictures).toHaveLength(3);
  });

  it('is read to its end where the engine cannot count before, and refused then', async () => {
    const { ocr, engine, extract } = setUp({ room: 2_999 });
    const { countTokens } = engine;
    engine.countTokens = async (conversation) => {
      if (ocr.pictures.length < 3) throw new Fault('model-not-ready', 'It starts anew.');
      return countTokens.call(engine, conversation);
    };
    await expect(extract({ files: files(scans(3)) })).rejects.toMatchObject({
      message: 'prompt is too long: 3000 tokens > 2999 maximum',
    });
    expect(ocr.pictures).toHaveLength(3);
  });
});

describe('what is asked for', () => {
  it('is refused before any OCR where it leaves no room for a document', async () => {
    const { ocr, extract } = setUp({ room: 10 });
    const user = Array.from({ length: 20 }, () => TOKEN).join(' ');
    await expect(extract({ files: files(scans(2)), user })).rejects.toMatchObject({
      message: expect.stringContaining('before any page is read; shorten schema, system or user'),
    });
    expect(ocr.pictures).toEqual([]);
  });
});

describe('a document that fits', () => {
  it('to the last token is never refused', async () => {
    const { ocr, extract } = setUp({ room: 5_000 });
    expect(await extract({ files: files(scans(5)) })).toMatchObject({ data: {}, pages: 5 });
    expect(ocr.pictures).toHaveLength(5);
  });

  it('is counted only where bytes leave a doubt', async () => {
    const { engine, extract } = setUp({ room: 30_000 });
    await extract({ files: files(scans(20)) });
    // Pages of 5,001 bytes: counting starts with the sixth; each count tells how many more bytes surely fit, and the last covers
    // everything.
    expect(engine.counted.length).toBeGreaterThan(1);
    expect(engine.counted.length).toBeLessThan(6);
  });

  it('is not counted at all where bytes leave none', async () => {
    const { engine, extract } = setUp({ room: 30_000, page: 'little' });
    await extract({ files: files(scans(5)) });
    expect(engine.counted).toEqual([]);
  });
});
