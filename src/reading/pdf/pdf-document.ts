import { joinLaidOut, layOut } from '../layout/lay-out.ts';
import type { Raster } from '../ocr-engine.ts';
import type { PageText } from '../page-text.ts';
import { joinGlyphs } from './join-glyphs.ts';
import { needsOcr } from './needs-ocr.ts';
import { type PageArea, PageFrame } from './page-frame.ts';
import type { Pdfium } from './pdfium.ts';
import { readDrawing } from './read-drawing.ts';
import { readTextLayer } from './read-text-layer.ts';
import { UnreadablePdf } from './unreadable-pdf.ts';

/** A page's text layer, and whether it needs OCR instead. */
export interface PdfPage extends PageText {
  readonly needsOcr: boolean;
}

const PASSWORD_NEEDED = 4;
const UNKNOWN_SECURITY = 5;
const DRAW_ANNOTATIONS = 0x01;
const RED_FIRST = 0x10;
const FLATTENED = 1;
const POINTS_PER_INCH = 72;
/** Enough for the small print of a contract. */
const OCR_DPI = 200;
/** Bounds the cost of huge pages. */
const MAX_OCR_PIXELS = 12_000_000;
/** Enough to read a page on a screen. */
const SCREEN_DPI = 110;
const MAX_SCREEN_PIXELS = 2_000_000;

interface Fineness {
  readonly dpi: number;
  readonly maxPixels: number;
}

export class PdfDocument {
  readonly #pdfium: Pdfium;
  readonly #document: number;
  readonly #copy: number;

  private constructor(pdfium: Pdfium, opened: { document: number; copy: number }) {
    this.#pdfium = pdfium;
    this.#document = opened.document;
    this.#copy = opened.copy;
  }

  static open(pdfium: Pdfium, bytes: Uint8Array): PdfDocument {
    const copy = pdfium.copyIn(bytes);
    const document = pdfium.api.FPDF_LoadMemDocument(copy, bytes.length, '');
    if (document !== 0) return new PdfDocument(pdfium, { document, copy });
    const error = pdfium.api.FPDF_GetLastError();
    pdfium.release(copy);
    if (error === PASSWORD_NEEDED) throw new UnreadablePdf('password');
    throw new UnreadablePdf(error === UNKNOWN_SECURITY ? 'encryption' : 'damaged');
  }

  get pageCount(): number {
    return this.#pdfium.api.FPDF_GetPageCount(this.#document);
  }

  close(): void {
    this.#pdfium.api.FPDF_CloseDocument(this.#document);
    this.#pdfium.release(this.#copy);
  }

  /** Reads the text layer; a page that cannot be opened is marked damaged. */
  readPage(index: number): PdfPage {
    const read = this.#withPage(index, (page) => this.#readOpen(page));
    return read ?? { text: '', lines: [], ocrUsed: false, isDamaged: true, needsOcr: false };
  }

  /** Renders a page; undefined if it cannot be opened. */
  drawPage(index: number): Raster | undefined {
    return this.#withPage(index, (page) => this.#drawOpen(page, { dpi: OCR_DPI, maxPixels: MAX_OCR_PIXELS }));
  }

  /** Renders a page for people, in a size for screens; undefined if it cannot be opened. */
  showPage(index: number): Raster | undefined {
    const fineness = { dpi: SCREEN_DPI, maxPixels: MAX_SCREEN_PIXELS };
    return this.#withPage(index, (page) => this.#drawOpen(page, fineness));
  }

  #readOpen(page: number): PdfPage {
    const { api } = this.#pdfium;
    const rotation = api.FPDFPage_GetRotation(page);
    // PDFium returns the letters of a page rotated by 180 degrees backwards.
    api.FPDFPage_SetRotation(page, 0);
    const area = this.#areaOf(page);
    const layer = readTextLayer(this.#pdfium, page);
    const drawing = readDrawing(this.#pdfium, page, area);
    const flows = [...joinGlyphs(layer.glyphs, new PageFrame(area, rotation)).values()];
    const words = flows.flat().map(({ text }) => text);
    const parts = flows.sort((a, b) => b.length - a.length).map(layOut);
    return {
      ...joinLaidOut(parts),
      ocrUsed: false,
      isDamaged: false,
      needsOcr: needsOcr({ words, ...layer, ...drawing }),
    };
  }

  #drawOpen(page: number, { dpi, maxPixels }: Fineness): Raster {
    const { api } = this.#pdfium;
    const width = api.FPDF_GetPageWidthF(page);
    const height = api.FPDF_GetPageHeightF(page);
    const scale = Math.min(dpi / POINTS_PER_INCH, Math.sqrt(maxPixels / (width * height)));
    if (!(scale > 0)) throw new UnreadablePdf('damaged');
    return this.#draw(page, {
      width: Math.max(1, Math.floor(width * scale)),
      height: Math.max(1, Math.floor(height * scale)),
    });
  }

  #draw(page: number, { width, height }: { width: number; height: number }): Raster {
    const { api } = this.#pdfium;
    const bitmap = api.FPDFBitmap_Create(width, height, 0);
    if (bitmap === 0) throw new UnreadablePdf('costly');
    api.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xffffffff);
    api.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, DRAW_ANNOTATIONS | RED_FIRST);
    const pixels = this.#pdfium.bytesAt(api.FPDFBitmap_GetBuffer(bitmap), width * height * 4);
    const data = new Uint8Array(pixels);
    api.FPDFBitmap_Destroy(bitmap);
    return { data, width, height, channels: 4 };
  }

  #withPage<Result>(index: number, use: (page: number) => Result): Result | undefined {
    const { api } = this.#pdfium;
    let page = api.FPDF_LoadPage(this.#document, index);
    if (page !== 0 && api.FPDFPage_GetAnnotCount(page) > 0) page = this.#flattened(page, index);
    if (page === 0) return undefined;
    try {
      return use(page);
    } finally {
      api.FPDF_ClosePage(page);
    }
  }

  /** Form values are annotations; flattening turns them into text. */
  #flattened(page: number, index: number): number {
    const { api } = this.#pdfium;
    // Drawing generates missing appearances, which flattening needs.
    this.#draw(page, { width: 1, height: 1 });
    if (api.FPDFPage_Flatten(page, 0) !== FLATTENED) return page;
    api.FPDF_ClosePage(page);
    return api.FPDF_LoadPage(this.#document, index);
  }

  #areaOf(page: number): PageArea {
    const { api, scratch } = this.#pdfium;
    if (api.FPDF_GetPageBoundingBox(page, scratch)) {
      const [left = 0, top = 0, right = 0, bottom = 0] = this.#pdfium.floats(4);
      return { left, right, top: Math.max(top, bottom), bottom: Math.min(top, bottom) };
    }
    return { left: 0, bottom: 0, right: api.FPDF_GetPageWidthF(page), top: api.FPDF_GetPageHeightF(page) };
  }
}
