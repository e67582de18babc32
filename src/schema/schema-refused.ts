import type { RefusalReason, SchemaProblem } from '@stackgate/json-schema-grammar';

/**
 * A schema that cannot be used, as the schema workers tell it. The compiler has an error of the same name; it is loaded in the
 * workers only, and errors do not cross threads.
 */
export class SchemaRefused extends Error {
  override readonly name = 'SchemaRefused';
  readonly reason: RefusalReason;
  /** A JSON pointer into the schema; empty for the whole. */
  readonly path: string;

  constructor({ reason, path, message }: SchemaProblem) {
    super(message);
    this.reason = reason;
    this.path = path;
  }
}
