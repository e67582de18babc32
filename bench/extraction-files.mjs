// A document's text as files: a PDF with a text layer, a picture, and a PDF that contains only the picture.
const [FONT_SIZE, LINE_HEIGHT, MARGIN] = [10, 13, 50];
/** Width of a monospaced letter relative to its size. */
const ADVANCE = 0.6;
const DOTS_PER_POINT = 150 / 72;
const LAST_LATIN_1 = 0xff;
/** In one block of a character map. */
const MOST_ENTRIES = 100;
const WIN_ANSI = new Map([
  ['€', 0x80],
  ['–', 0x96],
  ['—', 0x97],
  ['’', 0x92],
]);

function pageSize(lines) {
  const longest = Math.max(...lines.map(({ length }) => length));
  return {
    width: Math.max(595, Math.ceil(2 * MARGIN + longest * FONT_SIZE * ADVANCE)),
    height: Math.max(842, 2 * MARGIN + lines.length * LINE_HEIGHT),
  };
}

/** A PDF with the text in it. */
export function textPdf(text) {
  const lines = text.split('\n');
  const { width, height } = pageSize(lines);
  const codes = codesOf(text);
  const content = lines.map(
    (line, row) =>
      `BT /F ${FONT_SIZE} Tf 1 0 0 1 ${MARGIN} ${height - MARGIN - row * LINE_HEIGHT} Tm <${encoded(line, codes)}> Tj ET`,
  );
  const font =
    '<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding /ToUnicode 6 0 R >>';
  return pdf({ width, height, resources: '/Font << /F 5 0 R >>', content: content.join('\n') }, [
    Buffer.from(font),
    unicodeMap(codes),
  ]);
}

/** The same page as a picture at 150 dpi, as a scanner would make it. */
export async function picture(text) {
  const { default: sharp } = await import('sharp');
  const lines = text.split('\n');
  const { width, height } = pageSize(lines);
  const rows = lines.map(
    (line, row) =>
      `<text xml:space="preserve" x="${MARGIN}" y="${MARGIN + (row + 1) * LINE_HEIGHT}">${escaped(line)}</text>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${Math.round(width * DOTS_PER_POINT)}" height="${Math.round(height * DOTS_PER_POINT)}" viewBox="0 0 ${width} ${height}"><rect width="100%" height="100%" fill="#fff"/><g font-family="Cousine" font-size="${FONT_SIZE}" fill="#1a1a1a">${rows.join('')}</g></svg>`;
  return await sharp(Buffer.from(svg)).flatten({ background: '#fff' }).jpeg({ quality: 80 }).toBuffer();
}

/** A PDF in which every page is the picture. */
export async function scanPdf(jpeg, pages = 1) {
  const { default: sharp } = await import('sharp');
  const { width, height } = await sharp(jpeg).metadata();
  const size = { width: width / DOTS_PER_POINT, height: height / DOTS_PER_POINT };
  const head = `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode /Length ${jpeg.length} >>\nstream\n`;
  const image = Buffer.concat([Buffer.from(head), jpeg, Buffer.from('\nendstream')]);
  return pdf(
    {
      ...size,
      resources: '/XObject << /I 5 0 R >>',
      content: `${size.width} 0 0 ${size.height} 0 0 cm /I Do`,
      pages,
    },
    [image],
  );
}

/** A PDF of one or several identical pages; further objects are numbered from 5. */
function pdf({ width, height, resources, content, pages = 1 }, others) {
  const page = `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Resources << ${resources} >> /Contents 4 0 R >>`;
  const furtherPages = Array.from({ length: pages - 1 }, () => Buffer.from(page));
  const kids = ['3 0 R', ...furtherPages.map((_, index) => `${5 + others.length + index} 0 R`)];
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${pages} >>`,
    page,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
  ].map((object) => Buffer.from(object));
  const parts = [Buffer.from('%PDF-1.7\n')];
  const offsets = [];
  let size = parts[0].length;
  for (const [index, object] of [...objects, ...others, ...furtherPages].entries()) {
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')]);
    offsets.push(size);
    size += part.length;
    parts.push(part);
  }
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  parts.push(
    Buffer.from(
      `xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${entries}trailer\n<< /Size ${offsets.length + 1} /Root 1 0 R >>\nstartxref\n${size}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

/** The codes of a text's letters; one that the encoding lacks gets a code that the text does not use. */
function codesOf(text) {
  const letters = [...new Set(text.replaceAll('\n', ''))];
  const isKnown = (letter) => letter.codePointAt(0) <= LAST_LATIN_1 || WIN_ANSI.has(letter);
  const codes = new Map(
    letters.filter(isKnown).map((letter) => [letter, WIN_ANSI.get(letter) ?? letter.codePointAt(0)]),
  );
  const used = new Set(codes.values());
  let free = LAST_LATIN_1;
  for (const letter of letters.filter((one) => !isKnown(one))) {
    while (used.has(free)) free -= 1;
    codes.set(letter, free--);
  }
  return codes;
}

function encoded(line, codes) {
  return Array.from(line, (letter) => hexadecimal(codes.get(letter), 2)).join('');
}

/** The meaning of the codes; a reader that draws shows other letters for those that were given one. */
function unicodeMap(codes) {
  const entries = [...codes].map(
    ([letter, code]) => `<${hexadecimal(code, 2)}> <${hexadecimal(letter.codePointAt(0), 4)}>`,
  );
  const blocks = [];
  for (let from = 0; from < entries.length; from += MOST_ENTRIES) {
    const block = entries.slice(from, from + MOST_ENTRIES);
    blocks.push(`${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`);
  }
  const map = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Own def /CMapType 2 def\n1 begincodespacerange <00> <ff> endcodespacerange\n${blocks.join('\n')}\nendcmap end end`;
  return Buffer.from(`<< /Length ${map.length} >>\nstream\n${map}\nendstream`);
}

function hexadecimal(code, digits) {
  return code.toString(16).padStart(digits, '0');
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
