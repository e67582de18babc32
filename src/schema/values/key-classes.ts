import { ANY_TEXT, type Dfa, EMPTY_LANGUAGE, isEmptyLanguage } from '../automata/dfa.ts';
import { complement, intersect, unite } from '../automata/dfa-algebra.ts';
import { literalDfa } from '../automata/literal-dfa.ts';
import { PatternUnsupported } from '../automata/pattern-unsupported.ts';
import { addDfaRules } from '../grammar/dfa-rules.ts';
import { type Alternative, rule, text } from '../grammar/grammar-builder.ts';
import { agreedValues } from '../normalise/disjoint.ts';
import { agreedTypes } from '../normalise/flatten.ts';
import type { Leaf } from '../normalise/leaves.ts';
import { isNever, type SchemaNode } from '../normalise/schema-node.ts';
import { MAX_KEY_PATTERNS } from '../terms/budgets.ts';
import { belongsTo } from '../terms/json.ts';
import type { Compilation } from './compilation.ts';
import { attempt } from './pattern-library.ts';
import { keyClassSchemas } from './property-schemas.ts';

/** The keys that match exactly these of the patterns. */
interface KeyClass {
  readonly keys: Dfa;
  readonly matched: ReadonlySet<string>;
}

interface Unnamed {
  readonly leaf: Leaf;
  readonly names: readonly string[];
  /** Whether an object could not be written, or would always be empty, without other keys. */
  readonly isNeeded: boolean;
}

/** The rule of members whose key is not named; undefined where none is to be written. */
export function unnamedMembers(
  { leaf, names, isNeeded }: Unnamed,
  compilation: Compilation,
): string | undefined {
  const { grammar, builtin } = compilation;
  const isVolunteered = isNeeded || compilation.unnamedKeys === 'where-allowed' || isDescribed(leaf);
  const patterns = [
    ...new Set(leaf.flatMap(({ object }) => object?.patterns?.map(({ pattern }) => pattern) ?? [])),
  ];
  if (!isVolunteered && patterns.length === 0) return undefined;
  const classes = keyClasses({ leaf, names, patterns }, compilation).filter(
    ({ matched, keys }) => (matched.size > 0 || isVolunteered) && !isEmptyLanguage(keys),
  );
  const members = classes.flatMap(({ keys, matched }): Alternative[] => {
    const schemas = keyClassSchemas(leaf, matched);
    if (schemas.some(isNever)) return [];
    const value = compilation.ruleFor(schemas);
    return [[keyRule(keys, compilation), text(':'), builtin.space, rule(value)]];
  });
  return members.length === 0 ? undefined : grammar.add('unnamed', members);
}

/** Whether a schema asks for other keys by describing them. */
function isDescribed(leaf: Leaf): boolean {
  return leaf.some(({ object }) =>
    [object?.additional, object?.unevaluated].some((schema) => schema !== undefined && !isNever(schema)),
  );
}

function keyRule(keys: Dfa, { grammar, builtin, caps }: Compilation) {
  if (keys === ANY_TEXT) return rule(builtin.string);
  const name = grammar.share(`key ${JSON.stringify(keys)}`, () =>
    grammar.add('key', [
      [
        text('"'),
        rule(addDfaRules(grammar, keys, { inString: true, maxLoops: caps.patternLength })),
        text('"'),
      ],
    ]),
  );
  return rule(name);
}

function keyClasses(
  { leaf, names, patterns }: { leaf: Leaf; names: readonly string[]; patterns: readonly string[] },
  compilation: Compilation,
): readonly KeyClass[] {
  const leave = (message: string) =>
    compilation.remarks.narrow({ path: leaf[0]?.path ?? '', keyword: 'patternProperties', message });
  const allowed = attempt(() => allowedKeys(leaf, names, compilation));
  if (allowed instanceof PatternUnsupported) {
    leave(`Only named keys are written: ${allowed.message}.`);
    return [];
  }
  let classes: readonly KeyClass[] = [{ keys: allowed, matched: new Set() }];
  for (const pattern of patterns) {
    const shape = compilation.strings.pattern(pattern);
    const split =
      shape instanceof PatternUnsupported ? shape : attempt(() => splitClasses(classes, { pattern, shape }));
    // Which keys match is not known then, so none is written but those with a name.
    if (split instanceof PatternUnsupported || split.length > 2 ** MAX_KEY_PATTERNS) {
      leave(
        `Only named keys are written: ${split instanceof PatternUnsupported ? split.message : 'too many patterns'}.`,
      );
      return [];
    }
    classes = split;
  }
  return classes;
}

function splitClasses(
  classes: readonly KeyClass[],
  { pattern, shape }: { readonly pattern: string; readonly shape: Dfa },
): readonly KeyClass[] {
  return classes
    .flatMap(({ keys, matched }) => [
      { keys: intersect(keys, shape), matched: new Set([...matched, pattern]) },
      { keys: intersect(keys, complement(shape)), matched },
    ])
    .filter(({ keys }) => !isEmptyLanguage(keys));
}

function allowedKeys(leaf: Leaf, names: readonly string[], compilation: Compilation): Dfa {
  const rules = leaf.flatMap(({ object }) => object?.names ?? []);
  const unnamed = names.length === 0 ? [] : [complement(literalDfa(names))];
  return [...unnamed, ...rules.map((schema) => namesDfa(schema, compilation))].reduce(
    (keys, next) => (keys === ANY_TEXT ? next : intersect(keys, next)),
    ANY_TEXT,
  );
}

/** The texts that satisfy a schema for property names. */
function namesDfa(schema: SchemaNode, { leaves, strings, judge }: Compilation): Dfa {
  return leaves.of([schema]).reduce((keys, leaf) => {
    const types = agreedTypes(leaf);
    if (types && !belongsTo('string', types)) return keys;
    const values = agreedValues(leaf)?.filter((value) => judge.satisfiesFacts(value, leaf));
    const texts = values?.filter((value) => typeof value === 'string');
    return unite(keys, texts ? literalDfa(texts) : strings.dfaOf(leaf));
  }, EMPTY_LANGUAGE);
}
