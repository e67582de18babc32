import type { PageArea } from './page-frame.ts';
import type { Pdfium } from './pdfium.ts';

/** Non-text content of a page. */
export interface Drawing {
  readonly pictureCover: number;
  readonly outlines: number;
}

type Matrix = readonly [number, number, number, number, number, number];

const OUTLINE = 2;
const PICTURE = 3;
const FORM = 5;
const MAX_OBJECTS = 20_000;
const MAX_DEPTH = 4;
const GRID = 64;
const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** Measures the area covered by pictures (a scan may be cut into strips), and counts shapes. */
export function readDrawing(pdfium: Pdfium, page: number, area: PageArea): Drawing {
  const survey = new Survey(pdfium, area);
  const count = pdfium.api.FPDFPage_CountObjects(page);
  survey.visit(count, (index) => pdfium.api.FPDFPage_GetObject(page, index), { matrix: IDENTITY, depth: 0 });
  return survey.drawing();
}

class Survey {
  readonly #pdfium: Pdfium;
  readonly #area: PageArea;
  readonly #covered = new Uint8Array(GRID * GRID);
  #outlines = 0;
  #seen = 0;

  constructor(pdfium: Pdfium, area: PageArea) {
    this.#pdfium = pdfium;
    this.#area = area;
  }

  drawing(): Drawing {
    const cells = this.#covered.reduce((total, cell) => total + cell, 0);
    return { pictureCover: cells / this.#covered.length, outlines: this.#outlines };
  }

  visit(count: number, objectAt: (index: number) => number, scope: { matrix: Matrix; depth: number }): void {
    const { api } = this.#pdfium;
    for (let index = 0; index < count && this.#seen < MAX_OBJECTS; index += 1) {
      this.#seen += 1;
      const object = objectAt(index);
      const type = api.FPDFPageObj_GetType(object);
      if (type === OUTLINE) this.#outlines += 1;
      if (type === PICTURE) this.#cover(object, scope.matrix);
      if (type === FORM && scope.depth < MAX_DEPTH) this.#visitForm(object, scope);
    }
  }

  #visitForm(form: number, { matrix, depth }: { matrix: Matrix; depth: number }): void {
    const { api, scratch } = this.#pdfium;
    api.FPDFPageObj_GetMatrix(form, scratch);
    const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = this.#pdfium.floats(6);
    const inner = combined([a, b, c, d, e, f], matrix);
    const objectAt = (index: number) => api.FPDFFormObj_GetObject(form, index);
    this.visit(api.FPDFFormObj_CountObjects(form), objectAt, { matrix: inner, depth: depth + 1 });
  }

  #cover(picture: number, matrix: Matrix): void {
    const { api, scratch } = this.#pdfium;
    if (!api.FPDFPageObj_GetBounds(picture, scratch, scratch + 4, scratch + 8, scratch + 12)) return;
    const [left = 0, bottom = 0, right = 0, top = 0] = this.#pdfium.floats(4);
    const corners = [applied(matrix, left, bottom), applied(matrix, right, top)] as const;
    const [columnA, columnB] = corners.map(([x]) => x).sort((a, b) => a - b);
    const [rowA, rowB] = corners.map(([, y]) => y).sort((a, b) => a - b);
    const across = cellsBetween(columnA ?? 0, columnB ?? 0, this.#area.left, this.#area.right);
    const up = cellsBetween(rowA ?? 0, rowB ?? 0, this.#area.bottom, this.#area.top);
    for (let row = up.from; row < up.to; row += 1) {
      this.#covered.fill(1, row * GRID + across.from, row * GRID + Math.max(across.from, across.to));
    }
  }
}

/** Grid cells whose centre lies between two coordinates. */
function cellsBetween(low: number, high: number, start: number, end: number): { from: number; to: number } {
  const cell = (value: number) => {
    const position = Math.round(((value - start) / Math.max(1e-6, end - start)) * GRID);
    return Math.min(GRID, Math.max(0, Number.isFinite(position) ? position : 0));
  };
  return { from: cell(low), to: cell(high) };
}

function applied([a, b, c, d, e, f]: Matrix, x: number, y: number): readonly [number, number] {
  return [a * x + c * y + e, b * x + d * y + f];
}

function combined(inner: Matrix, outer: Matrix): Matrix {
  const [a, b, c, d, e, f] = inner;
  const [A, B, C, D, E, F] = outer;
  return [a * A + b * C, a * B + b * D, c * A + d * C, c * B + d * D, e * A + f * C + E, e * B + f * D + F];
}
