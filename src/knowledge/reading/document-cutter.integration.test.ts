import { afterEach, describe, expect, it } from 'vitest';
import { emptyPage } from '../../reading/page-text.ts';
import { DocumentCutter } from './document-cutter.ts';

const { signal } = new AbortController();
const work = { stackId: 'shop', signal };
let cutter = new DocumentCutter();
afterEach(async () => {
  await cutter.stop(AbortSignal.abort());
  cutter = new DocumentCutter();
});

const markdown = (text: string) => ({ name: 'a.md', bytes: Buffer.from(text) });
const good = markdown('# A\n\nText.');
const chunks = [{ position: 0, text: 'Text.', headings: ['A'] }];

describe('a document', () => {
  it('is cut in a worker, and its bytes stay usable', async () => {
    expect(await cutter.cut(good, work)).toEqual(chunks);
    expect(await cutter.cut(good, work)).toEqual(chunks);
  });

  it('of many chunks comes whole and in order', async () => {
    const text = Array.from({ length: 1_000 }, (_, index) => `# H${index}\n\ntext ${index}`).join('\n\n');
    const cut = await cutter.cut(markdown(text), work);
    expect(cut.map((chunk) => chunk.text)).toEqual(cut.map(({ position }) => `text ${position}`));
    expect(cut).toHaveLength(1_000);
  });

  it('comes as its pages where it was read before', async () => {
    const pages = [emptyPage, { ...emptyPage, text: 'Text of a page.' }];
    expect(await cutter.cut({ name: 'a.pdf', pages }, work)).toEqual([
      { position: 0, text: 'Text of a page.', headings: [], page: 2 },
    ]);
  });

  it('that says nothing or cannot be read is a fault', async () => {
    await expect(cutter.cut(markdown('\n\n'), work)).rejects.toMatchObject({
      name: 'Fault',
      code: 'document-empty',
      message: 'The document "a.md" has no text.',
    });
    const broken = { name: 'b.docx', bytes: Buffer.from('PK\u0003\u0004 and no more') };
    await expect(cutter.cut(broken, work)).rejects.toMatchObject({
      name: 'Fault',
      code: 'document-unreadable',
      message: expect.stringContaining('"b.docx" is damaged'),
    });
    expect(await cutter.cut(good, work)).toEqual(chunks);
  });
});

describe('a document that ends its worker', () => {
  const costly = {
    name: 'Fault',
    code: 'document-unreadable',
    message: expect.stringContaining('time or memory'),
  };

  it('by its memory is refused alone', async () => {
    cutter = new DocumentCutter({ maxMemoryMib: 24 });
    const bomb = { name: 'a.csv', bytes: Buffer.from('a,b\n'.repeat(1_500_000)) };
    const behind = cutter.cut(good, work);
    await expect(cutter.cut(bomb, work)).rejects.toMatchObject(costly);
    expect(await behind).toEqual(chunks);
    expect(await cutter.cut(good, work)).toEqual(chunks);
  });

  it('by its time is refused alone', async () => {
    cutter = new DocumentCutter({ deadlineMs: 1 });
    const large = { name: 'a.txt', bytes: Buffer.from('word '.repeat(2_000_000)) };
    await expect(cutter.cut(large, work)).rejects.toMatchObject(costly);
  });

  it('is abandoned when its signal aborts', async () => {
    const leaving = new AbortController();
    const cut = cutter.cut(
      { name: 'a.txt', bytes: Buffer.from('word '.repeat(2_000_000)) },
      { stackId: 'shop', signal: leaving.signal },
    );
    leaving.abort(new Error('gone'));
    await expect(cut).rejects.toThrow('gone');
    expect(await cutter.cut(good, work)).toEqual(chunks);
  });
});
