/** Why no grammar is made of a schema. */
export type RefusalReason = 'invalid' | 'unsatisfiable' | 'remote-reference' | 'too-complex';

/** A schema that no grammar is made of: the reason, where in the schema it lies, and what to do in words. */
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
