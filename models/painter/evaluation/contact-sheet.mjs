import sharp from 'sharp';

const CELL = 176;
const LABEL = 32;
const LINE_CHARACTERS = 29;

/** Lays labelled pictures out in rows; a cell may hold several pictures, one under the other. */
export async function contactSheet(cells, columns) {
  const made = await Promise.all(cells.map(makeCell));
  const width = CELL + 2;
  const height = Math.max(...made.map((cell) => cell.height));
  const rows = Math.ceil(cells.length / columns);
  const sheet = sharp({
    create: { width: width * columns, height: height * rows, channels: 3, background: '#fff' },
  });
  return sheet.composite(
    made.map(({ input }, at) => ({
      input,
      left: (at % columns) * width,
      top: Math.floor(at / columns) * height,
    })),
  );
}

async function makeCell({ label, pictures }) {
  const height = pictures.length * CELL + LABEL + 2;
  const small = await Promise.all(
    pictures.map((picture) => picture.clone().resize(CELL, CELL).png().toBuffer()),
  );
  const input = await sharp({ create: { width: CELL + 2, height, channels: 3, background: '#888' } })
    .composite([
      ...small.map((picture, at) => ({ input: picture, left: 1, top: 1 + at * CELL })),
      { input: caption(label), left: 1, top: pictures.length * CELL + 1 },
    ])
    .png()
    .toBuffer();
  return { input, height };
}

function caption(label) {
  const lines = [''];
  for (const word of label.replaceAll('&', 'and').split(' ')) {
    if (`${lines.at(-1)}${word}`.length > LINE_CHARACTERS) lines.push('');
    lines[lines.length - 1] += `${word} `;
  }
  const texts = lines.map(
    (line, at) => `<text x="3" y="${12 + at * 13}" font-family="sans-serif" font-size="11">${line}</text>`,
  );
  return Buffer.from(
    `<svg width="${CELL}" height="${LABEL}"><rect width="100%" height="100%" fill="#eee"/>${texts.join('')}</svg>`,
  );
}
