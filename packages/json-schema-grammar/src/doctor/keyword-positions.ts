import { escapeKey } from '../normalise/schema-document.ts';
import { subschemasOf } from '../subschemas.ts';
import { isObject, type JsonObject } from '../terms/json.ts';
import type { Remark } from '../terms/remarks.ts';
import type { SchemaTree, Target } from './schema-tree.ts';

/** A keyword that constrains answers, and the path of its schema. */
export interface KeywordPosition {
  readonly path: string;
  readonly keyword: string;
}

const LIMITING_KEYWORDS: ReadonlySet<string> = new Set(
  [
    'type enum const minLength maxLength pattern format',
    'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf',
    'items prefixItems additionalItems unevaluatedItems contains minContains maxContains minItems maxItems uniqueItems',
    'properties required additionalProperties unevaluatedProperties patternProperties propertyNames',
    'minProperties maxProperties dependentRequired dependentSchemas dependencies',
    'allOf anyOf oneOf not if then else $ref $dynamicRef $recursiveRef',
  ].flatMap((line) => line.split(' ')),
);
/** Keywords that only hold schemas for reference. */
const SHELVES: ReadonlySet<string> = new Set(['$defs', 'definitions']);

/** Every constraining keyword that a schema uses directly or by reference, once each. */
export function keywordPositions(tree: SchemaTree): readonly KeywordPosition[] {
  const positions: KeywordPosition[] = [];
  const seen = new Set<JsonObject>();
  const waiting: Target[] = [{ schema: tree.root, path: '' }];
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { schema, path } = next;
    if (!isObject(schema) || seen.has(schema)) continue;
    seen.add(schema);
    positions.push(
      ...Object.keys(schema)
        .filter((keyword) => LIMITING_KEYWORDS.has(keyword))
        .map((keyword) => ({ path, keyword })),
    );
    const inner = subschemasOf(schema)
      .filter(({ steps }) => !SHELVES.has(steps[0] ?? ''))
      .map((found) => ({ schema: found.schema, path: [path, ...found.steps.map(escapeKey)].join('/') }));
    waiting.push(...inner, ...tree.targets(schema));
  }
  return positions;
}

/** The keywords that the grammar enforces: all that the compiler did not leave to validation. */
export function enforcedPositions(
  positions: readonly KeywordPosition[],
  leftToValidation: readonly Remark[],
): readonly KeywordPosition[] {
  const left = new Set(leftToValidation.flatMap((remark) => positionsOf(remark, positions)));
  return positions.filter((position) => !left.has(position));
}

/** A remark may name an enclosing schema instead of the keyword's own. Then all keywords it may mean are returned. */
function positionsOf(
  { path, keyword }: Remark,
  positions: readonly KeywordPosition[],
): readonly KeywordPosition[] {
  const same = positions.filter((position) => position.keyword === keyword);
  const exact = same.filter((position) => position.path === path || `${position.path}/${keyword}` === path);
  if (exact.length > 0) return exact;
  const below = same.filter((position) => position.path.startsWith(`${path}/`));
  return below.length > 0 ? below : same;
}
