import type { Field } from '../plan/schema-plan.ts';
import type { Position } from '../read/positions.ts';
import { similarity } from '../words/label-words.ts';
import type { ProposedField } from './network-answers.ts';

/** A possible value of a field, its position and score. */
export interface Candidate {
  readonly value: unknown;
  /** As spelled in the text. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** How well nearby labels name the field, from 0 to about 1.5. */
  readonly label: number;
  readonly score: number;
  /** Whether it is all that stands between a label that names the field and the end of its line or cell. */
  readonly fillsSlot?: boolean | undefined;
  /** Whether it is all of a cell, or of what stands behind a label, up to a comma. */
  readonly isWhole?: boolean | undefined;
  /** How far its score was ahead of the next value's when it was chosen. */
  readonly lead?: number | undefined;
  /** Whether a list may have it too: a label in brackets names it there. */
  readonly mayBeListed?: boolean | undefined;
  /** By the network; absent if it was not asked. */
  readonly probability?: number | undefined;
  /** Its words, if other things stand between them. */
  readonly ranges?: readonly { readonly start: number; readonly end: number }[] | undefined;
}

/** A field and its candidates. */
export interface FieldCandidates {
  readonly field: Field;
  readonly candidates: readonly Candidate[];
  /** Whether a document has a label for it with an empty slot. */
  readonly isBlank?: boolean;
  /** The network's answer, if it was asked. */
  readonly proposed?: ProposedField | undefined;
}

/** Below this, no label supports the value, and a nullable or optional field stays empty. */
export const LEAST_SUPPORT = 0.3;

/** All weights were tuned on the development set. */
export const LABEL_WEIGHT = 3;
const GROUP_SHARE = 0.6;
const HEADING_WEIGHT = 0.8;
/** A heading may name the field if no closer label does. */
const OWN_HEADING_WEIGHT = 0.35;

/** How well the labels around a position name a field. */
export function labelScore(field: Pick<Field, 'words' | 'groupWords'>, position: Position): number {
  const near = Math.max(
    0,
    ...position.labels.map(({ tokens, weight }) => weight * similarity(tokens, field.words)),
  );
  const own = Math.max(near, OWN_HEADING_WEIGHT * similarity(position.heading, field.words));
  if (field.groupWords.size === 0) return own;
  const group = Math.max(
    HEADING_WEIGHT * similarity(position.heading, field.groupWords),
    ...position.labels.map(({ tokens, weight }) => weight * similarity(tokens, field.groupWords)),
  );
  return own + GROUP_SHARE * group;
}

/** Whether the field's own name contains one of the concepts. */
export function isAbout(field: Pick<Field, 'words'>, ...concepts: readonly string[]): boolean {
  for (const token of field.words.tokens) {
    if (token.split('|').some((part) => concepts.includes(part.slice(1)) && part.startsWith('=')))
      return true;
  }
  return false;
}
