import type { Leaves } from '../normalise/leaves.ts';
import type {
  ArrayFacts,
  Conjunction,
  Facts,
  NumberFacts,
  ObjectFacts,
  StringFacts,
} from '../normalise/schema-node.ts';
import {
  belongsTo,
  equalJson,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  typeOf,
} from '../terms/json.ts';
import { itemSchemas } from './item-schemas.ts';
import { propertySchemas } from './property-schemas.ts';
import type { StringLanguages } from './string-language.ts';

/** Decides which values of an enum satisfy the rest of the schema. */
export class ValueJudge {
  readonly #leaves: Leaves;
  readonly #strings: StringLanguages;

  constructor(leaves: Leaves, strings: StringLanguages) {
    this.#leaves = leaves;
    this.#strings = strings;
  }

  satisfies(value: Json, conjunction: Conjunction): boolean {
    return this.#leaves.of(conjunction).some((leaf) => this.satisfiesFacts(value, leaf));
  }

  satisfiesFacts(value: Json, facts: readonly Facts[]): boolean {
    return facts.every((fact) => this.#satisfiesOwn(value, fact)) && this.#satisfiesInside(value, facts);
  }

  #satisfiesOwn(value: Json, facts: Facts): boolean {
    const { types, values, excludedValues } = facts;
    if (types && !belongsTo(typeOf(value), types)) return false;
    // Identity first: the value usually comes from the list itself, which may be long.
    if (values && !values.includes(value) && !values.some((other) => equalJson(other, value))) return false;
    if (excludedValues?.some((other) => equalJson(other, value))) return false;
    if (typeof value === 'string' && facts.string) return this.#satisfiesString(value, facts.string);
    if (typeof value === 'number' && facts.number) return satisfiesNumber(value, facts.number);
    if (isArray(value) && facts.array) return this.#satisfiesArray(value, facts.array);
    return !isObject(value) || !facts.object || this.#satisfiesObject(value, facts.object);
  }

  #satisfiesString(text: string, facts: StringFacts): boolean {
    const length = [...text].length;
    if (length < (facts.minLength ?? 0) || length > (facts.maxLength ?? Infinity)) return false;
    if (facts.pattern !== undefined && !this.#strings.matches(facts.pattern, text)) return false;
    if (facts.excludedPattern !== undefined && this.#strings.matches(facts.excludedPattern, text))
      return false;
    return facts.format === undefined || this.#strings.hasFormat(facts.format, text);
  }

  #satisfiesArray(items: readonly Json[], facts: ArrayFacts): boolean {
    if (items.length < (facts.minItems ?? 0) || items.length > (facts.maxItems ?? Infinity)) return false;
    const isRepeated = (item: Json, index: number) =>
      items.slice(0, index).some((other) => equalJson(item, other));
    if (facts.areUnique && items.some(isRepeated)) return false;
    const { contains } = facts;
    if (!contains) return true;
    const count = items.filter((item) => this.satisfies(item, [contains.schema])).length;
    return count >= contains.min && count <= contains.max;
  }

  #satisfiesObject(object: JsonObject, facts: ObjectFacts): boolean {
    const keys = Object.keys(object);
    if (keys.length < (facts.minProperties ?? 0) || keys.length > (facts.maxProperties ?? Infinity))
      return false;
    if (facts.required?.some((name) => !Object.hasOwn(object, name))) return false;
    const { names } = facts;
    return !names || keys.every((key) => this.satisfies(key, [names]));
  }

  #satisfiesInside(value: Json, facts: readonly Facts[]): boolean {
    if (isArray(value)) return value.every((item, index) => this.satisfies(item, itemSchemas(facts, index)));
    if (!isObject(value)) return true;
    return Object.entries(value).every(([key, member]) =>
      this.satisfies(member, propertySchemas(facts, key, this.#strings)),
    );
  }
}

function satisfiesNumber(
  value: number,
  { minimum, maximum, multipleOf, excludedDivisor }: NumberFacts,
): boolean {
  if (excludedDivisor !== undefined && isMultiple(value, excludedDivisor)) return false;
  if (minimum && (value < minimum.value || (minimum.exclusive && value === minimum.value))) return false;
  if (maximum && (value > maximum.value || (maximum.exclusive && value === maximum.value))) return false;
  return multipleOf === undefined || isMultiple(value, multipleOf);
}

/** Tolerates rounding errors of binary fractions. */
function isMultiple(value: number, divisor: number): boolean {
  const quotient = value / divisor;
  return Math.abs(quotient - Math.round(quotient)) < 1e-9;
}
