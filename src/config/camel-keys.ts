type CamelCase<Name> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** A mapping with camelCase keys, without undefined values. */
export type CamelKeys<Value> = Value extends unknown
  ? { -readonly [Key in keyof Value as CamelCase<Key>]: Exclude<Value[Key], undefined> }
  : never;

/** Renames the keys of one mapping (not nested ones) and drops undefined values. */
export function camelKeys<Value extends object>(value: Value): CamelKeys<Value> {
  const entries = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .map(([key, each]) => [key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()), each]);
  // The type describes what happened at run time; the compiler cannot follow computed names.
  return Object.fromEntries(entries) as CamelKeys<Value>;
}
