import { afterAll, describe, expect, it } from 'vitest';
import { FakeDocumentReader } from '../../testing/documents/fake-document-reader.ts';
import { makeCaller } from '../../testing/fake-callers.ts';
import { FakeMeter } from '../../testing/fake-meter.ts';
import { FakeTextEngine, textAnswer } from '../../testing/text/fake-text-engine.ts';
import { textService } from '../../testing/text/text-service.ts';
import type { PlanName } from '../config/config.ts';
import { Fault } from '../faults/fault.ts';
import { SchemaService } from '../schema/service/schema-service.ts';
import { citeExtraction } from './citations/cite-extraction.ts';
import { DirectExtractor } from './direct/direct-extractor.ts';
import type { ExtractionRequest } from './extraction-request.ts';
import { ExtractionService } from './extraction-service.ts';
import type { ExtractedData, ExtractionJob } from './extractor.ts';

const never = new AbortController().signal;
const schemas = new SchemaService();
afterAll(() => schemas.stop(AbortSignal.timeout(5_000)));

const total = JSON.stringify({
  type: 'object',
  properties: { total: { type: 'number' } },
  required: ['total'],
});

function file(name: string, content: string, sizeBytes = 0) {
  return { name, bytes: Buffer.from(content.padEnd(sizeBytes)) };
}

function requestOf(changes: Partial<ExtractionRequest> = {}): ExtractionRequest {
  return {
    route: 'documents',
    files: [file('a.pdf', 'pdf 1: Total 12.50')],
    schema: total,
    system: undefined,
    user: undefined,
    maxTokens: 4000,
    citations: false,
    confidence: false,
    ...changes,
  };
}

function setUp({ timeoutMs = 60_000 }: { timeoutMs?: number } = {}) {
  const engine = new FakeTextEngine();
  const meter = new FakeMeter();
  engine.script = textAnswer('{"total": 12.5}');
  const reader = new FakeDocumentReader();
  const text = textService([['gpu', engine]]);
  const direct = new DirectExtractor({ text, schemas });
  const extractorFor = () => direct;
  const cite = citeExtraction;
  const service = new ExtractionService({ reader, schemas, text, extractorFor, cite, timeoutMs });
  const extract = (changes: Partial<ExtractionRequest> = {}, plan: PlanName = 'max', signal = never) =>
    service.extract(
      makeCaller({ plan, key: { retrieval: true }, stack: { systemPrompt: 'stack' } }),
      requestOf(changes),
      { meter, signal },
    );
  const refusal = async (changes: Partial<ExtractionRequest>, plan: PlanName = 'max') => {
    const outcome = await extract(changes, plan).catch((error: unknown) => error);
    return outcome instanceof Fault ? `${outcome.status} ${outcome.message}` : 'accepted';
  };
  return { engine, meter, reader, extract, refusal };
}

describe('an extraction', () => {
  it('answers with validated data and what it took', async () => {
    const { extract } = setUp();
    expect(await extract()).toEqual({
      data: { total: 12.5 },
      pages: 1,
      files: 1,
      ocrUsed: false,
      usage: { promptTokens: 10, completionTokens: 2 },
    });
  });

  it('shows each file in a numbered block with the total and its name, and adds what the user says', async () => {
    const { engine, extract } = setUp();
    const files = [file('a.pdf', 'pdf 1: One'), file('b]\n[c.pdf', 'pdf 2: Two')];
    const { pages } = await extract({ files, user: 'The total is in the second file.' });
    const [asked] = engine.asked;
    const [turn] = asked?.turns ?? [];
    const text = turn?.role === 'user' && turn.parts[0]?.type === 'text' ? turn.parts[0].text : '';
    expect(pages).toBe(3);
    expect(text).toContain('[File 1 of 2: "a.pdf"]\nOne\n[End of file 1]');
    expect(text).toContain('[File 2 of 2: "b]\\n[c.pdf"]\nTwo\n[End of file 2]');
    expect(text).toContain('The total is in the second file.');
    expect(asked?.system).toBe('stack');
    expect(asked?.sampling).toMatchObject({ maxTokens: 4000, temperature: 0 });
    expect(asked?.output).toMatchObject({ type: 'schema' });
  });

  it('cites the file that the user says a value is in', async () => {
    const { extract } = setUp();
    const files = [file('a.pdf', 'pdf 1: Total 12.50'), file('b.pdf', 'pdf 1: Sum 12.50')];
    const asked = { files, citations: true };
    const cited = async (user?: string) => (await extract({ ...asked, user })).citations;
    expect(await cited()).toMatchObject({ total: { file: 1, file_name: 'a.pdf' } });
    expect(await cited('The total is in file 2')).toMatchObject({
      total: { file: 2, file_name: 'b.pdf', page: 1 },
    });
  });

  it('lets `system` replace the prompt of the stack', async () => {
    const { engine, extract } = setUp();
    await extract({ system: 'mine' });
    expect(engine.asked[0]?.system).toBe('mine');
  });

  it('says that OCR was used for every image, and for PDFs only where it was', async () => {
    const { extract } = setUp();
    const image = { route: 'images', files: [file('a.png', 'image 2: Total 3')] } as const;
    expect(await extract(image)).toMatchObject({ pages: 1, files: 1, ocrUsed: true });
    expect(await extract()).toMatchObject({ ocrUsed: false });
  });
});

