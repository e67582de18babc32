import { findDates } from '../../values/find-dates.ts';
import type { Segment } from './source-text.ts';

const BORN =
  /(?<!\p{L})(?:geb(?:oren|\.)|born|née?|né\(?e?\)?|nacid[oa]|nat[oa]|nascid[oa]|urodzon[ya]|ur\.)(?!\p{L})/iu;
const DATE_WORDS = /^\s*(?:am|on|le|il|el|op|em|dnia|a|de)?\s*$/iu;
const PLACE =
  /(?:^|\s)(?:in|à|a|ad|en|te|w|we|em|at)\s+(\p{Lu}[\p{L}.'’-]*(?:\s+(?:\p{Ll}{1,3}\s+)?\p{Lu}[\p{L}.'’-]*){0,2})/u;

/** Where the words about a birth begin in a segment: `geboren am 19. August 1988 in Leer`. */
export interface Birth {
  readonly date: number | undefined;
  readonly place: number | undefined;
}

/** The date and the place in a segment that says when and where a person was born; undefined if it says neither. */
export function birthIn({ text }: Segment, before: string): Birth | undefined {
  const own = BORN.exec(text);
  const from = own === null ? 0 : own.index + own[0].length;
  if (own === null && !BORN.test(before)) return undefined;
  const said = text.slice(from);
  const [date] = findDates(said);
  const place = PLACE.exec(said);
  const isDated = date !== undefined && (DATE_WORDS.test(said.slice(0, date.start)) || place !== null);
  const placeAt = place === null ? undefined : from + place.index + place[0].length - (place[1] ?? '').length;
  if (!isDated && placeAt === undefined) return undefined;
  return {
    date: isDated ? from + date.start : undefined,
    place: isDated || own !== null ? placeAt : undefined,
  };
}
