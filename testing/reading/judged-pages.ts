import { type LetterLanguage, pageTexts } from './page-texts.mjs';
import { latinString, PdfWriter, unicodeString, type WrittenPage, writtenLines } from './pdf-writer.ts';
import { seededRandom } from './seeded-random.mjs';

/** A page, and whether a person would say that it needs OCR. */
export interface JudgedPage {
  readonly name: string;
  readonly page: WrittenPage;
  readonly needsOcr: boolean;
}

const languages: readonly LetterLanguage[] = ['en', 'es', 'de', 'fr', 'it', 'pt'];

/** A document of more than sixty pages with known answers. */
export function judgedPages(): { readonly pdf: Buffer; readonly pages: readonly JudgedPage[] } {
  const writer = new PdfWriter();
  const pages = new PageMaker(writer).all();
  for (const { page } of pages) writer.addPage(page);
  return { pdf: writer.build(), pages };
}

class PageMaker {
  readonly #fonts: Readonly<Record<string, number>>;
  readonly #scan: number;
  readonly #scanForm: number;
  readonly #random = seededRandom(7);

  constructor(writer: PdfWriter) {
    this.#fonts = {
      F: writer.standardFont(),
      T: writer.standardFont('Times-Roman'),
      U: writer.unicodeFont(),
      V: writer.unicodeFont({ vertical: true }),
      // Codes without a Unicode map.
      X: writer.unicodeFont({ map: false }),
    };
    this.#scan = writer.picture(this.#speckles(60, 85), 60, 85);
    this.#scanForm = writer.addStream(
      `/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /XObject << /P ${this.#scan} 0 R >> >>`,
      'q 595 0 0 842 0 0 cm /P Do Q',
    );
  }

  all(): readonly JudgedPage[] {
    return [
      ...this.#digital(),
      ...this.#foreign(),
      ...this.#withPictures(),
      ...this.#scans(),
      ...this.#garbage(),
    ];
  }

  *#digital(): Generator<JudgedPage> {
    for (const language of languages) {
      yield this.#judged(`a letter, ${language}`, false, this.#letter(language));
      yield this.#judged(`a table, ${language}`, false, this.#table(language));
    }
    for (const rotate of [90, 180, 270]) {
      yield this.#judged(`a letter turned by ${rotate}`, false, this.#letter('de'));
    }
    yield this.#judged('figures alone', false, this.#figures());
    yield this.#judged('one word', false, writtenLines(['Contents']));
    yield this.#judged('a page number', false, writtenLines(['- 14 -'], { x: 290, y: 40 }));
    yield this.#judged('product codes', false, writtenLines(codes(30)));
    yield this.#judged('a program', false, writtenLines(program));
    yield this.#judged('an empty page', false, '');
    yield this.#judged('ruled lines and nothing else', false, ruled(20));
    yield this.#judged('a ruled table', false, `${ruled(38)}\n${this.#table('fr')}`);
    yield this.#judged('a drawing with captions', false, `${ruled(400)}\n${this.#letter('it')}`);
  }

  *#foreign(): Generator<JudgedPage> {
    const chinese = '本合同由双方于签订之日起生效，有效期为三年。甲方应当在收到发票后三十日内付款。';
    yield this.#judged('Chinese', false, unicodeLines(Array(12).fill(chinese)));
    yield this.#judged('Japanese in columns', false, columns('本契約は締結の日から三年間有効とする。'));
    yield this.#judged(
      'Hebrew',
      false,
      unicodeLines(Array(10).fill(reversed('החשבונית תשולם תוך שלושים יום'))),
    );
    yield this.#judged(
      'Arabic',
      false,
      unicodeLines(Array(10).fill(reversed('تدفع الفاتورة خلال ثلاثين يوما'))),
    );
    yield this.#judged(
      'Russian',
      false,
      unicodeLines(Array(10).fill('Счёт оплачивается в течение тридцати дней.')),
    );
    yield this.#judged(
      'Greek',
      false,
      unicodeLines(Array(10).fill('Το τιμολόγιο πληρώνεται σε τριάντα ημέρες.')),
    );
  }

  *#withPictures(): Generator<JudgedPage> {
    const logo = 'q 120 0 0 60 420 760 cm /P Do Q';
    const half = 'q 595 0 0 400 0 0 cm /P Do Q';
    const whole = 'q 595 0 0 842 0 0 cm /P Do Q';
    for (const language of languages.slice(0, 4)) {
      yield this.#judged(`a letter with a logo, ${language}`, false, `${logo}\n${this.#letter(language)}`);
      yield this.#judged(`a letter on a picture, ${language}`, false, `${whole}\n${this.#letter(language)}`);
    }
    yield this.#judged('half a picture under text', false, `${half}\n${this.#letter('pt')}`);
    yield this.#judged('a logo and an address', false, `${logo}\n${writtenLines(address)}`);
    yield this.#judged('a tiny mark and no text', false, 'q 20 0 0 20 300 400 cm /P Do Q');
  }

  *#scans(): Generator<JudgedPage> {
    const whole = 'q 595 0 0 842 0 0 cm /P Do Q';
    const strips = Array.from({ length: 20 }, (_, index) => `q 595 0 0 43 0 ${index * 42} cm /P Do Q`).join(
      '\n',
    );
    yield this.#judged('a scan', true, whole);
    yield this.#judged('a scan in strips', true, strips);
    yield this.#judged('a scan in a form', true, '/S Do');
    yield this.#judged('a scan with a margin', true, 'q 500 0 0 740 48 50 cm /P Do Q');
    yield this.#judged('a receipt on an empty page', true, 'q 200 0 0 420 190 200 cm /P Do Q');
    yield this.#judged('a business card', true, 'q 240 0 0 150 180 400 cm /P Do Q');
    for (const stamp of [
      'Page 3 of 14',
      'Scanned by office 2',
      'CONFIDENTIAL',
      'Exhibit A-17 / Case 2024-118',
    ]) {
      yield this.#judged(`a scan stamped "${stamp}"`, true, `${whole}\n${writtenLines([stamp], { y: 20 })}`);
    }
    for (const language of languages) {
      yield this.#judged(
        `a scan with a good hidden layer, ${language}`,
        false,
        `${whole}\n3 Tr\n${this.#letter(language)}`,
      );
      yield this.#judged(
        `a scan with a bad hidden layer, ${language}`,
        true,
        `${whole}\n3 Tr\n${this.#letter(language, garbled)}`,
      );
    }
    yield this.#judged('letters turned into outlines', true, outlines(300));
    yield this.#judged('few letters turned into outlines', true, outlines(60));
  }

  *#garbage(): Generator<JudgedPage> {
    for (const language of languages.slice(0, 3)) {
      const lines = wrapped(pageTexts[language].prose, 70);
      yield this.#judged(
        `codes without a map, ${language}`,
        true,
        unicodeLines(lines.map(shiftedToPrivate), 'U'),
      );
      yield this.#judged(`a shifted alphabet, ${language}`, true, this.#letter(language, shifted));
    }
    yield this.#judged(
      'a font without a map',
      true,
      unicodeLines(wrapped(pageTexts.en.prose, 60).map(toSymbols), 'X'),
    );
    yield this.#judged(
      'a good page in which few characters are private',
      false,
      `${this.#letter('en')}\n${unicodeLines(['\ue001'], 'U')}`,
    );
  }

  #judged(name: string, needsOcr: boolean, content: string): JudgedPage {
    const rotate = Number(/turned by (\d+)/.exec(name)?.[1] ?? 0);
    return {
      name,
      needsOcr,
      page: { content, rotate, fonts: this.#fonts, pictures: { P: this.#scan, S: this.#scanForm } },
    };
  }

  #letter(language: LetterLanguage, spoil: (text: string) => string = (text) => text): string {
    const { title, prose } = pageTexts[language];
    return writtenLines([title, '', ...wrapped(prose.replace(/’/g, "'"), 80)].map(spoil));
  }

  #table(language: LetterLanguage): string {
    const { header, goods, currency } = pageTexts[language];
    const rows = [
      header,
      ...goods.map((name, index) => [name, String(index + 1), '19.90', `${index}9.90 ${currency}`]),
    ];
    return rows
      .flatMap((row, y) =>
        row.map(
          (cell, x) => `BT /T 10 Tf 1 0 0 1 ${60 + x * 120} ${700 - y * 16} Tm ${latinString(cell)} Tj ET`,
        ),
      )
      .join('\n');
  }

  #figures(): string {
    const row = () => Array.from({ length: 6 }, () => (this.#random() * 10_000).toFixed(2)).join('   ');
    return writtenLines(Array.from({ length: 30 }, row));
  }

  #speckles(width: number, height: number): Buffer {
    return Buffer.from(Array.from({ length: width * height * 3 }, () => (this.#random() > 0.15 ? 250 : 30)));
  }
}

const address = [
  'Northern Supply Ltd',
  '12 Harbour Road',
  'Leith EH6 7QR',
  'VAT GB 123 4567 89',
  'hello@example.com',
];
const program = Array.from(
  { length: 20 },
  (_, index) => `if (x${index} > ${index}) { return total + step(${index}); }`,
);

function codes(count: number): string[] {
  return Array.from(
    { length: count },
    (_, index) => `AB-${1000 + index}-X${index}  ${index * 3} pcs  EUR ${index}.50`,
  );
}

function ruled(count: number): string {
  return Array.from(
    { length: count },
    (_, index) => `50 ${60 + ((index * 1.8 + 17) % 700)} m 540 ${60 + ((index * 1.8 + 17) % 700)} l S`,
  ).join('\n');
}

function outlines(count: number): string {
  return Array.from({ length: count }, (_, index) => {
    const x = 60 + (index % 40) * 11;
    const y = 760 - Math.floor(index / 40) * 16;
    return `${x} ${y} m ${x + 4} ${y + 9} l ${x + 8} ${y} l ${x + 6} ${y} l ${x + 4} ${y + 5} l h f`;
  }).join('\n');
}

function unicodeLines(lines: readonly string[], font = 'U'): string {
  return lines
    .map((line, index) => `BT /${font} 11 Tf 1 0 0 1 50 ${770 - index * 18} Tm ${unicodeString(line)} Tj ET`)
    .join('\n');
}

function columns(line: string): string {
  return Array.from(
    { length: 8 },
    (_, index) => `BT /V 12 Tf 1 0 0 1 ${520 - index * 22} 760 Tm ${unicodeString(line)} Tj ET`,
  ).join('\n');
}

const reversed = (text: string) => [...text].reverse().join('');
/** Simulates a bad recogniser: many letters become marks. */
const garbled = (text: string) => text.replace(/[aeo]/g, '|').replace(/[nrt]/g, ';').replace(/[is]/g, '}');
const shifted = (text: string) =>
  text.replace(/[!-z]/g, (character) => String.fromCharCode(33 + ((character.charCodeAt(0) - 33 + 29) % 93)));
const shiftedToPrivate = (text: string) =>
  text.replace(/[a-z]/g, (character) => String.fromCharCode(0xe000 + character.charCodeAt(0)));
const toSymbols = (text: string) =>
  text.replace(/[a-zA-Z]/g, (character) => String.fromCharCode(character.charCodeAt(0) - 60));

function wrapped(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line.length + word.length + 1 > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}
