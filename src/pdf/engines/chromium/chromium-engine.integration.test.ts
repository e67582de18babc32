import { getPriority } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HeldClock as MonotonicClock } from '../../../../testing/bad-child/clocks.ts';
import { HeldClock } from '../../../../testing/held-clock.ts';
import { PdfReader } from '../../../../testing/pdf/pdf-reader.ts';
import { TestEngine } from '../../../../testing/pdf/test-engine.ts';
import { processTree } from './process-tree.ts';

const POINTS_PER_MM = 72 / 25.4;
const pagesOf = (count: number) => `<p style="break-after: page">page`.repeat(count - 1).concat('<p>last');

const clock = new HeldClock(Date.UTC(2026, 10, 16, 8, 30, 5));
let reader: PdfReader;
let chromium: TestEngine;

beforeAll(async () => {
  reader = await PdfReader.open();
  chromium = new TestEngine({ wallClock: clock });
  await chromium.engine.lifecycle.ready(AbortSignal.timeout(60_000));
});
afterAll(() => chromium.close());

it.runIf(process.platform === 'linux')(
  'the processes that pages are made from stand back behind this one',
  () => {
    const ids = chromium.engine.processIds.flatMap((id) => processTree(id).map((each) => each.id));
    // As root, Chromium raises the priority of renderer threads; its zygote processes keep theirs.
    expect(ids.map((id) => getPriority(id))).toContain(Math.min(19, getPriority() + 5));
  },
);

describe('documents that stand back', () => {
  const heldClock = new MonotonicClock();
  let engine: TestEngine;
  const printLow = () => engine.print(pagesOf(2), { standsBack: true });

  beforeAll(() => {
    engine = new TestEngine({ clock: heldClock });
  });
  afterAll(() => engine.close());

  it('are printed at once in the browser of others, until they have one of their own, which stands back further', async () => {
    expect((await printLow()).pages).toBe(2);
    const { browserId } = engine;
    expect((await printLow()).pages).toBe(2);
    await expect.poll(() => engine.engine.processIds.length, { timeout: 30_000 }).toBe(2);
    await expect.poll(() => engine.observer.told.filter((line) => line.startsWith('browser')).length).toBe(2);
    expect((await printLow()).pages).toBe(2);
    const [first, low] = engine.engine.processIds;
    expect(first).toBe(browserId);
    if (process.platform !== 'linux') return;
    const niceness = processTree(low ?? Number.NaN).map(({ id }) => getPriority(id));
    expect(niceness).toContain(Math.min(19, getPriority() + 10));
    expect(niceness).not.toContain(Math.min(19, getPriority() + 5));
  });

  it('give their browser back after a while, and not that of others', async () => {
    const [first] = engine.engine.processIds;
    // The documents are cleaned up; only this time is left.
    await expect.poll(() => heldClock.pending).toBe(1);
    heldClock.pass(30_000);
    await expect.poll(() => engine.engine.processIds).toEqual([first]);
    expect(engine.observer.told.at(-1)).toBe('browser idle');
    expect((await printLow()).pages).toBe(2);
  });

  it('give it back even if none was printed in it', async () => {
    const [first] = engine.engine.processIds;
    await expect.poll(() => engine.engine.processIds.length, { timeout: 30_000 }).toBe(2);
    await expect.poll(() => heldClock.pending).toBe(1);
    heldClock.pass(30_000);
    await expect.poll(() => engine.engine.processIds).toEqual([first]);
  });
});

