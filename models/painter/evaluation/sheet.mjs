// A sheet for judging by eye, painted at four steps and guidance 1:
// node models/painter/evaluation/sheet.mjs --list quality-prompts.json --output sheet.webp
// With --painter <weights folder>[,<build folder>] twice, the pictures of both stand one under the other.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { paintSheet } from './paint-sheet.mjs';

const { values } = parseArgs({
  options: {
    list: { type: 'string' },
    output: { type: 'string' },
    columns: { type: 'string', default: '8' },
    painter: { type: 'string', multiple: true, default: [] },
  },
});
if (values.list === undefined || values.output === undefined) {
  console.error(
    'usage: sheet.mjs --list <json> --output <picture> [--columns 8] [--painter <weights>[,<build>]]…',
  );
  process.exit(2);
}
const list = existsSync(values.list) ? values.list : fileURLToPath(new URL(values.list, import.meta.url));
const painters = values.painter.map((text) => {
  const [weights, build] = text.split(',');
  return { weights, ...(build && { build }) };
});
const sheet = await paintSheet({
  list,
  columns: Number(values.columns),
  ...(painters.length > 0 && { painters }),
});
await sheet.toFile(values.output);
