import type { PageBox } from '../page-text.ts';

/** A rectangle in page coordinates: y goes up. */
export interface PageArea {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The visible part of a page and its rotation. */
export class PageFrame {
  readonly #area: PageArea;
  readonly #clockwiseTurns: number;

  constructor(area: PageArea, clockwiseTurns: number) {
    this.#area = area;
    this.#clockwiseTurns = clockwiseTurns;
  }

  /** Maps rectangles from page coordinates to the displayed page. */
  boxAround(areas: readonly PageArea[]): PageBox {
    const { left, right, top, bottom } = this.#area;
    const width = Math.max(1e-6, right - left);
    const height = Math.max(1e-6, top - bottom);
    const x0 = Math.min(...areas.map((area) => area.left));
    const x1 = Math.max(...areas.map((area) => area.right));
    const y0 = Math.max(...areas.map((area) => area.top));
    const y1 = Math.min(...areas.map((area) => area.bottom));
    const [ax, ay] = this.#shown((x0 - left) / width, (top - y0) / height);
    const [bx, by] = this.#shown((x1 - left) / width, (top - y1) / height);
    return {
      x0: fraction(Math.min(ax, bx)),
      y0: fraction(Math.min(ay, by)),
      x1: fraction(Math.max(ax, bx)),
      y1: fraction(Math.max(ay, by)),
    };
  }

  #shown(x: number, y: number): readonly [number, number] {
    switch (this.#clockwiseTurns) {
      case 1:
        return [1 - y, x];
      case 2:
        return [1 - x, 1 - y];
      case 3:
        return [y, 1 - x];
      default:
        return [x, y];
    }
  }
}

function fraction(value: number): number {
  return Math.round(Math.min(1, Math.max(0, value)) * 1e5) / 1e5;
}
