import { type DocumentContext, readContext } from '../../values/document-context.ts';
import { normalise } from '../../values/normalise.ts';
import type { Field } from '../plan/schema-plan.ts';
import { isAbout } from './candidate.ts';

/** Cells of these kinds hold the value alone, with a sign or a unit; a longer text is another column. */
const ALONE =
  /^[^\p{L}\d]*(?:\p{L}{1,3}\.?\s?)?[-−–(]?\s?[^\p{L}\d]*\d[\d\s.,'’]*(?:[-–—]{1,2})?\s*\)?\s*(?:%|\p{Sc}|\p{L}{1,4}\.?)?$/u;
const MOST_ANSWER_CHARACTERS = 12;

/** The decision on a motion, as a yes or no. */
const ADOPTED =
  /^(?:adopted|accepted|approved|carried|passed|angenommen|genehmigt|aangenomen|goedgekeurd|adoptée?|approuvée?|approvat[oa]|aprobad[oa]|aprovad[oa]|przyjęt[aoy])$/i;
const REJECTED =
  /^(?:rejected|refused|declined|lost|abgelehnt|verworpen|afgewezen|rejetée?|refusée?|respint[oa]|rechazad[oa]|rejeitad[oa]|odrzucon[aoy])$/i;
/** Marks of a laboratory behind a value: `3 (!)`. */
const MARK = /\s+\(?[!*]+\)?$/;

/** Parses a table cell or list item as a value of the field; undefined if it does not fit. */
export function cellValue(field: Field, text: string, context: DocumentContext = readContext(text)): unknown {
  const { kind, choices } = field;
  if (kind === 'text') return text;
  const isNumber = kind === 'number' || kind === 'integer';
  if (isNumber && MARK.test(text)) return cellValue(field, text.replace(MARK, ''), context);
  if (isNumber && !ALONE.test(text.trim())) return undefined;
  if (kind === 'boolean' && text.trim().length > MOST_ANSWER_CHARACTERS) return undefined;
  if (kind === 'boolean' && REJECTED.test(text.trim())) return false;
  if (kind === 'boolean' && ADOPTED.test(text.trim())) return true;
  return normalise(text, { kind, choices, isCurrency: isAbout(field, 'currency') }, context);
}

/** Reads words that the network found as the field asks; undefined if they are no such value. */
export function spanValue(field: Field, text: string, context: DocumentContext): unknown {
  const { kind, choices } = field;
  return normalise(text, { kind, choices, isCurrency: isAbout(field, 'currency') }, context);
}
