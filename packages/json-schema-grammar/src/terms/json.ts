/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** The type names of JSON Schema. An integer is also a number. */
export type TypeName = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

/** Whether a value is a JSON object. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is a JSON array. */
export function isArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** The type of a value; `integer` for a number without fraction. */
export function typeOf(value: Json): TypeName {
  if (value === null) return 'null';
  if (isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (typeof value === 'boolean') return 'boolean';
  return typeof value === 'string' ? 'string' : 'object';
}

/** Whether a value of one type belongs to a set of types. */
export function belongsTo(type: TypeName, types: ReadonlySet<TypeName>): boolean {
  return types.has(type) || (type === 'integer' && types.has('number'));
}

/** Whether two values are equal in JSON Schema's sense: the order of keys does not matter. */
export function equalJson(left: Json, right: Json): boolean {
  if (left === right) return true;
  if (isArray(left) && isArray(right)) {
    return left.length === right.length && left.every((item, index) => equalJson(item, right[index] ?? null));
  }
  if (!isObject(left) || !isObject(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && equalJson(left[key] ?? null, right[key] ?? null))
  );
}
