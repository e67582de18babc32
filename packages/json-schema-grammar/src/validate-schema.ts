import { Ajv, type ErrorObject, type Options } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { isRegex } from './automata/pattern-dfa.ts';
import { isArray, isObject, type Json } from './terms/json.ts';
import { SchemaRefused } from './terms/schema-refused.ts';

/** A dialect of JSON Schema; drafts 04 and 06 are read as 07. */
export type Draft = 'draft-07' | '2019-09' | '2020-12';

/** The draft that a schema declares; 2020-12 by default. */
export function draftOf(schema: unknown): Draft {
  const declared = isJsonObject(schema) ? schema.$schema : undefined;
  if (typeof declared !== 'string') return '2020-12';
  if (/draft-0[3467]/.test(declared)) return 'draft-07';
  return declared.includes('2019-09') ? '2019-09' : '2020-12';
}

/** Creates an Ajv instance for one draft, with formats, and with patterns that are valid outside unicode mode only. */
export function createAjv(
  draft: Draft,
  more: Pick<Options, 'allErrors' | 'validateSchema' | 'code'> = {},
): Ajv {
  const options = {
    strict: false,
    allErrors: false,
    validateFormats: true,
    logger: false,
    multipleOfPrecision: 9,
    ...more,
  } as const;
  const constructors = { 'draft-07': Ajv, '2019-09': Ajv2019, '2020-12': Ajv2020 };
  const ajv = new constructors[draft](options);
  ajvFormats.default(ajv);
  ajv.addFormat('regex', isRegex);
  return ajv;
}

/** Validates schemas. Keeps one Ajv instance per draft, since creating one takes longer than validating most schemas. */
export class SchemaValidator {
  readonly #validators = new Map<Draft, Ajv>();

  /** Returns the schema as JSON; throws SchemaRefused with the first error. */
  validate(schema: unknown): Json {
    if (typeof schema !== 'boolean' && !isJsonObject(schema)) {
      throw new SchemaRefused('invalid', '', 'A schema is a JSON object, or true or false.');
    }
    const draft = draftOf(schema);
    const ajv = this.#validators.get(draft) ?? createAjv(draft);
    this.#validators.set(draft, ajv);
    const modern = modernise(schema as Json);
    const metaSchema = ajv.defaultMeta();
    if (typeof metaSchema === 'string' && ajv.validate(metaSchema, modern) !== true) refuse(ajv.errors?.[0]);
    return schema as Json;
  }
}

function isJsonObject(value: unknown): value is Record<string, unknown> {
  return isObject(value as Json);
}

function refuse(error: ErrorObject | null | undefined): never {
  const path = error?.instancePath ?? '';
  const place = path === '' ? 'The schema' : `The schema at ${path}`;
  throw new SchemaRefused('invalid', path, `${place} is not valid: it ${error?.message ?? 'breaks a rule'}.`);
}

/** Converts a draft 4 schema for validation by later drafts: drops boolean `exclusiveMinimum` and `exclusiveMaximum`. */
function modernise(value: Json): Json {
  if (isArray(value)) return moderniseItems(value);
  if (!isObject(value)) return value;
  // Copied only if something changes, which is rare.
  let copy: Record<string, Json> | undefined;
  for (const key of Object.keys(value)) {
    const member = value[key] ?? null;
    const modern = moderniseMember(key, member);
    if (modern === member) continue;
    copy ??= { ...value };
    if (modern === undefined) delete copy[key];
    else copy[key] = modern;
  }
  return copy ?? value;
}

function moderniseItems(items: readonly Json[]): readonly Json[] {
  let copy: Json[] | undefined;
  for (const [index, item] of items.entries()) {
    const modern = modernise(item);
    if (modern === item) continue;
    copy ??= [...items];
    copy[index] = modern;
  }
  return copy ?? items;
}

/** Undefined if the keyword is dropped. */
function moderniseMember(key: string, member: Json): Json | undefined {
  const isDraft4Limit = key === 'exclusiveMinimum' || key === 'exclusiveMaximum';
  if (key === '$schema' || (isDraft4Limit && typeof member === 'boolean')) return undefined;
  return key === 'enum' && isArray(member) ? withoutRepetition(member) : modernise(member);
}

/** Older drafts forbid repeated enum values, which are harmless. */
function withoutRepetition(values: readonly Json[]): readonly Json[] {
  const distinct = new Map(values.map((value) => [JSON.stringify(value), value]));
  return distinct.size === values.length ? values : [...distinct.values()];
}
