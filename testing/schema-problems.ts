/** A JSON Schema, as far as the API description uses it. */
export type Schema = Readonly<Record<string, unknown>>;

const KNOWN_KEYWORDS: ReadonlySet<string> = new Set(
  '$ref,type,const,enum,required,properties,additionalProperties,items,minItems,maxItems,anyOf,minimum,maximum,pattern,format,description'.split(
    ',',
  ),
);

/** All problems of a value; an unsupported keyword is a problem too. */
export function schemaProblems(schema: Schema, value: unknown, root: Schema, at = '$'): readonly string[] {
  const unknown = Object.keys(schema).filter((keyword) => !KNOWN_KEYWORDS.has(keyword));
  if (unknown.length > 0) return [`${at}: cannot judge ${unknown.join(', ')}`];
  if (typeof schema.$ref === 'string') return schemaProblems(resolve(schema.$ref, root), value, root, at);
  return [
    ...typeProblems(schema, value, at),
    ...('const' in schema && schema.const !== value ? [`${at}: not ${JSON.stringify(schema.const)}`] : []),
    ...(Array.isArray(schema.enum) && !schema.enum.includes(value) ? [`${at}: none of the values`] : []),
    ...rangeProblems(schema, value, at),
    ...(Array.isArray(value) ? lengthProblems(schema, value, at) : []),
    ...anyOfProblems(schema, value, root, at),
    ...(isRecord(value) ? objectProblems(schema, value, root, at) : []),
    ...(Array.isArray(value) && isRecord(schema.items) ? itemProblems(schema.items, value, root, at) : []),
  ];
}

/** Resolves a reference inside the document. */
function resolve(reference: string, root: Schema): Schema {
  let found: unknown = root;
  for (const step of reference.replace(/^#\//, '').split('/'))
    found = isRecord(found) ? found[step] : undefined;
  if (!isRecord(found)) throw new Error(`${reference} points to nothing`);
  return found;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function typeProblems({ type }: Schema, value: unknown, at: string): readonly string[] {
  if (type === undefined) return [];
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  return types.some((name) => hasType(name, value)) ? [] : [`${at}: not of type ${types.join(' or ')}`];
}

function hasType(name: unknown, value: unknown): boolean {
  if (name === 'null') return value === null;
  if (name === 'array') return Array.isArray(value);
  if (name === 'integer') return Number.isInteger(value);
  if (name === 'object') return isRecord(value);
  return typeof value === name;
}

function rangeProblems({ minimum, maximum, pattern }: Schema, value: unknown, at: string): readonly string[] {
  const low = typeof minimum === 'number' && Number(value) < minimum;
  const high = typeof maximum === 'number' && Number(value) > maximum;
  const odd = typeof pattern === 'string' && !new RegExp(pattern).test(String(value));
  return [...(low || high ? [`${at}: out of range`] : []), ...(odd ? [`${at}: not like ${pattern}`] : [])];
}

function lengthProblems(
  { minItems, maxItems }: Schema,
  { length }: readonly unknown[],
  at: string,
): readonly string[] {
  const short = typeof minItems === 'number' && length < minItems;
  const long = typeof maxItems === 'number' && length > maxItems;
  return short || long ? [`${at}: ${length} items`] : [];
}

function anyOfProblems({ anyOf }: Schema, value: unknown, root: Schema, at: string): readonly string[] {
  if (!Array.isArray(anyOf)) return [];
  const fits = anyOf.some((choice: Schema) => schemaProblems(choice, value, root, at).length === 0);
  return fits ? [] : [`${at}: none of the choices`];
}

function objectProblems(
  schema: Schema,
  value: Readonly<Record<string, unknown>>,
  root: Schema,
  at: string,
): readonly string[] {
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const missing = required.filter((name) => !(String(name) in value)).map((name) => `${at}: no ${name}`);
  const extra = Object.keys(value)
    .filter((name) => schema.additionalProperties === false && !(name in properties))
    .map((name) => `${at}: unexpected ${name}`);
  const inside = Object.entries(properties).flatMap(([name, inner]) =>
    name in value && isRecord(inner) ? schemaProblems(inner, value[name], root, `${at}.${name}`) : [],
  );
  return [...missing, ...extra, ...inside];
}

function itemProblems(items: Schema, value: readonly unknown[], root: Schema, at: string): readonly string[] {
  return value.flatMap((item, index) => schemaProblems(items, item, root, `${at}[${index}]`));
}
