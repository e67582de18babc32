import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium';

export interface RasterPage {
  readonly width: number;
  readonly height: number;
  /** RGBA. */
  readonly pixels: Uint8Array;
}

const POINTS_PER_INCH = 72;
const WHITE = 0xffffffff;
const FPDF_ANNOT = 1;
const FPDF_REVERSE_BYTE_ORDER = 16;

/** Reads PDFs like a viewer. */
export class PdfReader {
  readonly #pdfium: WrappedPdfiumModule;

  private constructor(pdfium: WrappedPdfiumModule) {
    this.#pdfium = pdfium;
  }

  static async open(): Promise<PdfReader> {
    const path = createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm');
    const wasm = await readFile(path);
    const pdfium = await init({ wasmBinary: new Uint8Array(wasm).buffer });
    pdfium.PDFiumExt_Init();
    return new PdfReader(pdfium);
  }

  /** Pages from 0, at a resolution. */
  rasterise(
    pdf: Uint8Array,
    { pages, dpi }: { pages: readonly number[]; dpi: number },
  ): readonly RasterPage[] {
    return this.#within(pdf, (document) => pages.map((page) => this.#rasterisePage(document, page, dpi)));
  }

  pageCount(pdf: Uint8Array): number {
    return this.#within(pdf, (document) => this.#pdfium.FPDF_GetPageCount(document));
  }

  /** The size of a page in points. */
  pageSize(pdf: Uint8Array, page: number): readonly [width: number, height: number] {
    return this.#within(pdf, (document) => {
      const handle = this.#pdfium.FPDF_LoadPage(document, page);
      const size = [
        this.#pdfium.FPDF_GetPageWidthF(handle),
        this.#pdfium.FPDF_GetPageHeightF(handle),
      ] as const;
      this.#pdfium.FPDF_ClosePage(handle);
      return size;
    });
  }

  /** The text of a page, in the order of the PDF. */
  text(pdf: Uint8Array, page: number): string {
    const { pdfium } = this.#pdfium;
    return this.#within(pdf, (document) => {
      const handle = this.#pdfium.FPDF_LoadPage(document, page);
      const text = this.#pdfium.FPDFText_LoadPage(handle);
      const count = this.#pdfium.FPDFText_CountChars(text);
      const buffer = pdfium.wasmExports.malloc((count + 1) * 2);
      this.#pdfium.FPDFText_GetText(text, 0, count, buffer);
      const found = pdfium.UTF16ToString(buffer);
      pdfium.wasmExports.free(buffer);
      this.#pdfium.FPDFText_ClosePage(text);
      this.#pdfium.FPDF_ClosePage(handle);
      return found;
    });
  }

  /** One entry of the metadata, such as `Title`. */
  metadata(pdf: Uint8Array, name: string): string {
    const { pdfium } = this.#pdfium;
    return this.#within(pdf, (document) => {
      const length = this.#pdfium.FPDF_GetMetaText(document, name, 0, 0);
      const buffer = pdfium.wasmExports.malloc(length);
      this.#pdfium.FPDF_GetMetaText(document, name, buffer, length);
      const found = pdfium.UTF16ToString(buffer);
      pdfium.wasmExports.free(buffer);
      return found;
    });
  }

  #rasterisePage(document: number, page: number, dpi: number): RasterPage {
    const pdfium = this.#pdfium;
    const handle = pdfium.FPDF_LoadPage(document, page);
    if (handle === 0) throw new Error(`the PDF has no page ${page}`);
    const width = Math.round((pdfium.FPDF_GetPageWidthF(handle) / POINTS_PER_INCH) * dpi);
    const height = Math.round((pdfium.FPDF_GetPageHeightF(handle) / POINTS_PER_INCH) * dpi);
    const bitmap = pdfium.FPDFBitmap_Create(width, height, 1);
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
    pdfium.FPDF_RenderPageBitmap(
      bitmap,
      handle,
      0,
      0,
      width,
      height,
      0,
      FPDF_ANNOT | FPDF_REVERSE_BYTE_ORDER,
    );
    const start = pdfium.FPDFBitmap_GetBuffer(bitmap);
    const pixels = heap(pdfium).slice(start, start + width * height * 4);
    pdfium.FPDFBitmap_Destroy(bitmap);
    pdfium.FPDF_ClosePage(handle);
    return { width, height, pixels };
  }

  #within<Result>(pdf: Uint8Array, read: (document: number) => Result): Result {
    const { pdfium } = this.#pdfium;
    const start = pdfium.wasmExports.malloc(pdf.length);
    heap(this.#pdfium).set(pdf, start);
    const document = this.#pdfium.FPDF_LoadMemDocument(start, pdf.length, '');
    if (document === 0) throw new Error('this is no PDF');
    try {
      return read(document);
    } finally {
      this.#pdfium.FPDF_CloseDocument(document);
      pdfium.wasmExports.free(start);
    }
  }
}

/** The module's memory, missing in its types; replaced when it grows. */
function heap({ pdfium }: WrappedPdfiumModule): Uint8Array {
  const memory: unknown = Reflect.get(pdfium, 'HEAPU8');
  if (memory instanceof Uint8Array) return memory;
  throw new Error('the PDF reader shows no memory');
}
