/** One value of a page's state: how it is written into the address and read from there. */
export interface Param<T> {
  readonly initial: T;
  /** undefined: not a value of this kind. */
  read(text: string): T | undefined;
  write(value: T): string;
}

export type Shape = Readonly<Record<string, Param<unknown>>>;
export type StateOf<S extends Shape> = { readonly [K in keyof S]: S[K] extends Param<infer T> ? T : never };

export function text(initial = ''): Param<string> {
  return { initial, read: (value) => value, write: (value) => value };
}

export function choice<const T extends string>(values: readonly T[], initial: T): Param<T> {
  return { initial, read: (value) => values.find((known) => known === value), write: (value) => value };
}

export function flag(initial: boolean): Param<boolean> {
  const values = new Map([
    ['yes', true],
    ['no', false],
  ]);
  return { initial, read: (value) => values.get(value), write: (value) => (value ? 'yes' : 'no') };
}

/** A number or nothing. */
export function number(initial: number | null): Param<number | null> {
  return {
    initial,
    read: (value) =>
      value === 'none'
        ? null
        : value.trim() !== '' && Number.isFinite(Number(value))
          ? Number(value)
          : undefined,
    write: (value) => (value === null ? 'none' : String(value)),
  };
}

/** A list or an object; `isValid` says whether what was read is one of ours. */
export function json<T>(initial: T, isValid: (value: unknown) => value is T): Param<T> {
  return {
    initial,
    read: (value) => {
      try {
        const parsed: unknown = JSON.parse(value);
        return isValid(parsed) ? parsed : undefined;
      } catch {
        return undefined;
      }
    },
    write: (value) => JSON.stringify(value),
  };
}

/** The state in a fragment (`#stack=shop&by=day`); what is missing or wrong has its initial value. */
export function readState<S extends Shape>(shape: S, fragment: string): StateOf<S> {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''));
  const entries = Object.entries(shape).map(([name, param]) => {
    const written = fields.get(name);
    const value = written === null ? undefined : param.read(written);
    return [name, value === undefined ? param.initial : value] as const;
  });
  return Object.fromEntries(entries) as StateOf<S>;
}

/** The fragment of a state, without what is initial. */
export function writeState<S extends Shape>(shape: S, state: StateOf<S>): string {
  const fields = new URLSearchParams();
  for (const [name, param] of Object.entries(shape)) {
    const written = param.write(state[name]);
    if (written !== param.write(param.initial)) fields.set(name, written);
  }
  const fragment = fields.toString();
  return fragment === '' ? '' : `#${fragment}`;
}
