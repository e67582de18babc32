import { type Candidate, LABEL_WEIGHT, labelScore } from './candidate.ts';
import { type Evidence, positionAt } from './evidence.ts';
import { spacedName } from './label-words.ts';
import { plainLetters } from './plain-letters.ts';
import type { Field } from './schema-plan.ts';
import { CURRENCY_SIGNS } from './text-candidates.ts';

const PRESENT_WEIGHT = 1;
const ALONE_WEIGHT = 3;
const TICKED_WEIGHT = 6;
const TICKED = /[[(]\s?[xX✓✔]\s?[\])]\s?$|[☒☑✓✔]\s?$/;
const UNTICKED = /[[(]\s*[\])]\s?$|☐\s?$/;
const MAX_MENTIONS = 50;

/** Enumeration members named in the text; one that stands alone wins. */
export function choiceCandidates(field: Field, evidence: Evidence): readonly Candidate[] {
  const found = field.choices.flatMap((choice) => mentionsOf(choice, field, evidence));
  const named = new Set(found.map(({ value }) => value));
  if (named.size !== 1) return found;
  return found.map((candidate) => ({ ...candidate, label: 1, score: candidate.score + ALONE_WEIGHT }));
}

function mentionsOf(choice: unknown, field: Field, evidence: Evidence): readonly Candidate[] {
  const pattern = patternOf(choice);
  if (pattern === undefined) return [];
  const { source, plainText } = evidence;
  const { text } = source;
  return Array.from(plainText.matchAll(pattern))
    .slice(0, MAX_MENTIONS)
    .flatMap((match) => {
      const start = match.index;
      const end = start + match[0].length;
      const position = positionAt(evidence, start);
      if (position === undefined) return [];
      const before = text.slice(Math.max(0, start - 5), start);
      const tick = TICKED.test(before) ? TICKED_WEIGHT : UNTICKED.test(before) ? -TICKED_WEIGHT : 0;
      const label = labelScore(field, position);
      const score = LABEL_WEIGHT * label + PRESENT_WEIGHT + tick;
      return [
        { value: choice, text: text.slice(start, end), start, end, label: tick > 0 ? 1 : label, score },
      ];
    });
}

function patternOf(choice: unknown): RegExp | undefined {
  if (typeof choice !== 'string' && typeof choice !== 'number') return undefined;
  const sign = Array.from(CURRENCY_SIGNS).find(([, code]) => code === choice)?.[0];
  const words = plainLetters(spacedName(String(choice)).trim());
  if (words === '') return undefined;
  const spelled = words.split(/\s+/).map(escaped).join(String.raw`[\s_-]+`);
  const alternatives = sign === undefined ? spelled : `${spelled}|${escaped(sign)}`;
  const bounded = `(?<![\\p{L}\\d])(?:${alternatives})(?![\\p{L}])`;
  return new RegExp(bounded, 'giu');
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}
