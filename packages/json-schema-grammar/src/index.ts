export { type CompiledSchema, type CompileOptions, compileSchema } from './compile-schema.ts';
export { examineSchema } from './doctor/examine-schema.ts';
export type { SchemaProblem, SchemaReport } from './doctor/schema-report.ts';
export type { Caps, WorkClock } from './terms/budgets.ts';
export type { Remark } from './terms/remarks.ts';
export { type RefusalReason, SchemaRefused } from './terms/schema-refused.ts';
export { SchemaValidator } from './validate-schema.ts';
export { createValueChecker, type ValueChecker, type ValueProblem } from './value-checker.ts';
export { PatternLibrary } from './values/pattern-library.ts';
