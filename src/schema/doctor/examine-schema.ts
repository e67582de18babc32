import { type CompileOptions, compileSchema } from '../compile-schema.ts';
import type { Json } from '../terms/json.ts';
import type { Remark } from '../terms/remarks.ts';
import { type RefusalReason, SchemaRefused } from '../terms/schema-refused.ts';
import { findFields } from './field-findings.ts';
import { enforcedPlaces, type KeywordPlace, keywordPlaces } from './keyword-places.ts';
import { repairSchema } from './repair-schema.ts';
import { SchemaTree } from './schema-tree.ts';
import { smallestSentenceLength } from './smallest-sentence.ts';

/** What the doctor says of a schema. */
export interface SchemaReport {
  /** Whether answers can be held to it. */
  readonly valid: boolean;
  readonly problems: readonly SchemaProblem[];
  readonly enforced: readonly KeywordPlace[];
  readonly validatedOnly: readonly Remark[];
  /** Paths into the answer; `*` stands for any item or key. */
  readonly mayBeInvented: readonly string[];
  readonly mayVanish: readonly string[];
  /** An estimate: a quarter of the characters of the shortest answer, rounded up. */
  readonly smallestAnswerTokens: number | null;
  /** Null where the schema is not valid, or contradicts itself once every field is required. */
  readonly repairedSchema: Json;
}

/** Why a schema cannot be used, and where. */
export interface SchemaProblem {
  readonly reason: RefusalReason;
  readonly path: string;
  readonly message: string;
}

const CHARACTERS_PER_TOKEN = 4;

/** Examines a schema; one that cannot be used is told by the report, never thrown. */
export function examineSchema(schema: unknown, options: CompileOptions = {}): SchemaReport {
  try {
    return examine(schema, options);
  } catch (error) {
    if (!(error instanceof SchemaRefused)) throw error;
    const { reason, path, message } = error;
    return { ...NOTHING, problems: [{ reason, path, message }] };
  }
}

const NOTHING: SchemaReport = {
  valid: false,
  problems: [],
  enforced: [],
  validatedOnly: [],
  mayBeInvented: [],
  mayVanish: [],
  smallestAnswerTokens: null,
  repairedSchema: null,
};

function examine(schema: unknown, options: CompileOptions): SchemaReport {
  const { grammar, leftToValidation } = compileSchema(schema, options);
  // Compiled, so it is JSON.
  const tree = new SchemaTree(schema as Json);
  const findings = findFields(tree);
  const length = smallestSentenceLength(grammar);
  return {
    valid: true,
    problems: [],
    enforced: enforcedPlaces(keywordPlaces(tree), leftToValidation),
    validatedOnly: leftToValidation,
    mayBeInvented: findings.mayBeInvented,
    mayVanish: findings.mayVanish,
    smallestAnswerTokens: length === undefined ? null : Math.ceil(length / CHARACTERS_PER_TOKEN),
    repairedSchema: usable(repairSchema(tree, findings), options) ?? null,
  };
}

/** A repaired schema is worth nothing when no answer satisfies it. */
function usable(repaired: Json | undefined, options: CompileOptions): Json | undefined {
  if (repaired === undefined) return undefined;
  try {
    compileSchema(repaired, options);
    return repaired;
  } catch (error) {
    if (error instanceof SchemaRefused) return undefined;
    throw error;
  }
}