describe('a printed document', () => {
  it('is A4 with margins of 15 mm and backgrounds', async () => {
    const html = '<style>html, body { margin: 0; height: 100%; background: rgb(0, 128, 0) }</style>';
    const { bytes, pages } = await chromium.print(`<!doctype html>${html}`);
    expect(pages).toBe(1);
    const [width, height] = reader.pageSize(bytes, 0);
    expect(Math.abs(width - 210 * POINTS_PER_MM)).toBeLessThan(1);
    expect(Math.abs(height - 297 * POINTS_PER_MM)).toBeLessThan(1);
    const boxed = await chromium.print(
      '<!doctype html><style>body { margin: 0 } div { height: 20mm; background: rgb(200, 0, 0) }</style><div>',
    );
    const [page] = reader.rasterise(boxed.bytes, { pages: [0], dpi: 25.4 });
    // One pixel is one millimetre.
    expectNear(redSpan(page), { left: 15, top: 15, right: 195, bottom: 35 });
  });

  it('has the size and margins that @page says', async () => {
    const { bytes } = await chromium.print(
      '<!doctype html><style>@page { size: 100mm 60mm; margin: 10mm 20mm } body { margin: 0 } div { height: 10mm; background: rgb(200, 0, 0) }</style><div>',
    );
    const [width, height] = reader.pageSize(bytes, 0);
    expect([width / POINTS_PER_MM, height / POINTS_PER_MM].map(Math.round)).toEqual([100, 60]);
    const [page] = reader.rasterise(bytes, { pages: [0], dpi: 25.4 });
    expectNear(redSpan(page), { left: 20, top: 10, right: 80, bottom: 20 });
  });

  it('has as many pages as allowed, and not one more', async () => {
    expect((await chromium.print(pagesOf(20), { maxPages: 20 })).pages).toBe(20);
    const over = chromium.print(pagesOf(21), { maxPages: 20 });
    await expect(over).rejects.toMatchObject({ code: 'pdf-too-long', status: 413 });
    await expect(over).rejects.toThrow('more than 20 pages');
    await expect(chromium.print(pagesOf(2_000), { maxPages: 75 })).rejects.toMatchObject({
      status: 413,
      // Only one page too many is printed of a document of thousands.
      cause: { message: '76 pages were printed, 75 are allowed' },
    });
    expect((await chromium.print('<p>one', { maxPages: 1 })).pages).toBe(1);
  });

  it('carries its title, who made it and when', async () => {
    const { bytes } = await chromium.print('<title>Rechnung № 7 – «Zoë» (1)</title><p>x');
    expect(reader.metadata(bytes, 'Title')).toBe('Rechnung № 7 – «Zoë» (1)');
    expect(reader.metadata(bytes, 'Producer')).toBe('Stackgate');
    expect(reader.metadata(bytes, 'Creator')).toBe('');
    expect(reader.metadata(bytes, 'CreationDate')).toBe("D:20261116083005+00'00'");
    expect(reader.metadata(bytes, 'ModDate')).toBe("D:20261116083005+00'00'");
    const untitled = await chromium.print('<p>x');
    expect(reader.metadata(untitled.bytes, 'Title')).toBe('');
  });

  it.each(
    [
      'endobj',
      ') endobj /Count 1 /Producer (Evil',
      '/Title (x) /Pages 1 0 R\\',
      '((((',
      'x'.repeat(100_000),
      '\u0000 <b>&amp;',
    ].map((title) => [title.slice(0, 20), title] as const),
  )('is not confused by a title such as %j', async (_start, title) => {
    const { bytes, pages } = await chromium.print(
      `<!doctype html><html lang="/Pages 1 0 R (" ><title>${title}</title>${pagesOf(3)}`,
    );
    expect([pages, reader.pageCount(bytes)]).toEqual([3, 3]);
    expect(reader.metadata(bytes, 'Producer')).toBe('Stackgate');
    expect(reader.metadata(bytes, 'Title')).toContain(title.slice(0, 4).replace('\u0000', '\ufffd'));
  });

  it('is the same, byte for byte, at the same time, and differs in its dates only at another', async () => {
    const html = `<title>Same</title><style>@page { @bottom-center { content: counter(page) } }</style>${'<p>Text Ωλ 😀 漢字 <b>bold</b>'.repeat(60)}`;
    const first = await chromium.print(html);
    expect((await chromium.print(html)).bytes.equals(first.bytes)).toBe(true);
    await using other = new AsyncDisposableEngine({ wallClock: clock });
    expect((await other.chromium.print(html)).bytes.equals(first.bytes)).toBe(true);
    clock.advance(86_400_000);
    const later = await chromium.print(html);
    clock.advance(-86_400_000);
    const undated = (bytes: Buffer) => bytes.toString('latin1').replaceAll(/D:\d{14}/g, '');
    expect(later.bytes.equals(first.bytes)).toBe(false);
    expect(undated(later.bytes)).toBe(undated(first.bytes));
  });

  it('keeps web, mail and inner links, and no others', async () => {
    const links = [
      'https://a.test/x',
      'mailto:a@b.test',
      '#x',
      'javascript:alert(1)',
      'file:///etc/passwd',
      'page.html',
    ];
    const { bytes } = await chromium.print(
      `<svg><a href="javascript:1"><text y=20>s</text></a></svg><p id=x>${links.map((link) => `<a href="${link}">link</a> `).join('')}`,
    );
    const found = [...bytes.toString('latin1').matchAll(/\/URI \((.*?)\)/g)].map(([, uri]) => uri);
    expect(found).toEqual(['https://a.test/x', 'mailto:a@b.test']);
  });

  it('runs no script', async () => {
    const { bytes } = await chromium.print(
      '<p id=p>before</p><script>document.getElementById("p").textContent = "after"</script><img src=x onerror="document.body.textContent=\'after\'"><noscript>none</noscript><svg onload="document.body.textContent=1"></svg>',
    );
    expect(reader.text(bytes, 0)).toMatch(/before[\s\S]*none/);
  });

  it('may be broken, empty or strange HTML', async () => {
    for (const html of [
      '<',
      '\ufeff<p>bom',
      '<p>\ud800',
      '</html>',
      '<!--',
      '<frameset><frame src=x></frameset>',
      'text',
    ]) {
      expect((await chromium.print(html)).pages).toBe(1);
    }
  });
});

