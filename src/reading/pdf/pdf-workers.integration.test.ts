import { afterAll, describe, expect, it, test } from 'vitest';
import { readPng } from '../../../testing/fake-upstream/read-png.ts';
import { latinString, PdfWriter, unicodeString, writtenLines } from '../../../testing/reading/pdf-writer.ts';
import type { PdfPage } from './pdf-document.ts';
import { defaultPdfWorkers, PdfWorkers } from './pdf-workers.ts';
import { samplePdf } from './sample-pdf.ts';

const workers = new PdfWorkers({
  ...defaultPdfWorkers,
  workers: 2,
  stepMs: 8_000,
  maxMemoryBytes: 96 * 2 ** 20,
});
const { signal } = new AbortController();
const work = { stackId: 'shop', signal };

afterAll(() => workers.stop(AbortSignal.abort()));

async function pagesOf(writer: PdfWriter): Promise<readonly PdfPage[]> {
  const pages: PdfPage[] = [];
  for await (const page of workers.read(writer.build(), work)) pages.push(page);
  return pages;
}

function simplePdf(): Buffer {
  const writer = new PdfWriter();
  writer.addPage({ content: writtenLines(['A page that reads well.']), fonts: { F: writer.standardFont() } });
  return writer.build();
}

const at = (x: number, y: number, text: string, turn = '1 0 0 1') =>
  `BT /F 10 Tf ${turn} ${x} ${y} Tm ${latinString(text)} Tj ET\n`;
const cells = [
  ['Item', 'Qty', 'Price'],
  ['Widget', '2', '10.00'],
  ['Long gadget', '13', '1,250.00'],
];
const table = cells.flatMap((row, y) => row.map((cell, x) => at(60 + x * 150, 700 - y * 15, cell))).join('');
const squeezed = (text: string) => text.replace(/[ ]+/g, ' ');

it('can read the page that a worker is warmed up with', async () => {
  const pages: PdfPage[] = [];
  for await (const page of workers.read(samplePdf(), work)) pages.push(page);
  expect(pages.map(({ text }) => text)).toEqual(['Invoice 1. Total: 2.50']);
});

