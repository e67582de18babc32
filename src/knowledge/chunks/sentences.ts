// End of a sentence in any script, with closing quotes and brackets; Latin marks need a space after them.
const BOUNDARY = /\n+|[.!?…؟।]["'»”’)\]]*\s+|[。！？｡]["'”’」』）〉》]*\s*/gu;
const LATIN_END = /^[.!?…؟।]/u;
const OPENING = /[\p{Lu}\p{Lt}\p{Lo}\p{N}"'“„«¿¡([\-–—•*]/u;
/** Abbreviations, in the languages the search supports. */
const ABBREVIATION =
  /(?:^|[\s(])(?:\p{L}|\p{Lu}\p{Ll}?|mr|mrs|ms|dr|prof|st|no|vs|etc|e\.g|i\.e|fig|vol|pp|approx|nr|bzw|ca|z\.b|d\.h|u\.a|abs|art|str|tel|inkl|sr|sra|ud|pág|núm|av|p\.ej|mme|mlle|cf|env|sig|dott|pag|sec|cap)\.$/iu;
/** How far back from a full stop its word is searched. */
const LOOK_BACK = 12;

/** Splits a text after each sentence and line; the parts concatenate to the text. */
export function* sentences(text: string): Generator<string> {
  let start = 0;
  for (const { 0: mark, index } of text.matchAll(BOUNDARY)) {
    const end = index + mark.length;
    if (LATIN_END.test(mark) && !endsSentence(text, index, end)) continue;
    yield text.slice(start, end);
    start = end;
  }
  if (start < text.length) yield text.slice(start);
}

function endsSentence(text: string, at: number, end: number): boolean {
  if (end < text.length && !OPENING.test(String.fromCodePoint(text.codePointAt(end) ?? 0))) return false;
  return text[at] !== '.' || !ABBREVIATION.test(text.slice(Math.max(0, at - LOOK_BACK), at + 1));
}