describe('many documents at once', () => {
  it('do not see each other', async () => {
    const printed = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        chromium.print(`<title>No. ${index}</title><p>document ${index}`),
      ),
    );
    printed.forEach(({ bytes }, index) => {
      expect(reader.text(bytes, 0)).toContain(`document ${index}`);
      expect(reader.metadata(bytes, 'Title')).toBe(`No. ${index}`);
    });
  });
});

it('tells what it did', () => {
  expect(chromium.observer.told).toEqual(
    expect.arrayContaining([
      'document printed',
      'document too-many-pages',
      'step layout',
      'step print',
      'pages 20',
    ]),
  );
  expect(chromium.log).toContain('"message":"pdf browser started"');
  expect(chromium.engine.lifecycle.state).toBe('ready');
});

class AsyncDisposableEngine implements AsyncDisposable {
  readonly chromium: TestEngine;

  constructor(options: ConstructorParameters<typeof TestEngine>[0]) {
    this.chromium = new TestEngine(options);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.chromium.close();
  }
}

/** A pixel at the edge may be half covered. */
function expectNear(span: Readonly<Record<string, number>>, wanted: Readonly<Record<string, number>>): void {
  for (const [side, value] of Object.entries(wanted)) {
    expect(Math.abs((span[side] ?? Number.NaN) - value), side).toBeLessThanOrEqual(1);
  }
}

/** The bounding box of red pixels. */
function redSpan(page: { width: number; height: number; pixels: Uint8Array } | undefined) {
  if (page === undefined) throw new Error('no page');
  const red: { x: number; y: number }[] = [];
  for (let at = 0; at < page.pixels.length; at += 4) {
    const [r = 0, g = 0] = page.pixels.subarray(at, at + 2);
    if (r > 150 && g < 100) red.push({ x: (at / 4) % page.width, y: Math.floor(at / 4 / page.width) });
  }
  const xs = red.map(({ x }) => x);
  const ys = red.map(({ y }) => y);
  return {
    left: Math.min(...xs),
    top: Math.min(...ys),
    right: Math.max(...xs) + 1,
    bottom: Math.max(...ys) + 1,
  };
}
