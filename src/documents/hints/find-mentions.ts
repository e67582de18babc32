import { plainLetters } from '../values/plain-letters.ts';

/** A span of text that refers to files. */
export interface Mention {
  readonly start: number;
  readonly end: number;
  /** File numbers, from 1; empty if the files do not exist. */
  readonly files: readonly number[];
}

const ONE =
  'file|document|doc|pdf|image|picture|photo|scan|attachment|datei|dokument|bild|anhang|fichier|archivo|fichero|documento|imagen|arquivo|ficheiro';
const MANY =
  'files|documents|docs|pdfs|images|pictures|photos|scans|attachments|dateien|dokumente|dokumenten|bilder|fichiers|archivos|ficheros|documentos|imagenes|arquivos|ficheiros';
// All repetitions are bounded, so that matching is linear.
const MARK = String.raw`(?:(?:no|nr|num|number|nummer|numero|n[o°º])\.?|#)?`;
const AND_WORD = 'and|or|und|oder|et|ou|y|o';
const AND = String.raw`(?:\s{0,3}[,&]\s{0,3}|\s{1,3}(?:${AND_WORD})\s{1,3})`;
const TO = String.raw`(?:\s{0,3}[-–]\s{0,3}|\s{1,3}(?:to|through|bis|a|al)\s{1,3})`;
const ARTICLE = '(?:(?:the|der|die|das|den|dem|le|la|el)\\s{1,3})?';
const ATTACHED = '(?:(?:attached|uploaded|pdf|angehangten?|hochgeladenen?)\\s{1,3})?';

/** Cardinals and ordinals; the first of each row is one. */
const NUMBERS = [
  'one two three four five six seven eight nine ten',
  'eins zwei drei vier funf sechs sieben acht neun zehn',
  'uno deux trois quatre cinq six sept huit neuf dix',
  'uno dos tres cuatro cinco seis siete ocho nueve diez',
].map((row) => row.split(' '));
const ORDINALS = [
  'first second third fourth fifth sixth seventh eighth ninth tenth',
  'erste zweite dritte vierte funfte sechste siebte achte neunte zehnte',
  'premier deuxieme troisieme quatrieme cinquieme sixieme septieme huitieme neuvieme dixieme',
  'premiere seconde troisieme quatrieme cinquieme sixieme septieme huitieme neuvieme dixieme',
  'primero segundo tercero cuarto quinto sexto septimo octavo noveno decimo',
  'primer segundo tercer cuarto quinto sexto septimo octavo noveno decimo',
  'primera segunda tercera cuarta quinta sexta septima octava novena decima',
].map((row) => row.split(' '));
const LAST = 'last|letzte|dernier|derniere|ultimo|ultima';
const LAST_BUT_ONE = String.raw`second[\s-]{1,3}(?:to[\s-]{1,3})?last|next[\s-]{1,3}to[\s-]{1,3}last|penultimate|vorletzte|avant[\s-]dernier|penultimo`;
const COUNTED = String.raw`\d{1,3}|${NUMBERS.flat().join('|')}`;
const ORDER_WORDS = `(?:${LAST_BUT_ONE}|${LAST}|${ORDINALS.flat().join('|')})[nrsm]?`;
const ORDERED = String.raw`${ORDER_WORDS}|\d{1,3}(?:st|nd|rd|th|e|er|eme|°|º|ª)|\d{1,3}\.(?=\s{1,3}(?:datei|dokument|bild|anhang))`;
const [BEGINS, ENDS] = [String.raw`(?<![\p{L}\d_])`, String.raw`(?![\p{L}\d_%]|[.,-]\d)`];

