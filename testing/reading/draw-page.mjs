import { pageTexts } from './page-texts.mjs';

export const PAGE_WIDTH = 1240;
export const PAGE_HEIGHT = 1754;
const LEFT = 110;
const COLUMNS = [0, 470, 650, 850];

/** A letter with a table at 150 dpi, as SVG, and the expected result: lines in order, and the rows of the table. */
export function drawPage({
  language,
  random,
  font = 'Arimo',
  size = 23,
  proseLines = Number.POSITIVE_INFINITY,
}) {
  const { title, prose, header, goods, currency } = pageTexts[language];
  const number = 10_000 + Math.floor(random() * 89_999);
  const lines = [];
  const items = [];
  let y = 150;
  const write = (cells, { fontSize = size, weight = 400, gap = 1.45 } = {}) => {
    for (const { text, x } of cells) {
      items.push(
        `<text x="${x}" y="${y}" font-family="${font}" font-size="${fontSize}" font-weight="${weight}">${escaped(text)}</text>`,
      );
    }
    lines.push(cells.map(({ text }) => text).join(' '));
    y += fontSize * gap;
  };
  const one = (text, options) => write([{ text, x: LEFT }], options);
  one(title, { fontSize: size * 1.6, weight: 700, gap: 1.8 });
  one(`No. ${number} / 2024-0${1 + Math.floor(random() * 9)}-1${Math.floor(random() * 10)}`, { gap: 2.4 });
  for (const line of wrapped(prose, Math.floor(1_830 / size)).slice(0, proseLines)) one(line);
  y += size * 1.5;
  const rows = [header, ...goods.map((name) => goodsRow(name, currency, random))];
  for (const [index, row] of rows.entries()) {
    write(
      row.map((text, column) => ({ text, x: LEFT + (COLUMNS[column] ?? 0) })),
      { weight: index === 0 ? 700 : 400, gap: 1.75 },
    );
  }
  // A page with little text is cut below it.
  const height = Number.isFinite(proseLines) ? Math.ceil(y + size) : PAGE_HEIGHT;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${PAGE_WIDTH}" height="${height}"><rect width="100%" height="100%" fill="#fff"/><g fill="#1a1a1a">${items.join('')}</g></svg>`;
  return { svg, lines, rows: rows.map((row) => row.join(' ')) };
}

function goodsRow(name, currency, random) {
  const quantity = 1 + Math.floor(random() * 48);
  const cents = 199 + Math.floor(random() * 29_900);
  const amount = (value) => `${(value / 100).toFixed(2)}`;
  return [name, String(quantity), amount(cents), `${amount(cents * quantity)} ${currency}`];
}

function wrapped(text, width) {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line.length + word.length + 1 > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}

const escaped = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
