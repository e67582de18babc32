import type { SchemaProblem, SchemaReport } from '@stackgate/json-schema-grammar';

/** The report on a schema that no worker could examine. */
export function refusedReport({ reason, path, message }: SchemaProblem): SchemaReport {
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
