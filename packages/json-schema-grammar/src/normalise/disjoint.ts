import { equalJson, type Json } from '../terms/json.ts';
import { agreedTypes, flatten } from './flatten.ts';
import { type Facts, isNever, type SchemaNode } from './schema-node.ts';

/** Whether these facts plainly exclude each other: by type, by value, or by a required property. */
export function isContradiction(facts: readonly Facts[]): boolean {
  const types = agreedTypes(facts);
  if (types?.size === 0) return true;
  const values = agreedValues(facts);
  if (values?.length === 0) return true;
  const isObject = types?.size === 1 && types.has('object');
  // One schema that contradicts itself is found when its rules turn out unproductive.
  return (
    isObject &&
    facts.length > 1 &&
    facts.some(({ object }) => object?.required?.some((name) => isImpossible(name, facts)))
  );
}

/** What a schema states whatever choice is taken. */
export function factsOf(node: SchemaNode): readonly Facts[] {
  return flatten([node]).filter((item) => item.type === 'facts');
}

/** The values all facts allow; undefined when none lists values. */
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

/** Whether a property cannot have a value: no schema of it agrees with the others, or it is not among the allowed. */
function isImpossible(name: string, facts: readonly Facts[]): boolean {
  const schemas: SchemaNode[] = [];
  for (const { object } of facts) {
    const schema = object?.properties?.get(name);
    if (schema) schemas.push(schema);
    else if (object?.additional && isNever(object.additional) && !object.patterns?.length) return true;
  }
  // One level only: what the properties themselves require would be followed without end in recursive schemas.
  const stated = schemas.flatMap(factsOf);
  return agreedTypes(stated)?.size === 0 || agreedValues(stated)?.length === 0;
}
