import { isArray, type Json, type JsonObject } from '../terms/json.ts';
import type { PossibleValues } from './possible-values.ts';
import { listOf, mapOf, type SchemaTree, textsOf } from './schema-tree.ts';

/** The schemas that apply to a value in one combination of its choices. */
export interface ValueCase {
  readonly schemas: ReadonlySet<JsonObject>;
  /** Those that apply in this case only. */
  readonly chosen: ReadonlySet<JsonObject>;
  /** Fields that are always present. */
  readonly required: ReadonlySet<string>;
}

interface Choice {
  readonly branches: readonly (readonly Json[])[];
  /** The `if` schema. Its `required` holds in the first branch; its other keywords are conditions only. */
  readonly condition?: Json;
}

/** Above this many cases, the remaining choices are not split. */
const MAX_CASES = 64;

/** Splits the schemas of a value into the cases of `anyOf`, `oneOf`, `if` and dependencies. */
export class ValueCases {
  readonly #tree: SchemaTree;
  readonly #values: PossibleValues;

  constructor(tree: SchemaTree, values: PossibleValues) {
    this.#tree = tree;
    this.#values = values;
  }

  /** One case per branch; branches of different choices are not combined. */
  casesOf(schemas: readonly Json[]): readonly ValueCase[] {
    const cases: ValueCase[] = [];
    this.#split(schemas, { chosen: new Set(), taken: new Set(), required: new Set() }, cases);
    return cases;
  }

  #split(schemas: readonly Json[], before: Before, cases: ValueCase[]): void {
    const all = this.#tree.conjunction(schemas);
    const fresh = [...all].filter((schema) => !before.taken.has(schema));
    const choices = fresh.flatMap(choicesOf);
    const own = [...all].flatMap((schema) => textsOf(schema.required));
    const common = choices.flatMap((choice) => this.#requiredByAll(choice));
    const required = new Set([...before.required, ...own, ...common]);
    if (choices.length === 0 || cases.length >= MAX_CASES) {
      cases.push({ schemas: all, chosen: before.chosen, required });
      return;
    }
    const taken = new Set([...before.taken, ...all]);
    for (const { branches, condition } of choices) {
      branches.forEach((branch, index) => {
        if (!this.#isPossible(branch)) return;
        const added = [...this.#tree.conjunction(branch)].filter((schema) => !all.has(schema));
        const asked = index === 0 && condition !== undefined ? this.#requiredBy([condition], new Set()) : [];
        const chosen = new Set([...before.chosen, ...added]);
        this.#split(
          [...all, ...branch],
          { chosen, taken, required: new Set([...required, ...asked]) },
          cases,
        );
      });
    }
  }

  #isPossible(branch: readonly Json[]): boolean {
    return this.#values.allows(branch, 'object') || this.#values.allows(branch, 'array');
  }

  #requiredByAll(
    { branches, condition }: Choice,
    asked: ReadonlySet<JsonObject> = new Set(),
  ): readonly string[] {
    const lists = branches
      .map((branch, index) => (index === 0 && condition !== undefined ? [...branch, condition] : branch))
      .filter((branch) => this.#values.allows(branch, 'object'))
      .map((branch) => this.#requiredBy(branch, asked));
    const [first = [], ...others] = lists;
    return first.filter((name) => others.every((names) => names.includes(name)));
  }

  #requiredBy(schemas: readonly Json[], asked: ReadonlySet<JsonObject>): readonly string[] {
    const all = [...this.#tree.conjunction(schemas)].filter((schema) => !asked.has(schema));
    const now = new Set([...asked, ...all]);
    const own = all.flatMap((schema) => textsOf(schema.required));
    const common = all.flatMap(choicesOf).flatMap((choice) => this.#requiredByAll(choice, now));
    return [...own, ...common];
  }
}

interface Before {
  readonly chosen: ReadonlySet<JsonObject>;
  /** Schemas whose choices have been split. */
  readonly taken: ReadonlySet<JsonObject>;
  readonly required: ReadonlySet<string>;
}

function choicesOf(schema: JsonObject): readonly Choice[] {
  const lists = [listOf(schema.anyOf), listOf(schema.oneOf)]
    .filter((members) => members.length > 0)
    .map((members) => ({ branches: members.map((member) => [member]) }));
  const dependent = [schema.dependentSchemas, schema.dependencies]
    .flatMap((keyword) => Object.values(mapOf(keyword)))
    .filter((member) => !isArray(member))
    .map((member) => ({ branches: [[member], []] }));
  if (schema.if === undefined) return [...lists, ...dependent];
  const branches = [[schema.then ?? true], [schema.else ?? true]];
  return [...lists, ...dependent, { branches, condition: schema.if }];
}