describe('a text layer', () => {
  it('keeps the rows of a table on pages turned any way, and tells where they are shown', async () => {
    const writer = new PdfWriter();
    const fonts = { F: writer.standardFont() };
    for (const rotate of [0, 90, 180, 270]) writer.addPage({ content: table, fonts, rotate });
    const pages = await pagesOf(writer);
    expect(pages).toHaveLength(4);
    for (const page of pages) {
      expect(squeezed(page.text)).toBe('Item Qty Price\nWidget 2 10.00\nLong gadget 13 1,250.00');
      expect(page).toMatchObject({ needsOcr: false, isDamaged: false, ocrUsed: false });
    }
    const centres = pages.map(({ lines: [first] }) => {
      const { x0, y0, x1, y1 } = first?.box ?? { x0: 0, y0: 0, x1: 0, y1: 0 };
      return [(x0 + x1) / 2, (y0 + y1) / 2].map((value) => Math.round(value * 10) / 10);
    });
    expect(centres).toEqual([
      [0.4, 0.2],
      [0.8, 0.4],
      [0.6, 0.8],
      [0.2, 0.6],
    ]);
  });

  it('reads what runs along the margin after the rest', async () => {
    const writer = new PdfWriter();
    writer.addPage({
      content: table + at(30, 300, 'Sideways note', '0 1 -1 0'),
      fonts: { F: writer.standardFont() },
    });
    const [page] = await pagesOf(writer);
    expect(squeezed(page?.text ?? '')).toMatch(/1,250\.00\n\nSideways note$/);
  });

  it('holds the values of form fields, also of those that have no look yet', async () => {
    const writer = new PdfWriter();
    const F = writer.standardFont();
    const look = writer.addStream(
      `/Type /XObject /Subtype /Form /BBox [0 0 200 20] /Resources << /Font << /F ${F} 0 R >> >>`,
      'BT /F 12 Tf 2 5 Td (Jane Filled) Tj ET',
    );
    const name = writer.add(
      `<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V (Jane Filled) /Rect [150 695 350 715] /F 4 /AP << /N ${look} 0 R >> >>`,
    );
    const city = writer.add(
      '<< /Type /Annot /Subtype /Widget /FT /Tx /T (city) /V (Springfield) /DA (/F 12 Tf 0 g) /Rect [150 665 350 685] /F 4 >>',
    );
    writer.setRoot(
      `/AcroForm << /Fields [${name} 0 R ${city} 0 R] /NeedAppearances true /DR << /Font << /F ${F} 0 R >> >> /DA (/F 12 Tf 0 g) >>`,
    );
    const content = at(60, 700, 'Name:') + at(60, 670, 'City:');
    writer.addPage({ content, fonts: { F }, annotations: [name, city] });
    const [page] = await pagesOf(writer);
    expect(squeezed(page?.text ?? '').replace(/\n+/g, '\n')).toBe('Name: Jane Filled\nCity: Springfield');
  });

  it('is read in the order of its script', async () => {
    const writer = new PdfWriter();
    const [U, V] = [writer.unicodeFont(), writer.unicodeFont({ vertical: true })];
    const show = (font: string, x: number, y: number, text: string) =>
      `BT /${font} 12 Tf 1 0 0 1 ${x} ${y} Tm ${unicodeString(text)} Tj ET\n`;
    const visual = [...'שלום עולם'].reverse().join('');
    writer.addPage({ content: show('U', 300, 700, visual), fonts: { U } });
    writer.addPage({
      content: show('V', 500, 700, '日本語の縦書き文章') + show('V', 480, 700, '二列目です。'),
      fonts: { V },
    });
    writer.addPage({ content: show('U', 60, 700, 'ﬁnance oﬃce 発票番号'), fonts: { U } });
    const texts = (await pagesOf(writer)).map(({ text }) => text.trim());
    expect(texts).toEqual(['שלום עולם', '日本語の縦書き文章\n二列目です。', 'finance office 発票番号']);
  });

  it('of a page that is damaged is missing, and of the others is not', async () => {
    const writer = new PdfWriter();
    const F = writer.standardFont();
    writer.addPage({ content: at(60, 700, 'before'), fonts: { F } });
    writer.addBrokenPage(9_999);
    writer.addPage({ content: at(60, 700, 'after'), fonts: { F } });
    const pages = await pagesOf(writer);
    expect(pages.map(({ text }) => text)).toEqual(['before', '', 'after']);
    expect(pages[1]?.isDamaged).toBe(true);
  });
});

