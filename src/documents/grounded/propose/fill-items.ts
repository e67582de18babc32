import type { LeafPlan, ListPlan } from '../plan/schema-plan.ts';
import type { SourceText } from '../read/source-text.ts';
import { isAbout } from './candidate.ts';
import { cellValue } from './cell-value.ts';
import type { FilledList } from './filled-list.ts';
import { labelledText } from './labelled-text.ts';
import { onlyListed } from './listed-text.ts';
import { isItem, itemOf, partsOf } from './text-parts.ts';
import type { TextSlice } from './text-slice.ts';

/** A role in brackets behind a name: `Ann Lee (chair)`. */
const ROLE = /^(\p{Lu}[^\d()]*\S)\s+\(\p{Ll}[\p{L}\s.-]{1,30}\)$/u;
/** The level of a language, or who a person is, in brackets behind it. */
const BEHIND = /^([^()]*\S)\s+\([^()]+\)$/u;
/** A person with a title, and what is said of the person in brackets. */
const TITLED =
  /^((?:Mrs?|Ms|Mme|Mlle|M|Drs?|Prof|Herr|Frau|Sr|Sra|Srta|Dña|D|Sig|Sig\.ra|Dott|Dhr|Mw|Mevr|Pani?|Cllr)\.?\s\p{Lu}[^()]*\S)\s+\([^()]+\)$/iu;
/** The size of a file in brackets behind its name. */
const SIZED = /^(\S+\.\w{2,4})\s+\([\d.,]+\s?[kMG]?B\)$/i;
/** A person's names, two or more. */
const NAME = /^\p{Lu}[\p{L}.'’-]*(?:\s\p{Lu}[\p{L}.'’-]*){1,3}$/u;
const PERSONS = ['present', 'apologies', 'person', 'member', 'employee', 'contact'] as const;

/** Builds a list of plain values from the text after or below the list's label, or from the only list of a document. */
export function fillItems(
  plan: ListPlan & { readonly item: LeafPlan },
  source: SourceText,
): FilledList | undefined {
  const found = labelledText(plan.words, source) ?? onlyListed(source);
  if (found === undefined) return undefined;
  const isListed = found.pieces.filter(({ text }) => isItem(text)).length > 1;
  const items = found.pieces
    .flatMap((piece) => (isItem(piece.text) && isListed ? [itemOf(piece)] : partsOf(piece).flatMap(namesOf)))
    .map((part) =>
      withoutBrackets(part, isAbout(plan, 'language', ...PERSONS) ? [BEHIND] : [ROLE, TITLED, SIZED]),
    )
    .filter(({ text }) => !/^\([^()]*\)?$/.test(text))
    .flatMap((piece) => {
      const value = cellValue(plan.item.field, piece.text);
      return value === undefined ? [] : [{ value, leaves: new Map([['', piece]]) }];
    });
  return items.length === 0
    ? undefined
    : { items: items.slice(0, plan.maxItems), fit: found.fit, isNamed: found.fit > 0 };
}

/** Names between dashes: `Dr Ann Lee - Dr Tom Wu`. */
function namesOf(part: TextSlice): readonly TextSlice[] {
  const names = part.text.split(/\s[-–—/]\s/);
  if (names.length < 2 || !names.every((name) => NAME.test(name))) return [part];
  let from = 0;
  return names.map((text) => {
    from = part.text.indexOf(text, from);
    const start = part.start + from;
    from += text.length;
    return { text, start, end: start + text.length };
  });
}

function withoutBrackets({ text, start, end }: TextSlice, patterns: readonly RegExp[]): TextSlice {
  const bare = patterns.map((pattern) => pattern.exec(text)?.[1]).find((found) => found !== undefined);
  return bare === undefined ? { text, start, end } : { text: bare, start, end: start + bare.length };
}
