/** A parameter of a statement, as pg takes it. */
export type StatementValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | bigint
  | Date
  | Uint8Array
  | readonly StatementValue[];

/** A parameter as JSON; bytes are marked. */
export type JsonValue = string | number | boolean | null | { readonly base64: string } | readonly JsonValue[];

/** A statement of a release, with the values of one time that it was sent. */
export interface RecordedStatement {
  readonly text: string;
  readonly values: readonly JsonValue[];
}

export function toJsonValue(value: StatementValue): JsonValue {
  if (value === undefined || value === null) return null;
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') };
  if (typeof value === 'object') return value.map(toJsonValue);
  return value;
}

export function fromJsonValue(value: JsonValue): unknown {
  if (value === null || typeof value !== 'object') return value;
  if ('base64' in value) return Buffer.from(value.base64, 'base64');
  return value.map(fromJsonValue);
}
