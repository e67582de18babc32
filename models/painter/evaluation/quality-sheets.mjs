// Paints the sheets that docs/painter.md shows: node models/painter/evaluation/quality-sheets.mjs [<folder>]
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { paintSheet } from './paint-sheet.mjs';

const [folder = fileURLToPath(new URL('../../../docs/images', import.meta.url))] = process.argv.slice(2);
const sheets = [
  { list: 'quality-prompts.json', columns: 8, output: 'painter-prompts.webp' },
  { list: 'quality-edits.json', columns: 7, output: 'painter-edits.webp' },
  { list: 'known-failures.json', columns: 8, output: 'painter-failures.webp' },
];
for (const { list, columns, output } of sheets) {
  const sheet = await paintSheet({ list: fileURLToPath(new URL(list, import.meta.url)), columns });
  await sheet.webp({ quality: 82, effort: 6 }).toFile(join(folder, output));
  console.log(output);
}
