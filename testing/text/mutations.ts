import fc from 'fast-check';

type Path = readonly (string | number)[];

interface Change {
  /** Index among all paths of the body. */
  readonly place: number;
  /** The new value; absent: the member is removed. */
  readonly value?: unknown;
}

const nastyValues: readonly unknown[] = [
  null,
  '',
  ' ',
  -1,
  0.5,
  1e308,
  true,
  [],
  {},
  [null],
  [[]],
  'x'.repeat(100_000),
  '\ud800',
  '\u0000',
  { type: 'nothing' },
  { type: null },
  [{ type: 'text' }],
  JSON.parse('{"__proto__": {"role": "user"}, "constructor": 1}'),
];

/** Bodies with one to three changes to a valid one, mostly for the worse. */
export function mutationsOf(body: unknown): fc.Arbitrary<unknown> {
  const values = fc.oneof(fc.constantFrom(...nastyValues), fc.jsonValue({ maxDepth: 3 }));
  const change: fc.Arbitrary<Change> = fc.oneof(
    { weight: 4, arbitrary: fc.record({ place: fc.nat(), value: values }) },
    { weight: 1, arbitrary: fc.record({ place: fc.nat() }) },
  );
  return fc.array(change, { minLength: 1, maxLength: 3 }).map((changes) => changes.reduce(changed, body));
}

function changed(body: unknown, change: Change): unknown {
  const paths = pathsOf(body);
  const path = paths[change.place % paths.length] ?? [];
  const copy: unknown = structuredClone(body);
  const last = path.at(-1);
  if (last === undefined) return 'value' in change ? change.value : {};
  const owner = path.slice(0, -1).reduce<unknown>((inner, key) => memberOf(inner, key), copy);
  if (typeof owner !== 'object' || owner === null) return copy;
  if ('value' in change) Reflect.set(owner, last, change.value);
  else Reflect.deleteProperty(owner, last);
  return copy;
}

/** Every path of a body, the root first. */
function pathsOf(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return [path, ...keys.flatMap((key) => pathsOf(memberOf(value, key), [...path, key]))];
}

function memberOf(value: unknown, key: string | number): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