describe('a schema', () => {
  it('that refers to itself without an end is refused when an answer is validated', async () => {
    const schema = JSON.stringify({ type: 'object', oneOf: [{ $ref: '#' }, { maxProperties: 0 }] });
    expect(await setUp().refusal({ schema })).toMatch(
      /^400 `schema` cannot be used: No answer can be validated/,
    );
  });

  it.each([
    ['{', /^400 `schema` cannot be used: it is not JSON/],
    ['[]', /^400 .*must be a JSON object/],
    ['true', /^400 .*must be a JSON object/],
    ['{"type": "nothing"}', /^400 `schema` cannot be used/],
    ['{"type": "string"}', /^400 .*root must allow an object/],
    ['{"type": ["array", "null"]}', /^400 .*root must allow an object/],
    ['{"required": ["a"], "properties": {"a": false}}', /^400 `schema` cannot be used/],
    ['{"$ref": "https://example.com/x.json"}', /^400 `schema` cannot be used/],
    [`{"description": "${'x'.repeat(65_537 - 19)}"}`, /^413 `schema` has 65537 bytes; at most 65536/],
  ])('is refused before anything is read: %.60s', async (schema, expected) => {
    const { refusal, reader } = setUp();
    expect(await refusal({ schema })).toMatch(expected);
    expect(reader.read).toEqual([]);
  });

  it('of exactly 65,536 bytes is taken', async () => {
    const { extract } = setUp();
    const schema = `{"description": "${'x'.repeat(65_536 - 19)}"}`;
    expect(Buffer.byteLength(schema)).toBe(65_536);
    expect(await extract({ schema })).toMatchObject({ data: { total: 12.5 } });
  });
});

