/** Why a schema is refused. */
export type RefusalReason = 'invalid' | 'unsatisfiable' | 'remote-reference' | 'too-complex';

/** Thrown for a schema that cannot be used; the message says what to change. */
export class SchemaRefused extends Error {
  override readonly name = 'SchemaRefused';
  readonly reason: RefusalReason;
  /** A JSON pointer into the schema; empty for the whole. */
  readonly path: string;

  constructor(reason: RefusalReason, path: string, message: string) {
    super(message);
    this.reason = reason;
    this.path = path;
  }
}
