import { afterAll, beforeAll, expect, it } from 'vitest';
import { certificate, invoice, multilingual, report } from '../../../../testing/pdf/golden-documents.mjs';
import { checkGolden, GOLDEN_DPI, goldenDifference } from '../../../../testing/pdf/golden-picture.ts';
import { PdfReader, type RasterPage } from '../../../../testing/pdf/pdf-reader.ts';
import { TestEngine } from '../../../../testing/pdf/test-engine.ts';

let chromium: TestEngine;
let reader: PdfReader;

beforeAll(async () => {
  chromium = new TestEngine();
  reader = await PdfReader.open();
});
afterAll(() => chromium.close());

async function pagesOf(html: string, pages: readonly number[]): Promise<readonly RasterPage[]> {
  const printed = await chromium.print(html);
  return reader.rasterise(printed.bytes, { pages, dpi: GOLDEN_DPI });
}

it.each([
  ['invoice', invoice()],
  ['certificate', certificate()],
  ['multilingual', multilingual()],
])('the %s looks as it did', async (name, html) => {
  const [page] = await pagesOf(html, [0]);
  expect(page && (await checkGolden(name, page))).toBeUndefined();
});

it('the report of 60 pages looks as it did', async () => {
  const chosen = [0, 5, 55];
  const pages = await pagesOf(report(), chosen);
  const differences = await Promise.all(
    pages.map((page, index) => checkGolden(`report-${(chosen[index] ?? 0) + 1}`, page)),
  );
  expect(differences).toEqual([undefined, undefined, undefined]);
});

it('the report counts its pages in the margin, and repeats the head of its table', async () => {
  const { bytes, pages } = await chromium.print(report());
  expect(pages).toBe(60);
  for (const page of [1, 30, 59]) expect(reader.text(bytes, page)).toContain(`Page ${page + 1} of 60`);
  // The reader breaks lines far down a long table, where coordinates are large.
  const unbroken = (page: number) => reader.text(bytes, page).replaceAll(/\s/g, '');
  for (const page of [50, 55, 59]) expect(unbroken(page)).toContain('No.PositionValue');
  expect(reader.text(bytes, 0)).not.toContain('Page 1');
});

it('every script has its letters, from the fonts that come with the gateway', async () => {
  const { bytes } = await chromium.print(multilingual());
  const names = [...bytes.toString('latin1').matchAll(/\/FontName \/[A-Z]+\+([\w-]+)/g)].map(
    ([, name]) => name,
  );
  for (const font of [
    'Arimo-Regular',
    'Tinos-Regular',
    'Cousine-Regular',
    'NotoSansHans-Regular',
    'NotoSansJP-Regular',
    'NotoSansKR-Regular',
    'NotoNaskhArabic',
    'NotoColorEmoji',
  ]) {
    expect(
      names.some((name) => name?.startsWith(font)),
      `${font} in ${names}`,
    ).toBe(true);
  }
  const text = reader.text(bytes, 0);
  for (const word of [
    'Zwölf',
    'gęślą',
    'Việt',
    'ψυχοφθόρα',
    'французских',
    '天地',
    'いろは',
    '고유조건',
    'Ωμέγα',
  ]) {
    expect(text).toContain(word);
  }
});

it('a changed page is noticed', async () => {
  const [page] = await pagesOf(invoice().replace('Migration of the old shop', ''), [0]);
  expect(page && (await goldenDifference('invoice', page))).toContain('differ');
});
