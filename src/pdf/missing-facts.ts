/** A number of two digits or more with what belongs to it, as in 7,800, 14:30, 31/12/2026 or A-2231, and addresses of e-mail. */
const FACT = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?<![\p{L}\p{N}])\d[\d.,:/'’-]*\d/gu;
/** Follows a number that is about the form of the document and does not stand in it: "500 words", "12 pt". */
const OF_THE_FORM =
  /^[\s-]*(?:%|percent|pt|px|mm|cm|words?|wörter[n]?|worten?|mots|palabras|parole|pages?|seiten?|characters?|zeichen|lines?|zeilen?|columns?|spalten?|rows?|sentences?|paragraphs?|dpi|°)/iu;
const NAME = /\p{Lu}[\p{Ll}’'-]{2,}(?: (?:\p{Lu}[\p{Ll}’'-]{2,}|\p{Lu}\.))* \p{Lu}[\p{Ll}’'-]{2,}/gu;
const SENTENCE_START = /(?:^|[.!?:;\n"“-])\s*$/u;
/** Elements whose text is not printed. */
const UNSEEN = /^<(style|script|title)\b/iu;
/** Facts are looked for in so many characters of an instruction: long ones are mostly text to be put into another form. */
const MOST_CHARACTERS = 4_000;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/**
 * The numbers, dates, amounts, e-mail addresses and full names of an instruction that its document does not show. It is a hint:
 * a number may belong to the form of the document, and a date may be written in another way.
 */
export function missingFacts(instruction: string, html: string): readonly string[] {
  const shown = visibleText(html);
  const numbers = new Set([shown, shown.replace(/(?<=\d) (?=\d{3}(?!\d))/gu, '')].flatMap(numbersOf));
  const words = shown.toLowerCase();
  const missing = factsOf(instruction.slice(0, MOST_CHARACTERS)).filter((fact) => {
    if (fact.includes('@')) return !words.includes(fact.toLowerCase());
    if (/\d/u.test(fact)) return !numbers.has(plainDigits(fact));
    return fact.split(' ').some((part) => !words.includes(part.toLowerCase()));
  });
  return [...new Set(missing)];
}

function factsOf(instruction: string): readonly string[] {
  const numbers = [...instruction.matchAll(FACT)]
    .filter(
      ({ 0: fact, index }) => fact.includes('@') || !OF_THE_FORM.test(instruction.slice(index + fact.length)),
    )
    .map(([fact]) => fact);
  const names = [...instruction.matchAll(NAME)]
    .filter(({ index }) => !SENTENCE_START.test(instruction.slice(0, index)))
    .map(([name]) => name);
  return [...numbers, ...names];
}

/** The text of a page, near enough to look for words in it. One pass, however broken the page is. */
function visibleText(html: string): string {
  const texts: string[] = [];
  for (let at = 0; at < html.length; ) {
    const tag = html.indexOf('<', at);
    if (tag === -1) {
      texts.push(html.slice(at));
      break;
    }
    texts.push(html.slice(at, tag));
    const end = endOfUnseen(html, tag);
    if (end === -1) break;
    at = end;
  }
  return texts
    .join(' ')
    .replace(/&(?:#(\d{1,5})|(\w{1,8}));/gu, entity)
    .replace(/\s+/gu, ' ');
}

/** Where the tag, comment or unprinted element ends; -1 if it does not. */
function endOfUnseen(html: string, start: number): number {
  const after = (mark: string, from: number) => {
    const found = html.indexOf(mark, from);
    return found === -1 ? -1 : found + mark.length;
  };
  if (html.startsWith('<!--', start)) return after('-->', start);
  const name = UNSEEN.exec(html.slice(start, start + '<script '.length))?.[1];
  const tagEnd = after('>', start);
  if (name === undefined || tagEnd === -1) return tagEnd;
  const closing = after(`</${name.toLowerCase()}`, tagEnd);
  return closing === -1 ? -1 : after('>', closing);
}

function entity(whole: string, code: string | undefined, name: string | undefined): string {
  if (name !== undefined) return ENTITIES[name] ?? whole;
  return String.fromCharCode(Number(code));
}

function numbersOf(text: string): readonly string[] {
  return plainDigits(text).match(/\d+/gu) ?? [];
}

/** Without separators between digits: 7,800 and 7.800 are the same amount. */
function plainDigits(text: string): string {
  return text.replace(/(?<=\d)[.,:/'’-](?=\d)/gu, '');
}
