import { type Candidate, LABEL_WEIGHT, labelScore } from './candidate.ts';
import { type Evidence, positionAt } from './evidence.ts';
import { labelTokens, similarity } from './label-words.ts';
import type { Field } from './schema-plan.ts';

const YES = 'yes|true|ja|s[ií]|oui|sim|y|x|✓|✔|☒|☑';
const NO = 'no|false|nein|non|n[ãa]o|n|none|keine?|ninguno|aucun';
const ANSWER = new RegExp(String.raw`(?<![\p{L}\d])(?:(${YES})|(${NO}))(?![\p{L}\d°º])`, 'giu');
const BOX = /(?:[[(](\s*|\s?[xX✓✔]\s?)[\])]|([☐☒☑]))\s*([^[\]()☐☒☑\n]{2,60})/g;
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
  const boxes = Array.from(text.matchAll(BOX)).flatMap((match) => {
    const label = similarity(labelTokens(match[3] ?? ''), field.words);
    const isTicked = /[xX✓✔☒☑]/.test(`${match[1] ?? ''}${match[2] ?? ''}`);
    return label < LEAST_LABEL ? [] : [candidate(match.index, match[0], { value: isTicked, label })];
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
