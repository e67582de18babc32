type CamelCase<Name> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** A mapping under its camelCase keys, without the ones that are undefined. */
export type CamelKeys<Value> = Value extends unknown
  ? { -readonly [Key in keyof Value as CamelCase<Key>]: Exclude<Value[Key], undefined> }
  : never;

/** Renames the keys of one mapping, not of those inside it, and leaves out what is undefined. */
export function camelKeys<Value extends object>(value: Value): CamelKeys<Value> {
  const entries = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .map(([key, each]) => [key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()), each]);
  // The line above did at run time what the type says; the compiler cannot follow names made of letters.
  return Object.fromEntries(entries) as CamelKeys<Value>;
}