describe('the limits of a plan', () => {
  const pdfs = (count: number) =>
    Array.from({ length: count }, (_, index) => file(`${index}.pdf`, 'pdf 1: x'));
  const cases: readonly (readonly [PlanName, number, number, number, number])[] = [
    ['go', 1, 8_000_000, 15, 5_000_000],
    ['pro', 5, 15_000_000, 30, 10_000_000],
    ['max', 10, 25_000_000, 50, 15_000_000],
    ['enterprise', 10, 25_000_000, 50, 15_000_000],
  ];

  it.each(cases)(
    '%s: %d files, %d bytes, %d pages; %d bytes of images',
    async (plan, files, bytes, pages, imageBytes) => {
      const { refusal, reader } = setUp();
      const image = (size: number) =>
        ({ route: 'images', files: [file('a.png', 'image 20: x', size)] }) as const;
      expect(await refusal({ files: pdfs(files) }, plan)).toBe('accepted');
      expect(await refusal({ files: [file('a.pdf', 'pdf 1: x', bytes)] }, plan)).toBe('accepted');
      expect(await refusal({ files: [file('a.pdf', `pdf ${pages}: x`)] }, plan)).toBe('accepted');
      expect(await refusal(image(imageBytes), plan)).toBe('accepted');
      const before = reader.read.length;
      expect(await refusal({ files: pdfs(files + 1) }, plan)).toMatch(/^413 .* files were sent/);
      expect(await refusal({ files: [file('a.pdf', 'pdf 1: x', bytes + 1)] }, plan)).toMatch(
        /^413 .* bytes together/,
      );
      expect(await refusal({ files: [file('a.pdf', `pdf ${pages + 1}: x`)] }, plan)).toMatch(
        /^413 .* pages together/,
      );
      expect(await refusal(image(imageBytes + 1), plan)).toMatch(/^413 .* bytes together/);
      const large = { route: 'images', files: [file('a.png', 'image 21: x')] } as const;
      expect(await refusal(large, plan)).toMatch(/^413 The image "a.png" .* 20 megapixels/);
      expect(reader.read).toHaveLength(before);
    },
  );

  it('say on Go that several files need a higher plan', async () => {
    const { refusal } = setUp();
    expect(await refusal({ files: pdfs(2) }, 'go')).toMatch(
      /^413 2 files .* Several files need the plan pro/,
    );
  });

  it('hold for the sum over all files', async () => {
    const { refusal } = setUp();
    const half = file('a.pdf', 'pdf 25: x', 12_500_000);
    expect(await refusal({ files: [half, half] })).toBe('accepted');
    expect(await refusal({ files: [half, file('b.pdf', 'pdf 26: x')] })).toMatch(
      /^413 The files have 51 pages/,
    );
    expect(await refusal({ files: [half, file('b.pdf', 'pdf 1: x', 12_500_001)] })).toMatch(/^413/);
  });
});

describe('a file that cannot be used', () => {
  it.each([
    ['is empty', 'documents', '', /^400 The file "bad" is empty/],
    ['has no pages', 'documents', 'pdf 0', /^400 The file "bad" has no pages/],
    ['is no PDF', 'documents', 'image 1: x', /^400 The file "bad" is no PDF/],
    ['is no image', 'images', 'pdf 1: x', /^400 The file "bad" is no JPEG, PNG or WEBP/],
    ['is a GIF', 'images', 'image 1: GIF', /^400 The file "bad" is no JPEG, PNG or WEBP/],
    ['is damaged', 'documents', 'pdf broken', /^400 The file "bad" is damaged/],
  ] as const)('and %s is named, and nothing is read', async (_, route, content, expected) => {
    const { refusal, reader } = setUp();
    const good = file('good', route === 'documents' ? 'pdf 1: x' : 'image 1: x');
    expect(await refusal({ route, files: [good, file('bad', content)] })).toMatch(expected);
    expect(reader.read).toEqual([]);
  });

  it('says nothing', async () => {
    const { refusal } = setUp();
    const files = [file('good.pdf', 'pdf 1: x'), file('blank.pdf', 'pdf 1:  ')];
    expect(await refusal({ files })).toMatch(/^400 The file "blank.pdf" has no text/);
  });

  it('is reported after an exceeded limit', async () => {
    const { refusal } = setUp();
    const files = [file('bad', 'pdf broken'), file('long.pdf', 'pdf 51: x')];
    expect(await refusal({ files })).toMatch(/^413/);
  });
});

