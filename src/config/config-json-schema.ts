import * as z from 'zod';
import { fileSchema } from './file-schema.ts';

/** The subset of JSON Schema that the file's schema uses. */
export interface JsonSchema {
  readonly $schema?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
}

/** The schema of the file's values. */
export function valueJsonSchema(): JsonSchema {
  // Only the keywords above are read; others pass through.
  return z.toJSONSchema(fileSchema, { io: 'input', target: 'draft-7' }) as JsonSchema;
}

/** The schema for editors: values, blank sections, and environment references. */
export function configJsonSchema(): JsonSchema {
  return { ...forEditors(valueJsonSchema()), title: 'Stackgate configuration' };
}

const reference: JsonSchema = { type: 'string', pattern: '\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}' };

function forEditors(schema: JsonSchema): JsonSchema {
  if (isConstrained(schema)) return orReference(schema);
  const { properties, additionalProperties, items, anyOf, oneOf } = schema;
  return {
    ...orBlank(schema),
    ...(properties && { properties: mapValues(properties, forEditors) }),
    ...(typeof additionalProperties === 'object' && {
      additionalProperties: forEditors(additionalProperties),
    }),
    ...(items && { items: forEditors(items) }),
    ...(anyOf && { anyOf: anyOf.map(forEditors) }),
    ...(oneOf && { oneOf: oneOf.map(forEditors) }),
  };
}

/** Whether the schema would reject an environment reference. */
function isConstrained({ type, enum: words, pattern, format }: JsonSchema): boolean {
  const isNumberOrFlag = [type].flat().some((name) => /^(integer|number|boolean)$/.test(name ?? ''));
  return isNumberOrFlag || words !== undefined || pattern !== undefined || format !== undefined;
}

function orReference({ description, default: fallback, ...value }: JsonSchema): JsonSchema {
  return {
    ...(description !== undefined && { description }),
    ...(fallback !== undefined && { default: fallback }),
    anyOf: [value, reference],
  };
}

/** A section or list with a default may be blank, which YAML reads as null. */
function orBlank(schema: JsonSchema): JsonSchema {
  const { default: fallback, ...rest } = schema;
  const isContainer = rest.type === 'object' || rest.type === 'array';
  if (!isContainer || typeof rest.type !== 'string' || fallback === undefined) return schema;
  return { ...rest, type: [rest.type, 'null'] };
}

function mapValues<Value>(
  record: Readonly<Record<string, Value>>,
  change: (value: Value) => Value,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
