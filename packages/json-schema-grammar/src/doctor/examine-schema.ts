import { type CompileOptions, compileSchema } from '../compile-schema.ts';
import type { Json } from '../terms/json.ts';
import { SchemaRefused } from '../terms/schema-refused.ts';
import { PatternLibrary } from '../values/pattern-library.ts';
import { findFields } from './field-findings.ts';
import { enforcedPositions, keywordPositions } from './keyword-positions.ts';
import { repairSchema } from './repair-schema.ts';
import { refusedReport, type SchemaReport } from './schema-report.ts';
import { SchemaTree } from './schema-tree.ts';
import { smallestSentenceLength } from './smallest-sentence.ts';

const CHARACTERS_PER_TOKEN = 4;

/** Examines a schema. If the schema cannot be used, the report says so; SchemaRefused is not thrown. */
export function examineSchema(schema: unknown, options: CompileOptions = {}): SchemaReport {
  try {
    return examine(schema, options);
  } catch (error) {
    if (!(error instanceof SchemaRefused)) throw error;
    return refusedReport(error);
  }
}

function examine(schema: unknown, given: CompileOptions): SchemaReport {
  const patterns = given.patterns ?? new PatternLibrary();
  const options = { ...given, patterns };
  const { grammar, leftToValidation } = compileSchema(schema, options);
  // It compiled, so it is JSON.
  const tree = new SchemaTree(schema as Json);
  const findings = findFields(tree, patterns);
  const length = smallestSentenceLength(grammar);
  return {
    valid: true,
    problems: [],
    enforced: enforcedPositions(keywordPositions(tree), leftToValidation),
    validatedOnly: leftToValidation,
    mayBeInvented: findings.mayBeInvented,
    mayVanish: findings.mayVanish,
    smallestAnswerTokens: length === undefined ? null : Math.ceil(length / CHARACTERS_PER_TOKEN),
    repairedSchema: usable(repairSchema(tree, findings, patterns), options) ?? null,
  };
}

/** Drops a repaired schema that does not compile. */
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
