import { isRecord } from '../../lib/json-record.ts';

/** Removes duplicates from the list at a JSON pointer: models repeat items despite `uniqueItems`. */
export function withoutDuplicatesAt(value: unknown, pointer: string): unknown {
  const [, ...steps] = pointer.split('/').map(unescaped);
  return changedAt(value, steps);
}

function changedAt(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined) return Array.isArray(value) ? uniqueItems(value) : value;
  if (Array.isArray(value)) return value.with(Number(step), changedAt(value[Number(step)], rest));
  if (typeof value !== 'object' || value === null) return value;
  return { ...value, [step]: changedAt(Reflect.get(value, step), rest) };
}

function uniqueItems(items: readonly unknown[]): readonly unknown[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const text = canonical(item);
    const isNew = !seen.has(text);
    seen.add(text);
    return isNew;
  });
}

/** JSON with sorted keys, so that member order does not affect equality. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (!isRecord(member)) return member;
    return Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}

function unescaped(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}
