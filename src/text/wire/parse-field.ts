import type { ZodType } from 'zod';
import { Fault } from '../../faults/fault.ts';

/** Parses a value with a schema whose messages say what is accepted; throws a fault that names the first invalid field. */
export function parseField<T>(schema: ZodType<T>, value: unknown, path = ''): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const steps = issue?.path ?? [];
  throw invalidField(pathOf(path, steps), {
    expected: issue?.message ?? 'something else',
    got: valueAt(value, steps),
  });
}

/** Parses a list item by item and stops at the first fault: a schema of the whole list would report every wrong item. */
export function parseEach<T>(schema: ZodType<T>, values: readonly unknown[], path: string): T[] {
  return values.map((value, index) => parseField(schema, value, `${path}[${index}]`));
}

/** The error text of a union with a tag: `kind` for a value that is no object, `tags` for a wrong tag. */
export function taggedError({ kind, tags }: { readonly kind: string; readonly tags: string }) {
  return ({ code }: { readonly code: string }): string => (code === 'invalid_type' ? kind : tags);
}

/** The fault of an invalid field. */
export function invalidField(
  path: string,
  { expected, got }: { readonly expected: string; readonly got: unknown },
): Fault {
  const subject = path === '' ? 'The body' : `\`${path}\``;
  const message =
    got === undefined
      ? `${subject} is missing; it must be ${expected}.`
      : `${subject} must be ${expected}, got ${describeValue(got)}.`;
  return new Fault('invalid-request', message, path === '' ? {} : { param: path });
}

const SHOWN_CHARACTERS = 40;

/** Describes a value shortly; long text is never repeated. */
export function describeValue(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value !== 'string') return String(value);
  return value.length <= SHOWN_CHARACTERS ? JSON.stringify(value) : `a string of ${value.length} characters`;
}

function pathOf(start: string, steps: readonly PropertyKey[]): string {
  return steps.reduce<string>((path, step) => {
    if (typeof step === 'number') return `${path}[${step}]`;
    return path === '' ? String(step) : `${path}.${String(step)}`;
  }, start);
}

function valueAt(value: unknown, steps: readonly PropertyKey[]): unknown {
  return steps.reduce<unknown>(
    (inner, step) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, step) : undefined),
    value,
  );
}
