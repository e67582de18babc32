// A mark that ends a sentence in any script, with what closes after it; after Latin marks there must be a space.
const BOUNDARY = /\n+|[.!?…؟।]["'»”’)\]]*\s+|[。！？｡]["'”’」』）〉》]*\s*/gu;
const LATIN_END = /^[.!?…؟।]/u;
const OPENING = /[\p{Lu}\p{Lt}\p{Lo}\p{N}"'“„«¿¡([\-–—•*]/u;
/** Words whose point ends no sentence, in the languages that are searched in. */
const ABBREVIATION =
  /(?:^|[\s(])(?:\p{L}|\p{Lu}\p{Ll}?|mr|mrs|ms|dr|prof|st|no|vs|etc|e\.g|i\.e|fig|vol|pp|approx|nr|bzw|ca|z\.b|d\.h|u\.a|abs|art|str|tel|inkl|sr|sra|ud|pág|núm|av|p\.ej|mme|mlle|cf|env|sig|dott|pag|sec|cap)\.$/iu;
/** How far before a point its word is looked for. */
const LOOK_BACK = 12;

/** Cuts a text after each sentence and at each end of a line; together the parts are the text. */
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
