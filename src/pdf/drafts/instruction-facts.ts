import { numbersIn } from './numbers-in.ts';

/** The parts of an instruction that its document must repeat. */
export interface InstructionFacts {
  readonly numbers: readonly string[];
  /** Words with a capital that do not begin a sentence, and codes such as `FK-2207`. */
  readonly names: readonly string[];
  /** Other words with a meaning, by clause, in order. */
  readonly clauses: readonly (readonly string[])[];
}

const WORD = /[\p{L}\d]+(?:['’&-][\p{L}\d]+)*/gu;
/** Parts about the look of the document. */
const LAYOUT =
  /\bA[3-6]\b|\b\d{1,4}[ -]?(?:pages?|words?|lines?|columns?|rows?|sentences?|paragraphs?|pt|px)\b/gi;
const CLAUSE_END = /[,;()]/;
const SENTENCE_END = /[.!?:\n"“„«»•*–—]|\s-/;
/** Their full stop ends no sentence. */
const ABBREVIATION = /^(?:\p{Lu}|Mrs?|Ms|Dr|Prof|St|No|Nr)$/u;
const NOT_NAMES = wordSet('i mr mrs ms miss dr herr herrn frau pdf html asap english french german spanish');
const SHORTEST_WORD = 4;
/** The first of them tell the kind of the document and where it will hang. */
const KIND_WORDS = 3;
/** Words of orders, and words without which the same can be said. */
const LIGHT_WORDS = wordSet(`
  about above after again ahead along already also always among another anyone anything around asking asks asked away back because been
  before being below best between both bring bringing brief briefly call called cannot card certificate cheerful clear come comes coming
  could create date dates dear design details document does doing done down draft each either else email enough even ever every everyone
  everything feel find first following form formal format friendly from full give given gives giving good great have having headline
  heading help here high hold into inform informing invite inviting invitation invoice item items just keep kind kindly know last late
  later least leaflet left less letter letting like line list lists little long look looks looking make makes making many maybe memo
  mention mentioning message minutes more most much must name names need needed needs next nice note notes notice number nothing once only
  other others ourselves over page pages paper party people person place plain please pleased polite politely possible poster prepare
  price prices print printed produce proper quick quite quote really receipt reminder remind reminding report right same saying says
  schedule section send sent sentence shall sheet short should show shows sign signed signature simple since some someone something
  sorry start still such sure table take tell telling text than thank thanking thanks that their them then there these they thing things
  this those through title today together tone under until upon very want wants warm well were what when where which while whole will
  wish with within without word words work would write writes writing written year years yesterday your yours`);

/** Reads an instruction. Rules of English; in other languages it finds names and numbers as well, and some names too many. */
export function instructionFacts(instruction: string): InstructionFacts {
  const said = instruction.replaceAll(LAYOUT, ' ');
  const names = new Set<string>();
  const clauses: string[][] = [[]];
  let [previous, end, meanings] = ['', 0, 0];
  for (const { 0: match, index } of said.matchAll(WORD)) {
    const between = said.slice(end, index);
    const isFirst = beginsSentence(previous, between);
    const word = match.replace(/['’]s?$/, '');
    if (isFirst || CLAUSE_END.test(between)) clauses.push([]);
    if (isName(word, isFirst)) names.add(word);
    else if (hasMeaning(word)) {
      meanings += 1;
      if (meanings > KIND_WORDS) clauses.at(-1)?.push(word);
    }
    previous = match;
    end = index + match.length;
  }
  return { numbers: [...new Set(numbersIn(said))], names: [...names], clauses };
}

function beginsSentence(previous: string, between: string): boolean {
  if (previous === '') return true;
  const isAbbreviated = ABBREVIATION.test(previous) && /^\.\s*$/.test(between);
  return !isAbbreviated && SENTENCE_END.test(between);
}

function isName(word: string, isFirst: boolean): boolean {
  if (NOT_NAMES.has(word.toLowerCase()) || /['’]/.test(word)) return false;
  return /\d/.test(word) ? /\p{Lu}/u.test(word) : /^\p{Lu}/u.test(word) && !isFirst;
}

function hasMeaning(word: string): boolean {
  return word.length >= SHORTEST_WORD && !/\d|['’]/.test(word) && !LIGHT_WORDS.has(word.toLowerCase());
}

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/));
}
