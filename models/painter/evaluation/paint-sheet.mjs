import { fileURLToPath } from 'node:url';
import { contactSheet } from './contact-sheet.mjs';
import { SheetPainter } from './painted-list.mjs';

const inRepository = (path) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const shipped = { weights: inRepository('models/painter'), build: inRepository('dist') };

/** Paints a list and lays it out; the pictures of several painters stand one under the other. */
export async function paintSheet({ list, columns, painters = [shipped] }) {
  const cells = [];
  for (const [place, parts] of painters.entries()) {
    const painter = await SheetPainter.load({ ...shipped, ...parts });
    let at = 0;
    for await (const row of painter.rows(list)) {
      for (const { label, picture } of row) {
        if (place === 0) cells.push({ label, pictures: [] });
        cells[at++].pictures.push(picture);
      }
    }
  }
  return await contactSheet(cells, columns);
}
