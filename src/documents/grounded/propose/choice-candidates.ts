import { findAnswerPairs, findCheckboxes, NO_WORDS, YES_WORDS } from '../../values/boolean-words.ts';
import { otherWordings } from '../../values/choice-words.ts';
import { isCurrencyCode } from '../../values/currency-codes.ts';
import { plainLetters } from '../../values/plain-letters.ts';
import { plainWords } from '../../values/read-choice.ts';
import type { Field } from '../plan/schema-plan.ts';
import { type Evidence, positionAt } from '../read/evidence.ts';
import { labelTokens, similarity, spacedName } from '../words/label-words.ts';
import { type Candidate, LABEL_WEIGHT, labelScore } from './candidate.ts';
import { currencyCandidates } from './currency-candidates.ts';

const PRESENT_WEIGHT = 1;
const ALONE_WEIGHT = 3;
const TICKED_WEIGHT = 6;
const PAIR_WEIGHT = 3;
const TICKED = /[[(]\s?[xX✓✔]\s?[\])]\s?$|[☒☑✓✔]\s?$/;
const UNTICKED = /[[(]\s*[\])]\s?$|☐\s?$/;
const TICKED_BEHIND = /^\s?(?:[[(]\s?[xX✓✔]\s?[\])]|[☒☑✓✔])/;
const UNTICKED_BEHIND = /^\s?(?:[[(]\s*[\])]|☐)/;
const MAX_MENTIONS = 50;
const SHORTEST_WORDING = 3;
const ANSWER = new RegExp(String.raw`(?<![\p{L}\d])(?:(${YES_WORDS})|(${NO_WORDS}))(?![\p{L}\d°º])`, 'giu');
const LEAST_LABEL = 0.2;

/** Enumeration members named in the text, or in other words if none is; one that stands alone wins. */
export function choiceCandidates(field: Field, evidence: Evidence): readonly Candidate[] {
  const named = mentions(field, evidence, spellingOf);
  const found = named.length > 0 ? named : mentions(field, evidence, otherSpellingsOf);
  const values = new Set(found.map(({ value }) => value));
  if (values.size !== 1) return found;
  return found.map((candidate) => ({ ...candidate, label: 1, score: candidate.score + ALONE_WEIGHT }));
}

function mentions(
  field: Field,
  evidence: Evidence,
  spelled: (choice: string) => string | undefined,
): readonly Candidate[] {
  if (field.choices.every(isCurrencyCode))
    return currencyCandidates(evidence).filter(({ value }) => field.choices.includes(value));
  return field.choices.flatMap((choice) => {
    const spelling =
      typeof choice === 'string' || typeof choice === 'number' ? spelled(String(choice)) : undefined;
    return spelling === undefined ? [] : mentionsOf({ choice, spelling }, field, evidence);
  });
}

function mentionsOf(
  { choice, spelling }: { readonly choice: unknown; readonly spelling: string },
  field: Field,
  evidence: Evidence,
): readonly Candidate[] {
  const { source, plainText } = evidence;
  const { text } = source;
  const pattern = new RegExp(String.raw`(?<![\p{L}\d])(?:${spelling})(?![\p{L}])`, 'giu');
  return Array.from(plainText.matchAll(pattern))
    .slice(0, MAX_MENTIONS)
    .flatMap((match) => {
      const start = match.index;
      const end = start + match[0].length;
      const position = positionAt(evidence, start);
      if (position === undefined) return [];
      const before = text.slice(Math.max(0, start - 5), start);
      const tick = tickWeight(before, text.slice(end, lineEnd(text, end)));
      // A box that is not ticked says that it is another member.
      if (tick < 0) return [];
      const label = labelScore(field, position);
      const score = LABEL_WEIGHT * label + PRESENT_WEIGHT + tick;
      return [
        { value: choice, text: text.slice(start, end), start, end, label: tick > 0 ? 1 : label, score },
      ];
    });
}

function spellingOf(choice: string): string | undefined {
  return wordsPattern(plainLetters(spacedName(choice).trim()));
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

/** The weight of the box beside a word: the one before it, or the one behind it where the last of a line has nothing behind. */
function tickWeight(before: string, after: string): number {
  if (TICKED.test(before)) return TICKED_WEIGHT;
  if (UNTICKED.test(before)) return -TICKED_WEIGHT;
  if (!/[\])☐☒☑✓✔]\s*$/.test(after)) return 0;
  return TICKED_BEHIND.test(after) ? TICKED_WEIGHT : UNTICKED_BEHIND.test(after) ? -TICKED_WEIGHT : 0;
}

/** Short words mean too many things. */
function otherSpellingsOf(choice: string): string | undefined {
  const others = otherWordings(plainWords(choice)).filter(({ length }) => length >= SHORTEST_WORDING);
  return others.length === 0 ? undefined : others.flatMap((words) => wordsPattern(words) ?? []).join('|');
}

function wordsPattern(words: string): string | undefined {
  return words === '' ? undefined : words.split(/\s+/).map(escaped).join(String.raw`[\s_-]+`);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}

/** Yes or no after the field's label, and checkboxes beside it. */
export function booleanCandidates(field: Field, evidence: Evidence): readonly Candidate[] {
  const { text } = evidence.source;
  const pairs = findAnswerPairs(text).flatMap(({ value, start, text: pair }) => {
    const position = positionAt(evidence, start);
    const label = position === undefined ? 0 : labelScore(field, position);
    if (label < LEAST_LABEL) return [];
    const answer = answerAt(start, pair, { value, label });
    return [{ ...answer, score: answer.score + PAIR_WEIGHT }];
  });
  const answers = Array.from(text.matchAll(ANSWER)).flatMap((match) => {
    if (pairs.some(({ start, end }) => start <= match.index && match.index < end)) return [];
    const position = positionAt(evidence, match.index);
    const label = position === undefined ? 0 : labelScore(field, position);
    return label < LEAST_LABEL
      ? []
      : [answerAt(match.index, match[0], { value: match[1] !== undefined, label })];
  });
  const boxes = findCheckboxes(text).flatMap(({ isTicked, label: words, start, text: box }) => {
    const label = words.length < 2 ? 0 : similarity(labelTokens(words), field.words);
    return label < LEAST_LABEL ? [] : [answerAt(start, box, { value: isTicked, label })];
  });
  return [...pairs, ...answers, ...boxes];
}

function answerAt(
  start: number,
  text: string,
  { value, label }: { readonly value: boolean; readonly label: number },
): Candidate {
  return { value, text, start, end: start + text.length, label, score: LABEL_WEIGHT * label };
}