describe('a file', () => {
  const encrypted = () => {
    const writer = new PdfWriter();
    writer.addPage({ content: '' });
    const junk = `<${'5a'.repeat(32)}>`;
    const entry = writer.add(`<< /Filter /Standard /V 1 /R 2 /O ${junk} /U ${junk} /P -4 >>`);
    writer.setTrailer(
      `/Encrypt ${entry} 0 R /ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>]`,
    );
    return writer.build();
  };

  test.each([
    ['that needs a password', encrypted(), 'password'],
    ['that is no PDF', Buffer.from('hello, this is a letter'), 'damaged'],
    ['that is empty', Buffer.alloc(0), 'damaged'],
    ['that ends in its head', simplePdf().subarray(0, 60), 'damaged'],
    ['that has no pages', new PdfWriter().build(), 'empty'],
  ])('%s is told apart', async (_, bytes, code) => {
    await expect(workers.inspect(bytes, work)).rejects.toMatchObject({
      name: 'UnreadablePdf',
      code,
    });
  });

  it('tells how many pages it has', async () => {
    const writer = new PdfWriter();
    for (let page = 0; page < 120; page += 1) writer.addPage({ content: '' });
    expect(await workers.inspect(writer.build(), work)).toEqual({ pages: 120 });
  });

  it('is drawn as it is shown, at a bounded size', async () => {
    const writer = new PdfWriter();
    writer.addPage({ content: '1 0 0 rg 0 0 100 421 re f', size: [100, 842], rotate: 90 });
    writer.addPage({ content: '', size: [14_000, 14_000] });
    const turned = await workers.draw(writer.build(), 0, work);
    expect(turned).toMatchObject({ width: 2_338, height: 277, channels: 4 });
    expect([...(turned?.data.subarray(0, 3) ?? [])]).toEqual([255, 0, 0]);
    expect([...(turned?.data.subarray(2_337 * 4, 2_337 * 4 + 3) ?? [])]).toEqual([255, 255, 255]);
    const huge = await workers.draw(writer.build(), 1, work);
    expect((huge?.width ?? 0) * (huge?.height ?? 0)).toBeLessThanOrEqual(12_000_000);
  });

  it('is shown to people as a PNG in a size for screens', async () => {
    const writer = new PdfWriter();
    writer.addPage({ content: '1 0 0 rg 0 0 100 421 re f', size: [100, 842], rotate: 90 });
    writer.addPage({ content: '', size: [14_000, 14_000] });
    const shown = await workers.show(writer.build(), 0, work);
    const { width, height, rows } = readPng(Buffer.from(shown?.png ?? []));
    expect([width, height]).toEqual([shown?.width, shown?.height]);
    expect([width, height]).toEqual([1_286, 152]);
    expect([...rows.subarray(1, 4)]).toEqual([255, 0, 0]);
    const huge = await workers.show(writer.build(), 1, work);
    expect((huge?.width ?? 0) * (huge?.height ?? 0)).toBeLessThanOrEqual(2_000_000);
    expect(await workers.show(writer.build(), 7, work)).toBeUndefined();
  });

  it('that never ends, or needs all memory, is refused while others are read', async () => {
    const bad = [nestedForms(), endlessContent()].map(async (bytes, index) => {
      for await (const _ of workers.read(bytes, { stackId: `stack ${index}`, signal }));
    });
    const refused = Promise.all(
      bad.map((each) => expect(each).rejects.toMatchObject({ name: 'UnreadablePdf', code: 'costly' })),
    );
    await refused;
    expect(await workers.inspect(simplePdf(), work)).toEqual({ pages: 1 });
    expect(await workers.inspect(simplePdf(), work)).toEqual({ pages: 1 });
  });

  it('of one stack never has the last worker, which reads for another', async () => {
    const order: string[] = [];
    const held = workers.read(simplePdf(), work);
    await held.next();
    const next = workers.inspect(simplePdf(), work).then(() => order.push('the next of the stack'));
    await workers.inspect(simplePdf(), { stackId: 'bank', signal });
    order.push('another stack');
    await held.return();
    await next;
    expect(order).toEqual(['another stack', 'the next of the stack']);
  });

  it('is abandoned when its signal aborts', async () => {
    const leaving = new AbortController();
    const reading = workers.read(nestedForms(), { stackId: 'shop', signal: leaving.signal }).next();
    leaving.abort(new Error('gone'));
    await expect(reading).rejects.toThrow('gone');
    expect(await workers.inspect(simplePdf(), work)).toEqual({ pages: 1 });
  });
});

/** Each form draws the next one ten times: 10^12 strokes. */
function nestedForms(): Buffer {
  const writer = new PdfWriter();
  let form = writer.addStream('/Type /XObject /Subtype /Form /BBox [0 0 600 900]', '0 0 m 9 9 l S');
  for (let depth = 0; depth < 12; depth += 1) {
    form = writer.addStream(
      `/Type /XObject /Subtype /Form /BBox [0 0 600 900] /Resources << /XObject << /X ${form} 0 R >> >>`,
      '/X Do '.repeat(10),
    );
  }
  writer.addPage({ content: '/X Do', pictures: { X: form } });
  return writer.build();
}

/** A few hundred kilobytes that expand to 112 megabytes. */
function endlessContent(): Buffer {
  const writer = new PdfWriter();
  writer.addPage({ content: '0 0 m 9 9 l S\n'.repeat(8_000_000), fonts: {} });
  return writer.build();
}
