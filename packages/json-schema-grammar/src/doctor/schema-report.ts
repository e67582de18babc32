import type { Json } from '../terms/json.ts';
import type { Remark } from '../terms/remarks.ts';
import type { RefusalReason, SchemaRefused } from '../terms/schema-refused.ts';
import type { KeywordPosition } from './keyword-positions.ts';

/** The result of examining a schema. */
export interface SchemaReport {
  /** Whether a grammar can be made of it. */
  readonly valid: boolean;
  readonly problems: readonly SchemaProblem[];
  readonly enforced: readonly KeywordPosition[];
  readonly validatedOnly: readonly Remark[];
  /** Paths into the answer; `*` stands for any item or key. */
  readonly mayBeInvented: readonly string[];
  readonly mayVanish: readonly string[];
  /** An estimate: a quarter of the characters of the shortest answer, rounded up. */
  readonly smallestAnswerTokens: number | null;
  /** Null if the schema is not valid, or contradicts itself once every field is required. */
  readonly repairedSchema: Json;
}

/** Why a schema cannot be used, and where. */
export interface SchemaProblem {
  readonly reason: RefusalReason;
  readonly path: string;
  readonly message: string;
}

/** The report on a schema that cannot be used. */
export function refusedReport({ reason, path, message }: SchemaRefused): SchemaReport {
  return {
    valid: false,
    problems: [{ reason, path, message }],
    enforced: [],
    validatedOnly: [],
    mayBeInvented: [],
    mayVanish: [],
    smallestAnswerTokens: null,
    repairedSchema: null,
  };
}
