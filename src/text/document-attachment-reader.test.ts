import { describe, expect, it } from 'vitest';
import { Fault } from '../faults/fault.ts';
import type { DocumentFile, DocumentReader, ReadDocument } from '../reading/document-reader.ts';
import { emptyPage } from '../reading/page-text.ts';
import { Tracer } from '../telemetry/tracer.ts';
import type { AttachedPart } from './conversation.ts';
import { DocumentAttachmentReader } from './document-attachment-reader.ts';

const { signal } = new AbortController();
const work = { stackId: 'shop', signal };
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const pdf = Buffer.from('%PDF-1.7 ...');

function part(
  bytes: Buffer,
  name?: string,
  type: AttachedPart['type'] = bytes === pdf ? 'document' : 'image',
): AttachedPart {
  return { type, mediaType: 'application/octet-stream', base64: bytes.toString('base64'), name };
}

function pages(...texts: string[]): ReadDocument {
  return { pages: texts.map((text) => ({ ...emptyPage, text })), ocrUsed: true };
}

/** A document reader whose methods a test can replace. */
function fakeReader(replaced: Partial<DocumentReader>): DocumentReader {
  return {
    lifecycle: { state: 'ready', ready: async () => {} },
    kindOf: (bytes) =>
      Buffer.from(bytes).includes('%PDF') ? 'pdf' : Buffer.from(bytes).includes('PNG') ? 'image' : undefined,
    inspectPdf: async () => ({ pages: 1 }),
    inspectImage: async () => ({ format: 'PNG', width: 1, height: 1, megapixels: 1 }),
    readPdf: async () => pages('pdf text'),
    readImage: async () => pages('image text'),
    ...replaced,
  };
}

const read = (replaced: Partial<DocumentReader>, attached: AttachedPart) =>
  new DocumentAttachmentReader(fakeReader(replaced)).read(attached, work);

describe('an attachment', () => {
  it('is replaced by its text', async () => {
    expect(await read({}, part(png))).toBe('[image: PNG 1×1, its text:]\nimage text\n[end]');
    expect(await read({}, part(pdf, 'a.pdf'))).toBe('[document: a.pdf, PDF, 1 page:]\npdf text\n[end]');
  });

  it('is read in the span of its request', async () => {
    const files: DocumentFile[] = [];
    const span = new Tracer({ sampleRatio: 1, add: () => {} }).open(undefined, {
      method: 'POST',
      path: '/v1/messages',
    });
    const readPdf = async (file: DocumentFile) => {
      files.push(file);
      return pages('text');
    };
    await new DocumentAttachmentReader(fakeReader({ readPdf })).read(part(pdf), { ...work, span });
    expect(files.map((file) => file.span)).toEqual([span]);
  });

  it('marks the start of each page if it has several', async () => {
    const replaced = { inspectPdf: async () => ({ pages: 2 }), readPdf: async () => pages('one', 'two') };
    expect(await read(replaced, part(pdf))).toBe(
      '[document: PDF, 2 pages:]\n--- page 1 of 2\none\n--- page 2 of 2\ntwo\n[end]',
    );
  });

  it('without text says so', async () => {
    expect(await read({ readImage: async () => pages(' ') }, part(png))).toBe(
      '[image: PNG 1×1, without any text]',
    );
  });

  it('of an unknown kind is only named', async () => {
    expect(await read({}, part(Buffer.from('hello'), 'a.bin'))).toBe('[image: a.bin, of an unknown kind]');
  });

  it('of plain text is given as it is', async () => {
    const given = (bytes: Buffer | string, name?: string) =>
      read({}, part(Buffer.from(bytes), name, 'document'));
    expect(await given('# Notes\n\nGrüße', 'notes.md')).toBe(
      '[document: notes.md, text:]\n# Notes\n\nGrüße\n[end]',
    );
    expect(await given('\ufeffa,b')).toBe('[document: text:]\na,b\n[end]');
    expect(await given(' \n', 'a.txt')).toBe('[document: a.txt, text, without any]');
    expect(await given('x'.repeat(1_000_001), 'a.txt')).toBe(
      '[document: a.txt, text; not read, because it has over 1 MB]',
    );
    for (const bytes of [Buffer.from('a\0b'), Buffer.of(0xff, 0xfe, 0x41), Buffer.of()])
      expect(await given(bytes, 'a.bin')).toBe('[document: a.bin, of an unknown kind]');
  });

  it('is only named while OCR is not ready', async () => {
    const readImage = () => Promise.reject(new Fault('model-not-ready', 'it is fetched'));
    expect(await read({ readImage }, part(png))).toBe('[image: PNG 1×1]');
  });

  it('that cannot be read becomes a note with the reason', async () => {
    const inspectPdf = () =>
      Promise.reject(
        new Fault('document-unreadable', 'The PDF "a.pdf" needs a password; send it without protection.'),
      );
    expect(await read({ inspectPdf }, part(pdf, 'a.pdf'))).toBe(
      '[document: a.pdf, PDF; it needs a password; send it without protection]',
    );
  });

  it('beyond the limits is not read', async () => {
    const never = () => Promise.reject(new Error('it was read'));
    const long = { inspectPdf: async () => ({ pages: 101 }), readPdf: never };
    expect(await read(long, part(pdf))).toBe(
      '[document: PDF; not read, because it has 101 pages and at most 100 are]',
    );
    const facts = { format: 'PNG', width: 9_000, height: 9_000, megapixels: 81 };
    const large = { inspectImage: async () => facts, readImage: never };
    expect(await read(large, part(png))).toMatch(/not read, because it has over 40 megapixels\]$/);
  });

  it('that comes again is not read again, even under another name', async () => {
    let reads = 0;
    const readImage = async () => {
      reads += 1;
      return pages(`read ${reads}`);
    };
    const reader = new DocumentAttachmentReader(fakeReader({ readImage }));
    await reader.read(part(png, 'a.png'), work);
    expect(await reader.read(part(png, 'b.png'), work)).toBe(
      '[image: b.png, PNG 1×1, its text:]\nread 1\n[end]',
    );
    expect(reads).toBe(1);
  });

  it('is not remembered if it failed, and not for ever', async () => {
    let reads = 0;
    const readImage = async () => {
      reads += 1;
      if (reads === 1) throw new Fault('model-not-ready', 'not yet');
      return pages('x'.repeat(3_000_000));
    };
    const reader = new DocumentAttachmentReader(fakeReader({ readImage }));
    const other = (index: number) => part(Buffer.concat([png, Buffer.from(String(index))]));
    for (const index of [0, 0, 0, 1, 2, 0]) await reader.read(other(index), work);
    expect(reads).toBe(5);
  });

  it('throws unforeseen errors and aborts', async () => {
    const readImage = () => Promise.reject(new TypeError('a bug'));
    await expect(read({ readImage }, part(png))).rejects.toThrow('a bug');
    const gone = AbortSignal.abort(new Error('gone'));
    const reader = new DocumentAttachmentReader(
      fakeReader({ readImage: () => Promise.reject(new Fault('model-not-ready', '')) }),
    );
    await expect(reader.read(part(png), { stackId: 'shop', signal: gone })).rejects.toThrow('gone');
  });
});
