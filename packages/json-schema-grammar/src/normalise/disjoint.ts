import { equalJson, type Json } from '../terms/json.ts';
import { agreedTypes, flatten } from './flatten.ts';
import { type Facts, isNever, type SchemaNode } from './schema-node.ts';

/** Whether the facts evidently exclude each other: by type, by value, or by a required property. */
export function isContradiction(facts: readonly Facts[]): boolean {
  const types = agreedTypes(facts);
  if (types?.size === 0) return true;
  const values = agreedValues(facts);
  if (values?.length === 0) return true;
  const isObject = types?.size === 1 && types.has('object');
  // A schema that contradicts itself is found later: its rules are unproductive.
  return (
    isObject &&
    facts.length > 1 &&
    facts.some(({ object }) => object?.required?.some((name) => isImpossible(name, facts)))
  );
}

/** The facts that hold in every alternative of a schema. */
export function factsOf(node: SchemaNode): readonly Facts[] {
  return flatten([node]).filter((item) => item.type === 'facts');
}

/** The values that all facts allow; undefined if none lists values. */
export function agreedValues(facts: readonly Facts[]): readonly Json[] | undefined {
  let agreed: readonly Json[] | undefined;
  for (const { values } of facts) {
    if (!values) continue;
    agreed = agreed ? agreed.filter((value) => values.some((other) => equalJson(other, value))) : values;
  }
  if (!agreed) return undefined;
  const excluded = facts.flatMap(({ excludedValues }) => excludedValues ?? []);
  return agreed.filter((value) => !excluded.some((other) => equalJson(other, value)));
}

/** Whether a property can have no value: its schemas contradict each other, or `additionalProperties` forbids it. */
function isImpossible(name: string, facts: readonly Facts[]): boolean {
  const schemas: SchemaNode[] = [];
  for (const { object } of facts) {
    const schema = object?.properties?.get(name);
    if (schema) schemas.push(schema);
    else if (object?.additional && isNever(object.additional) && !object.patterns?.length) return true;
  }
  // One level only: descending further would not end in recursive schemas.
  const stated = schemas.flatMap(factsOf);
  return agreedTypes(stated)?.size === 0 || agreedValues(stated)?.length === 0;
}
