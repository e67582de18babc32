import {
  type CompiledSchema,
  compileSchema as compile,
  SchemaRefused as RefusedByCompiler,
} from '@stackgate/json-schema-grammar';
import { SchemaRefused } from '../../src/schema/schema-refused.ts';

/** Compiles in the process of the test what the gateway has compiled in a worker; a refusal is the one that the service throws. */
export function compileSchema(schema: unknown): CompiledSchema {
  try {
    return compile(schema);
  } catch (error) {
    throw error instanceof RefusedByCompiler ? new SchemaRefused(error) : error;
  }
}
