import type { Field } from '../plan/schema-plan.ts';
import { type Candidate, type FieldCandidates, isAbout } from '../propose/candidate.ts';

const NAME =
  /^(?:\p{Ll}{2,3}\s+){0,2}\p{Lu}[\p{L}'’.-]*(?:,?\s+(?:\p{Ll}{1,3}\s+)*\p{Lu}[\p{L}'’.-]*){1,3}$/u;
const HONORIFIC =
  /^(?:(?:herrn?|frau|mrs?|ms|miss|mme|mlle|m|sig|sigra|sr|sra|dr|dott|prof|dhr|mw|pani?)\.?\s+)+/i;
const PARTICLES = /^(?:van|von|de|del|della|di|da|dos|das|du|der|den|ten|zu|la|le|el)$/i;
/** Two family names are usual. */
const TWO_LAST_NAMES = 3;
/** From here on a label says that a value is the first or the last name. */
const CLEAR_LABEL = 0.7;
const LAST_FIRST = /^(?:\p{Ll}{2,3}\s+){0,2}\p{Lu}[\p{L}'’ -]*,\s*\p{Lu}/u;

interface NameFields {
  readonly first: FieldCandidates;
  readonly last: FieldCandidates;
}

/** Splits a name that a document prints in one piece where the schema asks for first and last name. */
export function withSplitNames(fields: readonly FieldCandidates[]): readonly FieldCandidates[] {
  const split = new Map<FieldCandidates, FieldCandidates>();
  for (const { first, last } of pairsOf(fields)) {
    const name = listedName(first, last) ?? printedName(first, last);
    const parts = name === undefined ? undefined : partsOf(name);
    if (parts === undefined) continue;
    split.set(first, withBest(first, parts.first));
    split.set(last, withBest(last, parts.last));
  }
  return fields.map((entry) => split.get(entry) ?? entry);
}

/** The first and last names of each object. `nome` beside `cognome` is a first name. */
function pairsOf(fields: readonly FieldCandidates[]): readonly NameFields[] {
  const parentOf = ({ path }: Field) => path.slice(0, -1).join('.');
  return fields.flatMap((last) => {
    if (last.field.kind !== 'text' || !isAbout(last.field, 'last')) return [];
    const others = fields.filter(
      ({ field }) =>
        field !== last.field && field.kind === 'text' && parentOf(field) === parentOf(last.field),
    );
    const first =
      others.find(({ field }) => isAbout(field, 'first') && !isAbout(field, 'last')) ??
      others.find(({ field }) => field.words.ownTokens.every((token) => token.split('|').includes('=name')));
    return first === undefined ? [] : [{ first, last }];
  });
}

/** A whole name with a comma in it that a label of one of them names: `Name, Vorname: Lee, Ann`. */
function listedName(first: FieldCandidates, last: FieldCandidates): Candidate | undefined {
  return [...first.candidates, ...last.candidates].find(
    ({ label, text }) => label >= CLEAR_LABEL && LAST_FIRST.test(text) && isName(text),
  );
}

/** The whole name that is the best value of one of them; undefined if each has a label of its own. */
function printedName(first: FieldCandidates, last: FieldCandidates): Candidate | undefined {
  if (isNamedAlone(first, last) || isNamedAlone(last, first)) return undefined;
  return [last.candidates[0], first.candidates[0]].find((best) => best !== undefined && isName(best.text));
}

function isName(text: string): boolean {
  return NAME.test(text.replace(HONORIFIC, ''));
}

/** Whether a label names it and not the other: `Name, Vorname` names both. */
function isNamedAlone({ candidates }: FieldCandidates, other: FieldCandidates): boolean {
  return candidates.some(({ label, start, text }) => {
    const both = other.candidates.find((one) => one.start === start)?.label ?? 0;
    return label >= CLEAR_LABEL && both < CLEAR_LABEL && /^\p{Lu}/u.test(text);
  });
}

function partsOf(name: Candidate): { readonly first: Candidate; readonly last: Candidate } | undefined {
  const bare = name.text.replace(HONORIFIC, '');
  const words = bare.split(/,?\s+/);
  const comma = bare.indexOf(',');
  const capitals = words.filter((word) => /^\p{Lu}[\p{Lu}'’-]+$/u.test(word));
  const isTold = capitals.length > 0 && capitals.length < words.length;
  const isLastFirst = comma >= 0 || (isTold && words[0] === capitals[0]);
  const count =
    comma >= 0 ? bare.slice(0, comma).split(/\s+/).length : isTold ? capitals.length : lastWords(words);
  const [one, other] = isLastFirst
    ? [words.slice(count), words.slice(0, count)]
    : [words.slice(0, -count), words.slice(-count)];
  if (one.length === 0 || other.length === 0) return undefined;
  return { first: partOf(name, one), last: partOf(name, other) };
}

/** How many words at the end are the last name. */
function lastWords(words: readonly string[]): number {
  const particle = words.findIndex((word, index) => index > 0 && PARTICLES.test(word));
  if (particle > 0) return words.length - particle;
  return words.length > TWO_LAST_NAMES ? 2 : 1;
}

function partOf(name: Candidate, words: readonly string[]): Candidate {
  const [opening = ''] = words;
  const closing = words.at(-1) ?? '';
  const from = name.text.indexOf(opening);
  const to = name.text.indexOf(closing, from) + closing.length;
  const text = name.text.slice(from, to);
  const { ranges: _, ...rest } = name;
  return { ...rest, value: text, text, start: name.start + from, end: name.start + to };
}

/** The entry with a candidate before all others. */
function withBest(entry: FieldCandidates, best: Candidate): FieldCandidates {
  const top = Math.max(best.score, ...entry.candidates.map(({ score }) => score));
  return { ...entry, candidates: [{ ...best, score: top + 1 }, ...entry.candidates] };
}
