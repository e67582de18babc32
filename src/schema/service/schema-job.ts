import type { CompileOptions, SchemaProblem } from '@stackgate/json-schema-grammar';

/** What may be chosen for a grammar; the rest of the options belongs to whoever runs the compiler. */
export type GrammarOptions = Pick<CompileOptions, 'caps' | 'unnamedKeys'>;

/** What the worker is asked; schemas and values travel as JSON texts. */
export type SchemaJob =
  | { readonly kind: 'compile'; readonly schema: string; readonly options: GrammarOptions }
  | { readonly kind: 'examine'; readonly schema: string }
  | { readonly kind: 'validate'; readonly schema: string; readonly value: string }
  | { readonly kind: 'breach'; readonly schema: string; readonly text: string };

/** What the worker answers: a result, or why there is none. */
export type JobOutcome<Result> = { readonly result: Result } | { readonly refused: SchemaProblem };

/** Whether the worker's answer is an outcome; what is inside is its own program's word. */
export function isJobOutcome<Result>(answer: unknown): answer is JobOutcome<Result> {
  return typeof answer === 'object' && answer !== null && ('result' in answer || 'refused' in answer);
}
