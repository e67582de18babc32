import { isRegex } from '../automata/pattern-dfa.ts';
import { type Deadline, MAX_DEPTH } from '../terms/budgets.ts';
import { isArray, isObject, type Json, type JsonObject } from '../terms/json.ts';
import type { Remarks } from '../terms/remarks.ts';
import { SchemaRefused } from '../terms/schema-refused.ts';
import { ChoiceReader } from './choice-reader.ts';
import { EvaluationScope } from './evaluation-scope.ts';
import { readFacts } from './fact-reader.ts';
import { Negator } from './negator.ts';
import { NodeFactory } from './node-factory.ts';
import { escapeKey, SchemaDocument } from './schema-document.ts';
import type { Assertions, NodePart, SchemaNode } from './schema-node.ts';

const REFERENCE_KEYWORDS = ['$ref', '$dynamicRef', '$recursiveRef'] as const;

/** Parses the schemas of one document into nodes, each once. */
export class SchemaReader {
  readonly factory = new NodeFactory();
  readonly negator = new Negator(this.factory);
  readonly #root: Json;
  /** Created for the first reference; most schemas have none. */
  #document: SchemaDocument | undefined;
  readonly #choices: ChoiceReader;
  readonly #remarks: Remarks;
  readonly #nodes = new Map<JsonObject, SchemaNode>();
  #depth = 0;

  constructor(root: Json, remarks: Remarks, deadline: Deadline) {
    this.#root = root;
    this.#remarks = remarks;
    this.#choices = new ChoiceReader({ factory: this.factory, negator: this.negator, remarks, deadline });
  }

  read(schema: Json, path: string): SchemaNode {
    if (schema === false) return this.factory.never(path);
    if (!isObject(schema)) return this.factory.anything(path);
    const known = this.#nodes.get(schema);
    if (known) return known;
    if (this.#depth >= MAX_DEPTH) {
      throw new SchemaRefused('too-complex', path, `The schema nests deeper than ${MAX_DEPTH} levels.`);
    }
    this.#depth += 1;
    const scope = new EvaluationScope();
    const node = this.factory.node(path, this.#readParts(schema, path, scope));
    scope.open(node);
    this.#depth -= 1;
    this.#nodes.set(schema, node);
    return node;
  }

  /** A schema's own facts come first, so that its keys are written before those it includes. */
  #readParts(schema: JsonObject, path: string, scope: EvaluationScope): readonly NodePart[] {
    const at = (...steps: readonly string[]) => {
      const found = steps.reduce<Json | undefined>(
        (value, step) => (isObject(value) ? value[step] : isArray(value) ? value[Number(step)] : undefined),
        schema,
      );
      return this.read(found ?? true, `${path}/${steps.map(escapeKey).join('/')}`);
    };
    const assertions = readFacts(schema, at, scope);
    refuseBrokenPatterns(assertions, path);
    const facts = Object.keys(assertions).length > 0 ? [this.factory.facts(path, assertions)] : [];
    const members = isArray(schema.allOf) ? [...schema.allOf.keys()] : [];
    return [
      ...facts,
      ...this.#references(schema, path),
      ...members.map((index): NodePart => ({ type: 'inclusion', target: () => at('allOf', String(index)) })),
      ...this.#choices.read(schema, path, at),
    ];
  }

  #references(schema: JsonObject, path: string): readonly NodePart[] {
    return REFERENCE_KEYWORDS.flatMap((keyword): NodePart[] => {
      const uri = schema[keyword];
      if (typeof uri !== 'string') return [];
      let known: SchemaNode | undefined;
      const find = () => {
        const reference = { uri, keyword, from: schema, path: `${path}/${keyword}` };
        this.#document ??= new SchemaDocument(this.#root);
        const located = this.#document.resolve(reference);
        if (located.isUncertain) {
          const message = 'Several schemas have the anchor; which one is meant depends on the way there.';
          this.#remarks.leave({ path, keyword, message });
        }
        return this.read(located.schema, located.path);
      };
      const target = () => {
        known ??= find();
        return known;
      };
      return [{ type: 'inclusion', target }];
    });
  }
}

function refuseBrokenPatterns({ string, object }: Assertions, path: string): void {
  const sources = (object?.patterns ?? []).map(({ pattern }) => ({ pattern, step: 'patternProperties' }));
  if (string?.pattern !== undefined) sources.push({ pattern: string.pattern, step: 'pattern' });
  for (const { pattern, step } of sources) {
    if (isRegex(pattern)) continue;
    throw new SchemaRefused('invalid', `${path}/${step}`, `"${pattern}" is not a regular expression.`);
  }
}
