import type { Field } from '../plan/schema-plan.ts';
import { type FieldWords, fieldWords, labelTokens, similarity, spacedName } from '../words/label-words.ts';

/** Fields that belong together: the properties of an object, or those with the same word before their names. */
export interface FieldGroup {
  readonly fields: ReadonlySet<Field>;
  readonly words: FieldWords;
  /** A letter or a number that tells it from groups with the same words: `a` of `vehicle_a`. */
  readonly mark: string | undefined;
}

const MARK = /(?:^|\s)(\p{L}|\d{1,2})$/u;

/** The groups of a schema: nested objects, and flat names that share their first word while another group has the same rest. */
export function groupsOf(fields: readonly Field[]): readonly FieldGroup[] {
  const nested = grouped(fields, ({ path }) => (path.length < 2 ? undefined : path.slice(0, -1).join('/')));
  const flat = grouped(fields, ({ path }) => (path.length > 1 ? undefined : partsOf(path[0] ?? '').prefix));
  const flatKept = Array.from(flat).filter(
    ([, own]) =>
      own.length > 1 && Array.from(flat.values()).some((other) => other !== own && sharesRest(own, other)),
  );
  return [
    ...Array.from(nested.values(), (own) => groupOf(own[0]?.path.at(-2) ?? '', own)),
    ...flatKept.map(([prefix, own]) => groupOf(prefix, own)),
  ];
}

/** How well the text of a heading names a group, from 0 to 1. */
export function headingFit({ words, mark }: FieldGroup, text: string): number {
  if (mark !== undefined && markOf(text) !== mark) return 0;
  return similarity(labelTokens(mark === undefined ? text : text.replace(MARK, '')), words);
}

function groupOf(name: string, fields: readonly Field[]): FieldGroup {
  const spaced = spacedName(name);
  return { fields: new Set(fields), words: fieldWords(spaced.replace(MARK, ''), ''), mark: markOf(spaced) };
}

function markOf(text: string): string | undefined {
  return MARK.exec(text)?.[1]?.toLowerCase();
}

function grouped(
  fields: readonly Field[],
  nameOf: (field: Field) => string | undefined,
): ReadonlyMap<string, readonly Field[]> {
  const groups = new Map<string, Field[]>();
  for (const field of fields) {
    const name = nameOf(field);
    if (name !== undefined) groups.set(name, [...(groups.get(name) ?? []), field]);
  }
  return groups;
}

/** `landlord_name`: the group and what its field is called there. */
function partsOf(name: string): { readonly prefix: string | undefined; readonly rest: string } {
  const [prefix, ...rest] = spacedName(name).toLowerCase().split(' ');
  return { prefix: rest.length === 0 ? undefined : prefix, rest: rest.join(' ') };
}

function sharesRest(some: readonly Field[], others: readonly Field[]): boolean {
  const restOf = ({ path }: Field) => partsOf(path.at(-1) ?? '').rest;
  return some.some((one) => others.some((other) => restOf(one) === restOf(other)));
}
