import type { Conjunction, Facts, ObjectFacts } from '../normalise/schema-node.ts';
import type { StringLanguages } from './string-language.ts';

/** The schemas that apply to a property's value. */
export function propertySchemas(
  facts: readonly Facts[],
  name: string,
  strings: StringLanguages,
): Conjunction {
  return schemasOfKey(facts, {
    named: (object) => object.properties?.get(name),
    isMatched: (pattern) => strings.matches(pattern, name),
  });
}

/** The schemas that apply to the values of unnamed keys that match exactly these patterns. */
export function keyClassSchemas(facts: readonly Facts[], patterns: ReadonlySet<string>): Conjunction {
  return schemasOfKey(facts, { named: () => undefined, isMatched: (pattern) => patterns.has(pattern) });
}

interface Key {
  named(object: ObjectFacts): Conjunction[number] | undefined;
  isMatched(pattern: string): boolean;
}

/** `additionalProperties` applies if nothing else in its own schema does, `unevaluatedProperties` if nothing in its scope does. */
function schemasOfKey(facts: readonly Facts[], key: Key): Conjunction {
  if (!facts.some(({ object }) => object?.unevaluated)) {
    return facts.flatMap(({ object }) => statedSchemas(object, key));
  }
  const stated = new Map(facts.map((own) => [own, statedSchemas(own.object, key)]));
  const unevaluated = facts.flatMap((own) => {
    const rule = own.object?.unevaluated;
    if (!rule) return [];
    const isEvaluated = facts.some(
      (other) =>
        rule.scope.includes(other) &&
        (stated.get(other)?.length || (other !== own && other.object?.unevaluated)),
    );
    return isEvaluated ? [] : [rule.schema];
  });
  return [...[...stated.values()].flat(), ...unevaluated];
}

function statedSchemas(object: ObjectFacts | undefined, key: Key): Conjunction {
  if (!object) return [];
  const own = key.named(object);
  const schemas = own ? [own] : [];
  for (const { pattern, schema } of object.patterns ?? []) if (key.isMatched(pattern)) schemas.push(schema);
  return schemas.length > 0 || !object.additional ? schemas : [object.additional];
}
