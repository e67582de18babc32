import { findCheckboxes, NO_WORDS, YES_WORDS } from '../values/boolean-words.ts';
import { type Candidate, LABEL_WEIGHT, labelScore } from './candidate.ts';
import { type Evidence, positionAt } from './evidence.ts';
import { labelTokens, similarity } from './label-words.ts';
import type { Field } from './schema-plan.ts';

const ANSWER = new RegExp(String.raw`(?<![\p{L}\d])(?:(${YES_WORDS})|(${NO_WORDS}))(?![\p{L}\d°º])`, 'giu');
const LEAST_LABEL = 0.2;

/** Yes or no after the field's label, and checkboxes beside it. */
export function booleanCandidates(field: Field, evidence: Evidence): readonly Candidate[] {
  const { text } = evidence.source;
  const answers = Array.from(text.matchAll(ANSWER)).flatMap((match) => {
    const position = positionAt(evidence, match.index);
    const label = position === undefined ? 0 : labelScore(field, position);
    return label < LEAST_LABEL
      ? []
      : [candidate(match.index, match[0], { value: match[1] !== undefined, label })];
  });
  const boxes = findCheckboxes(text).flatMap(({ isTicked, label: words, start, text: box }) => {
    const label = words.length < 2 ? 0 : similarity(labelTokens(words), field.words);
    return label < LEAST_LABEL ? [] : [candidate(start, box, { value: isTicked, label })];
  });
  return [...answers, ...boxes];
}

function candidate(
  start: number,
  text: string,
  { value, label }: { readonly value: boolean; readonly label: number },
): Candidate {
  return { value, text, start, end: start + text.length, label, score: LABEL_WEIGHT * label };
}
