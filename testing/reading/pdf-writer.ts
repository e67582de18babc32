import { deflateSync } from 'node:zlib';

/** The content of a page. */
export interface WrittenPage {
  /** PDF operators. */
  readonly content: string;
  /** Fonts by name, as object numbers. */
  readonly fonts?: Readonly<Record<string, number>>;
  /** Pictures and forms by name, as object numbers. */
  readonly pictures?: Readonly<Record<string, number>>;
  readonly rotate?: number;
  readonly size?: readonly [number, number];
  readonly annotations?: readonly number[];
}

/** Writes valid and broken PDFs, object by object. */
export class PdfWriter {
  readonly #objects: Buffer[] = [];
  readonly #pages: number[] = [];
  readonly #pagesNumber: number;
  #rootEntries = '';
  #trailerEntries = '';

  constructor() {
    this.#pagesNumber = this.add('');
  }

  /** Adds an object and returns its number. */
  add(body: string | Buffer): number {
    this.#objects.push(Buffer.isBuffer(body) ? body : Buffer.from(body, 'latin1'));
    return this.#objects.length;
  }

  addStream(entries: string, data: Buffer | string, compress = true): number {
    const raw = Buffer.isBuffer(data) ? data : Buffer.from(data, 'latin1');
    const stored = compress ? deflateSync(raw) : raw;
    const filter = compress ? '/Filter /FlateDecode ' : '';
    return this.add(
      Buffer.concat([
        Buffer.from(`<< ${entries} ${filter}/Length ${stored.length} >>\nstream\n`, 'latin1'),
        stored,
        Buffer.from('\nendstream', 'latin1'),
      ]),
    );
  }

  addPage(page: WrittenPage): number {
    const { fonts = {}, pictures = {}, rotate = 0, size = [595, 842], annotations = [] } = page;
    const named = (entries: Readonly<Record<string, number>>) =>
      Object.entries(entries)
        .map(([name, number]) => `/${name} ${number} 0 R`)
        .join(' ');
    const content = this.addStream('', page.content);
    const number = this.add(
      `<< /Type /Page /Parent ${this.#pagesNumber} 0 R /MediaBox [0 0 ${size.join(' ')}] /Rotate ${rotate} ` +
        `/Contents ${content} 0 R /Resources << /Font << ${named(fonts)} >> /XObject << ${named(pictures)} >> >> ` +
        `/Annots [${annotations.map((each) => `${each} 0 R`).join(' ')}] >>`,
    );
    this.#pages.push(number);
    return number;
  }

  /** A page entry that points to something else. */
  addBrokenPage(object: number): void {
    this.#pages.push(object);
  }

  setRoot(entries: string): void {
    this.#rootEntries = entries;
  }

  setTrailer(entries: string): void {
    this.#trailerEntries = entries;
  }

  /** One of the standard fonts. */
  standardFont(name = 'Helvetica'): number {
    return this.add(`<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`);
  }

  /** A font whose two-byte codes are Unicode, with a map. */
  unicodeFont(options: { vertical?: boolean; map?: boolean } = {}): number {
    const { vertical = false, map = true } = options;
    const descendant = this.add(
      '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Test /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> ' +
        '/DW 1000 /FontDescriptor << /Type /FontDescriptor /FontName /Test /Flags 4 /Ascent 880 /Descent -120 /FontBBox [0 -120 1000 880] /ItalicAngle 0 /CapHeight 700 /StemV 80 >> >>',
    );
    // A range may not cross its last byte.
    const ranges = Array.from({ length: 256 }, (_, high) => {
      const byte = high.toString(16).padStart(2, '0');
      return `<${byte}00> <${byte}ff> <${byte}00>`;
    });
    const toUnicode = this.addStream(
      '',
      '/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange ' +
        `256 beginbfrange ${ranges.join('\n')} endbfrange endcmap end end`,
    );
    return this.add(
      `<< /Type /Font /Subtype /Type0 /BaseFont /Test /Encoding /Identity-${vertical ? 'V' : 'H'} ` +
        `/DescendantFonts [${descendant} 0 R]${map ? ` /ToUnicode ${toUnicode} 0 R` : ''} >>`,
    );
  }

  /** A picture of raw RGB pixels. */
  picture(data: Buffer, width: number, height: number): number {
    return this.addStream(
      `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB /BitsPerComponent 8`,
      data,
    );
  }

  build(): Buffer {
    this.#objects[this.#pagesNumber - 1] = Buffer.from(
      `<< /Type /Pages /Count ${this.#pages.length} /Kids [${this.#pages.map((page) => `${page} 0 R`).join(' ')}] >>`,
    );
    const root = this.add(`<< /Type /Catalog /Pages ${this.#pagesNumber} 0 R ${this.#rootEntries} >>`);
    const parts = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
    const offsets: number[] = [];
    let position = parts[0]?.length ?? 0;
    for (const [index, body] of this.#objects.entries()) {
      offsets.push(position);
      const object = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), body, Buffer.from('\nendobj\n')]);
      parts.push(object);
      position += object.length;
    }
    const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
    parts.push(
      Buffer.from(
        `xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${offsets.length + 1} /Root ${root} 0 R ${this.#trailerEntries} >>\nstartxref\n${position}\n%%EOF\n`,
        'latin1',
      ),
    );
    return Buffer.concat(parts);
  }
}

/** A PDF string of two-byte codes. */
export function unicodeString(text: string): string {
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
  return `<${units.map((unit) => unit.toString(16).padStart(4, '0')).join('')}>`;
}

/** A PDF string in the common Western encoding. */
export function latinString(text: string): string {
  return `(${text.replace(/[\\()]/g, '\\$&')})`;
}

/** Position and size of lines; in points, from the bottom left. */
export interface WrittenLinesOptions {
  readonly font?: string;
  readonly size?: number;
  readonly x?: number;
  readonly y?: number;
  readonly leading?: number;
}

/** Operators that write lines, 1.4 times their size apart, from the top left of an A4 page. */
export function writtenLines(lines: readonly string[], options: WrittenLinesOptions = {}): string {
  const { font = 'F', size = 11, x = 60, y = 770, leading = 1.4 * size } = options;
  return lines
    .map(
      (line, index) =>
        `BT /${font} ${size} Tf 1 0 0 1 ${x} ${y - index * leading} Tm ${latinString(line)} Tj ET`,
    )
    .join('\n');
}