describe('an output that does not satisfy the schema', () => {
  it('is tried once more, and both tries are counted', async () => {
    const { engine, meter, extract } = setUp();
    const scripts = [textAnswer('{"total": "much"}'), textAnswer('```json\n{"total": 3}\n```')];
    engine.scriptFor = () => scripts[engine.asked.length - 1] ?? [];
    expect(await extract()).toMatchObject({
      data: { total: 3 },
      usage: { promptTokens: 20, completionTokens: 4 },
    });
    expect(meter.used).toMatchObject({ promptTokens: 20, completionTokens: 4 });
    expect(engine.asked[1]?.sampling).toMatchObject({ temperature: 0.7, seed: 1 });
  });

  it('twice is a 502 with all of the raw output', async () => {
    const { engine, extract } = setUp();
    const raw = `{"total": "${'x'.repeat(50_000)}`;
    engine.script = textAnswer(raw);
    const bodyMembers = { raw_output: raw };
    await expect(extract()).rejects.toMatchObject({ code: 'extraction-invalid', status: 502, bodyMembers });
  });

  it('is also one of more than `max_tokens`, where a server does not hold itself to them', async () => {
    const { extract } = setUp();
    expect(await extract({ maxTokens: 2 })).toMatchObject({ data: { total: 12.5 } });
    await expect(extract({ maxTokens: 1 })).rejects.toMatchObject({
      status: 502,
      message: expect.stringContaining('2 tokens, and `max_tokens` allows 1'),
      bodyMembers: { raw_output: '{"total": 12.5}' },
    });
  });

  it('only because items repeat is repaired', async () => {
    const { engine, extract } = setUp();
    const tags = { type: 'array', uniqueItems: true, items: { type: 'array' } };
    const schema = JSON.stringify({ properties: { tags, all: { type: 'array' } } });
    engine.script = textAnswer('{"tags": [[{"a": 1, "b": 2}], [{"b": 2, "a": 1}], []], "all": [1, 1]}');
    expect(await extract({ schema })).toMatchObject({ data: { tags: [[{ a: 1, b: 2 }], []], all: [1, 1] } });
    expect(engine.asked).toHaveLength(1);
  });
});

describe('an extraction that ends early', () => {
  it('is a 504 after its time, with all work stopped', async () => {
    const { reader, extract } = setUp({ timeoutMs: 20 });
    let stopped = false;
    reader.hold = (signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          stopped = true;
          reject(signal.reason);
        });
      });
    await expect(extract()).rejects.toMatchObject({ code: 'extraction-timeout', status: 504 });
    expect(stopped).toBe(true);
  });

  it('is a 504 too where time runs short for what may not be left out', async () => {
    const { reader } = setUp();
    const text = textService([['gpu', new FakeTextEngine()]]);
    const extract = (job: ExtractionJob) =>
      new Promise<never>((_, reject) => {
        job.hurry.addEventListener('abort', () => reject(job.hurry.reason));
      });
    const readings = [1_000, 231_440];
    const clock = { nowMs: () => readings.shift() ?? 0 };
    const parts = { reader, schemas, text, cite: citeExtraction, extractorFor: () => ({ extract }), clock };
    const service = new ExtractionService({ ...parts, timeoutMs: 2_000 });
    const outcome = service.extract(makeCaller({ plan: 'max' }), requestOf(), {
      meter: new FakeMeter(),
      signal: never,
    });
    await expect(outcome).rejects.toMatchObject({
      code: 'extraction-timeout',
      status: 504,
      message: expect.stringContaining('after 230 seconds, since it may take 2;'),
    });
  });

  it('signals the extractor when the remaining time is needed for mandatory fields', async () => {
    const { reader } = setUp();
    const text = textService([['gpu', new FakeTextEngine()]]);
    const extract = (job: ExtractionJob) =>
      new Promise<ExtractedData>((resolve) => {
        const answer = () => resolve({ data: { hurries: job.hurry.aborted } });
        job.leisure.addEventListener('abort', answer);
      });
    const parts = { reader, schemas, text, cite: citeExtraction, extractorFor: () => ({ extract }) };
    const service = new ExtractionService({ ...parts, timeoutMs: 4_000 });
    const work = { meter: new FakeMeter(), signal: never };
    const { data } = await service.extract(makeCaller({ plan: 'max' }), requestOf(), work);
    expect(data).toEqual({ hurries: false });
  });

  it('stops when the client leaves', async () => {
    const { reader, extract, engine } = setUp();
    const leaving = new AbortController();
    reader.hold = async () => leaving.abort(new Error('left'));
    await expect(extract({}, 'max', leaving.signal)).rejects.toThrow('left');
    expect(engine.asked).toEqual([]);
  });

  it('is a 503 before anything is read where the model is not ready', async () => {
    const { engine, refusal, reader } = setUp();
    engine.state = 'starting';
    expect(await refusal({})).toMatch(/^503/);
    expect(reader.read).toEqual([]);
  });
});
