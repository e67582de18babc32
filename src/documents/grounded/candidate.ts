import { similarity } from './label-words.ts';
import type { Place } from './places.ts';
import type { Field } from './schema-plan.ts';

/** A value that a field may take, where it stands, and how much speaks for it. */
export interface Candidate {
  readonly value: unknown;
  /** As the text spells it. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** How well the labels near it name the field, from 0 to about 1.5. */
  readonly label: number;
  readonly score: number;
}

/** Measured on the development set, as are the other weights. */
export const LABEL_WEIGHT = 3;
const GROUP_SHARE = 0.6;
const HEADING_WEIGHT = 0.8;
/** A heading may name the field itself where nothing nearer does. */
const OWN_HEADING_WEIGHT = 0.35;

/** How well what stands near a place names a field. */
export function labelScore(field: Pick<Field, 'words' | 'groupWords'>, place: Place): number {
  const near = Math.max(
    0,
    ...place.labels.map(({ tokens, weight }) => weight * similarity(tokens, field.words)),
  );
  const own = Math.max(near, OWN_HEADING_WEIGHT * similarity(place.heading, field.words));
  if (field.groupWords.size === 0) return own;
  const group = Math.max(
    HEADING_WEIGHT * similarity(place.heading, field.groupWords),
    ...place.labels.map(({ tokens, weight }) => weight * similarity(tokens, field.groupWords)),
  );
  return own + GROUP_SHARE * group;
}

/** Whether a field's own name has one of the concepts. */
export function isAbout(field: Pick<Field, 'words'>, ...concepts: readonly string[]): boolean {
  for (const token of field.words.tokens) {
    if (token.split('|').some((part) => concepts.includes(part.slice(1)) && part.startsWith('=')))
      return true;
  }
  return false;
}
