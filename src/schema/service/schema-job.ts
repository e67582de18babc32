import type { CompileOptions, SchemaProblem } from '@stackgate/json-schema-grammar';

/** The compiler options that callers may choose; the worker sets the others. */
export type GrammarOptions = Pick<CompileOptions, 'caps' | 'unnamedKeys'>;

/** A request to a schema worker; schemas and values are sent as JSON. */
export type SchemaJob =
  | { readonly kind: 'compile'; readonly schema: string; readonly options: GrammarOptions }
  | { readonly kind: 'examine'; readonly schema: string }
  | { readonly kind: 'validate'; readonly schema: string; readonly value: string }
  | { readonly kind: 'breach'; readonly schema: string; readonly text: string };

/** A schema worker's answer: the result, or why the schema was refused. */
export type JobOutcome<Result> = { readonly result: Result } | { readonly refused: SchemaProblem };

/** Whether the worker's answer is an outcome. Its content is trusted: the worker is part of the gateway. */
export function isJobOutcome<Result>(answer: unknown): answer is JobOutcome<Result> {
  return typeof answer === 'object' && answer !== null && ('result' in answer || 'refused' in answer);
}
