import type { SchemaReport } from '@stackgate/json-schema-grammar';

/** The report in the API's format. */
export function wireReport(report: SchemaReport): Readonly<Record<string, unknown>> {
  return {
    valid: report.valid,
    problems: report.problems,
    enforced: report.enforced,
    validated_only: report.validatedOnly,
    may_be_invented: report.mayBeInvented,
    may_vanish: report.mayVanish,
    smallest_answer_tokens: report.smallestAnswerTokens,
    repaired_schema: report.repairedSchema,
  };
}
