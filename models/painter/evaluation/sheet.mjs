// Sheets for judging by eye, painted at four steps and guidance 1.
// node models/painter/evaluation/sheet.mjs --list quality-prompts.json --output sheet.webp
// With --painter=<weights folder>[,<build folder>] twice, the pictures of both stand one under the other.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { contactSheet } from './contact-sheet.mjs';
import { SheetPainter } from './painted-list.mjs';

const inRepository = (path) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const { values } = parseArgs({
  options: {
    list: { type: 'string' },
    output: { type: 'string' },
    columns: { type: 'string', default: '8' },
    painter: { type: 'string', multiple: true, default: [inRepository('models/painter')] },
  },
});
if (values.list === undefined || values.output === undefined) {
  console.error(
    'usage: sheet.mjs --list <json> --output <picture> [--columns 8] [--painter <weights>[,<build>]]…',
  );
  process.exit(2);
}
const beside = fileURLToPath(new URL(values.list, import.meta.url));
const list = existsSync(values.list) ? values.list : beside;

const cells = [];
for (const [place, text] of values.painter.entries()) {
  const [weights, build = inRepository('dist')] = text.split(',');
  const painter = await SheetPainter.load({ weights, build });
  let at = 0;
  for await (const row of painter.rows(list)) {
    for (const { label, picture } of row) {
      if (place === 0) cells.push({ label, pictures: [] });
      cells[at++].pictures.push(picture);
    }
  }
}
const sheet = await contactSheet(cells, Number(values.columns));
await sheet.toFile(values.output);
