import { ANY_TEXT, type Dfa, EMPTY_LANGUAGE, isEmptyLanguage, testDfa } from '../automata/dfa.ts';
import { complement, intersect, unite } from '../automata/dfa-algebra.ts';
import { literalDfa } from '../automata/literal-dfa.ts';
import { attempt, PatternUnsupported } from '../automata/pattern-unsupported.ts';
import { addDfaRules } from '../grammar/dfa-rules.ts';
import { type Alternative, type RuleId, rule, text } from '../grammar/grammar-builder.ts';
import { agreedValues } from '../normalise/disjoint.ts';
import { agreedTypes } from '../normalise/flatten.ts';
import type { Leaf } from '../normalise/leaves.ts';
import { isNever, type SchemaNode } from '../normalise/schema-node.ts';
import { MAX_KEY_CLASSES } from '../terms/budgets.ts';
import { belongsTo } from '../terms/json.ts';
import type { Compilation } from './compilation.ts';
import { keyClassSchemas } from './property-schemas.ts';
import type { StringLanguages } from './string-language.ts';

/** The keys that match exactly these patterns. */
interface KeyClass {
  readonly keys: Dfa;
  readonly matched: ReadonlySet<string>;
}

/** A language of keys; `except` lists excluded names, if the language is any text. */
interface AllowedKeys {
  readonly keys: Dfa;
  readonly except: readonly string[];
}

interface Unnamed {
  readonly leaf: Leaf;
  readonly names: readonly string[];
  /** Whether the object is impossible or always empty without other keys. */
  readonly isNeeded: boolean;
}

/** The rule of members with unnamed keys; undefined if none are written. */
export function unnamedMembers(
  { leaf, names, isNeeded }: Unnamed,
  compilation: Compilation,
): RuleId | undefined {
  const { grammar, builtin, remarks, strings } = compilation;
  const isVolunteered = isNeeded || compilation.unnamedKeys === 'where-allowed' || isDescribed(leaf);
  const patterns = new Set(
    leaf.flatMap(({ object }) => object?.patterns?.map(({ pattern }) => pattern) ?? []),
  );
  if (!isVolunteered && patterns.size === 0) return undefined;
  const classes = attempt(() =>
    splitByPatterns(patterns, strings)
      .filter(({ matched }) => matched.size > 0 || isVolunteered)
      .filter(({ matched }) => !keyClassSchemas(leaf, matched).some(isNever))
      .map(({ keys, matched }) => ({ matched, ...allowedKeys(keys, { leaf, names }, compilation) })),
  );
  if (classes instanceof PatternUnsupported) {
    // It is unknown which keys match, so only named keys are written.
    const message = `Only named keys are written: ${classes.message}.`;
    remarks.narrow({ path: leaf[0]?.path ?? '', keyword: 'patternProperties', message });
    return undefined;
  }
  const members = classes
    .filter(({ keys }) => !isEmptyLanguage(keys))
    .map(({ matched, ...allowed }) => ({
      value: compilation.ruleFor(keyClassSchemas(leaf, matched)),
      key: keyRule(allowed, compilation),
    }));
  if (members.length === 0) return undefined;
  return grammar.share(`unnamed ${members.map(({ key, value }) => `${key} ${value}`).join()}`, () =>
    grammar.add(
      'unnamed',
      members.map(({ key, value }): Alternative => [rule(key), text(':'), builtin.space, rule(value)]),
    ),
  );
}

/** Whether a schema describes other keys. */
function isDescribed(leaf: Leaf): boolean {
  return leaf.some(({ object }) =>
    [object?.additional, object?.unevaluated?.schema].some(
      (schema) => schema !== undefined && !isNever(schema),
    ),
  );
}

function keyRule({ keys, except }: AllowedKeys, { grammar, builtin, caps, otherKeys }: Compilation): RuleId {
  if (keys === ANY_TEXT) return except.length > 0 ? otherKeys.ruleFor(except) : builtin.string;
  const first = addDfaRules(grammar, keys, { writing: 'in-string', maxLoops: caps.patternLength });
  return grammar.add('key', [[text('"'), rule(first), text('"')]]);
}

function splitByPatterns(patterns: ReadonlySet<string>, strings: StringLanguages): readonly KeyClass[] {
  let classes: readonly KeyClass[] = [{ keys: ANY_TEXT, matched: new Set() }];
  for (const pattern of patterns) {
    const shape = strings.pattern(pattern);
    if (shape instanceof PatternUnsupported) throw shape;
    classes = classes.flatMap(({ keys, matched }) => [
      { keys: both(keys, shape), matched: new Set([...matched, pattern]) },
      { keys: both(keys, complement(shape)), matched },
    ]);
    classes = classes.filter(({ keys }) => !isEmptyLanguage(keys));
    if (classes.length > MAX_KEY_CLASSES) throw new PatternUnsupported('there are too many patterns');
  }
  return classes;
}

/** Excludes named keys, whose values have their own schemas. */
function allowedKeys(
  keys: Dfa,
  { leaf, names }: Omit<Unnamed, 'isNeeded'>,
  compilation: Compilation,
): AllowedKeys {
  const rules = leaf.flatMap(({ object }) => object?.names ?? []);
  const ruled = rules.map((schema) => namesDfa(schema, compilation)).reduce(both, keys);
  if (ruled === ANY_TEXT) return { keys: ruled, except: names };
  const taken = names.filter((name) => testDfa(ruled, name));
  const rest = taken.length === 0 ? ruled : intersect(complement(literalDfa(taken)), ruled);
  return { keys: rest, except: [] };
}

function both(left: Dfa, right: Dfa): Dfa {
  if (left === ANY_TEXT) return right;
  return right === ANY_TEXT ? left : intersect(left, right);
}

/** The automaton of the strings that satisfy a `propertyNames` schema. */
function namesDfa(schema: SchemaNode, { leaves, strings, judge }: Compilation): Dfa {
  return leaves.of([schema]).reduce((keys, leaf) => {
    const types = agreedTypes(leaf);
    if (types && !belongsTo('string', types)) return keys;
    const values = agreedValues(leaf)?.filter((value) => judge.satisfiesFacts(value, leaf));
    const texts = values?.filter((value) => typeof value === 'string');
    return unite(keys, texts ? literalDfa(texts) : strings.dfaOf(leaf));
  }, EMPTY_LANGUAGE);
}