const COUNTED_FILE = String.raw`(?:${ONE})(?:[\s-]{0,3}${MARK}\s{0,3}\d{1,3}(?:\s{1,3}(?:${AND_WORD})\s{1,3}\d{1,3})?|\s{1,3}(?:${COUNTED}))`;
const COUNTED_FILES = String.raw`(?:${MANY})\s{0,3}${MARK}\s{0,3}(?:${COUNTED})(?:(?:${AND}|${TO})(?:${COUNTED})){0,20}`;
const BY_NUMBER = `(?<counted>${COUNTED_FILES}|${COUNTED_FILE})${ENDS}`;
// "First document number" is a field, not a file.
const BY_ORDER = String.raw`(?<ordered>(?:(?:${ORDERED})${AND}${ARTICLE}){0,9}(?:${ORDERED}))\s{1,3}${ATTACHED}(?:${ONE})${ENDS}(?!\s{1,3}(?:number|no|date|type|id|name)\b)`;

/** Finds references to files by name, number or order, in a normalised text. */
export function findMentions(text: string, names: readonly string[]): readonly Mention[] {
  const plainNames = names.map((name) => plainLetters(name).toLowerCase());
  const pattern = new RegExp(
    [...namePatterns(plainNames), `${BEGINS}${BY_NUMBER}`, `${BEGINS}${BY_ORDER}`].join('|'),
    'gu',
  );
  return Array.from(text.matchAll(pattern), (match) => ({
    start: match.index,
    end: match.index + match[0].length,
    files: filesOf(match, plainNames),
  }));
}

/** Longest first, since one name may start another. A name that is also a word counts in quotes only. */
function namePatterns(names: readonly string[]): readonly string[] {
  const longestFirst = Array.from(new Set(names)).toSorted((one, other) => other.length - one.length);
  const [inQuotes, anywhere] = [longestFirst, longestFirst.filter((name) => /\.\p{L}|\d|_/u.test(name))].map(
    (list) => list.map((name) => name.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)).join('|'),
  );
  return [
    `(?<=["'“„”«‘])(?<quoted>${inQuotes})(?=["'“”»’])`,
    ...(anywhere === ''
      ? []
      : [String.raw`(?<![\p{L}\d_/\\.-])(?<named>${anywhere})(?![\p{L}\d_/\\]|[.-][\p{L}\d])`]),
  ];
}

function filesOf({ groups = {} }: RegExpExecArray, names: readonly string[]): readonly number[] {
  const { quoted, named, counted = '', ordered = '' } = groups;
  const name = quoted ?? named;
  const total = names.length;
  if (name !== undefined) return names.flatMap((one, index) => (one === name ? [index + 1] : []));
  const numbers = counted === '' ? orderedNumbers(ordered, total) : countedNumbers(counted);
  return numbers.every((number) => number >= 1 && number <= total) ? numbers : [];
}

function countedNumbers(text: string): readonly number[] {
  const list = Array.from(
    text.matchAll(new RegExp(`${BEGINS}(?:${COUNTED})`, 'gu')),
    ({ 0: one, index }) => ({
      number: numberOf(one, NUMBERS),
      isRange: new RegExp(`${TO}$`, 'u').test(text.slice(0, index)) && /\d/.test(text.slice(0, index)),
    }),
  );
  return list.flatMap(({ number, isRange }, index) => {
    const before = list[index - 1]?.number ?? number;
    return isRange && number > before
      ? Array.from({ length: number - before }, (_, step) => before + step + 1)
      : [number];
  });
}

function orderedNumbers(text: string, total: number): readonly number[] {
  return Array.from(
    text.matchAll(new RegExp(String.raw`${BEGINS}(?:${ORDER_WORDS}|\d{1,3})`, 'gu')),
    ([one]) => {
      if (new RegExp(`^(?:${LAST_BUT_ONE})`, 'u').test(one)) return total - 1;
      if (new RegExp(`^(?:${LAST})`, 'u').test(one)) return total;
      return numberOf(one, ORDINALS);
    },
  );
}

/** A number in digits or words; 0 if it is neither. */
function numberOf(text: string, rows: readonly (readonly string[])[]): number {
  const figures = Number.parseInt(text, 10);
  if (!Number.isNaN(figures)) return figures;
  const stem = (word: string) => word.replace(/(?<=te)[nrsm]$/, '');
  return Math.max(...rows.map((row) => row.indexOf(stem(text)))) + 1;
}
