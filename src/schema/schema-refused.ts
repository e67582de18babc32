import type { RefusalReason, SchemaProblem } from '@stackgate/json-schema-grammar';

/**
 * Thrown for a schema that cannot be used. The compiler has its own error of this name, but it is loaded in the schema workers
 * only, and errors do not cross threads.
 */
export class SchemaRefused extends Error {
  override readonly name = 'SchemaRefused';
  readonly reason: RefusalReason;
  /** A JSON pointer into the schema; empty for the root. */
  readonly path: string;

  constructor({ reason, path, message }: SchemaProblem) {
    super(message);
    this.reason = reason;
    this.path = path;
  }
}
