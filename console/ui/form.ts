import { useState } from 'react';

/** The members of a state that hold a value of one kind. */
type NamesOf<T, V> = { [K in keyof T]-?: T[K] extends V ? K : never }[keyof T];

/** Ties fields to the members of a state, by name: `<TextField {...fields.text('prompt')} />`. */
export function fieldsOf<T extends object>(state: T, change: (next: Partial<T>) => void) {
  // A computed name loses its type; it is one of the state, of the kind that the field gives back.
  const set =
    <V>(name: keyof T) =>
    (value: V) =>
      change({ [name]: value } as unknown as Partial<T>);
  return {
    text: (name: NamesOf<T, string>) => ({ value: state[name] as string, onText: set<string>(name) }),
    number: (name: NamesOf<T, number | null>) => ({
      value: state[name] as number | null,
      onNumber: set<number | null>(name),
    }),
    flag: (name: NamesOf<T, boolean>) => ({
      checked: state[name] as boolean,
      onChange: set<boolean>(name),
    }),
    choice: <K extends NamesOf<T, string>>(name: K) => ({
      value: state[name] as T[K] & string,
      onChange: set<T[K] & string>(name),
    }),
  };
}

/** The state of a form that lives as long as its dialog, and its fields. */
export function useForm<T extends object>(initial: T | (() => T)) {
  const [form, setForm] = useState(initial);
  const change = (next: Partial<T>) => setForm((before) => ({ ...before, ...next }));
  return { form, change, reset: setForm, fields: fieldsOf(form, change) };
}
