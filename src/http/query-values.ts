import { Fault } from '../faults/fault.ts';

/** The refusal of a query parameter. */
export function wrongParameter(name: string, expected: string, got: string): Fault {
  const message = `\`${name}\` must be ${expected}, got "${got.slice(0, 50)}".`;
  return new Fault('invalid-request', message, { param: name });
}

/** A parameter that is a whole number; `undefined` if it is absent. */
export function wholeNumberIn(
  query: URLSearchParams,
  name: string,
  { from, to }: { readonly from: number; readonly to: number },
): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : -1;
  if (value >= from && value <= to) return value;
  throw wrongParameter(name, `an integer from ${from} to ${to}`, text);
}

/** A parameter that is one of these words; the first if it is absent. */
export function wordIn<Word extends string>(
  query: URLSearchParams,
  name: string,
  words: readonly [Word, ...Word[]],
): Word {
  const text = query.get(name);
  const word = text === null ? words[0] : words.find((known) => known === text);
  if (word !== undefined) return word;
  throw wrongParameter(name, words.toSorted().join(' or '), text ?? '');
}
