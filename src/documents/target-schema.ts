import { Fault } from '../faults/fault.ts';
import { isRecord } from '../lib/json-record.ts';
import { SchemaRefused } from '../schema/schema-refused.ts';
import type { SchemaService } from '../schema/service/schema-service.ts';
import type { StackWork } from '../supervision/stack-work.ts';

export type ObjectSchema = Readonly<Record<string, unknown>>;

/** Size limit of a schema. */
export const MAX_SCHEMA_BYTES = 65_536;

/** Parses the caller's schema: within the size limit, valid, and satisfiable by an object. */
export async function readTargetSchema(
  text: string,
  schemas: Pick<SchemaService, 'compile'>,
  work: StackWork,
): Promise<ObjectSchema> {
  const sizeBytes = Buffer.byteLength(text);
  if (sizeBytes > MAX_SCHEMA_BYTES) {
    throw new Fault(
      'schema-too-large',
      `\`schema\` has ${sizeBytes} bytes; at most ${MAX_SCHEMA_BYTES} are read.`,
    );
  }
  const schema = objectOnly(parseSchema(text));
  try {
    await schemas.compile(schema, {}, work);
  } catch (error) {
    throw withSchemaFault(error);
  }
  return schema;
}

/**
 * Turns a refused schema into a fault, and passes other errors through. It may be refused late: some schemas fail first on a
 * value.
 */
export function withSchemaFault(error: unknown): unknown {
  if (!(error instanceof SchemaRefused)) return error;
  return invalid(`${error.message}${error.path === '' ? '' : ` (at ${error.path})`}`);
}

function parseSchema(text: string): ObjectSchema {
  let schema: unknown;
  try {
    schema = JSON.parse(text);
  } catch {
    throw invalid('it is not JSON.');
  }
  if (isRecord(schema)) return schema;
  throw invalid('it must be a JSON object.');
}

/** Extracted data is always an object, so an open root type is narrowed. */
function objectOnly(schema: ObjectSchema): ObjectSchema {
  const { type } = schema;
  if (type === 'object') return schema;
  if (type === undefined || (Array.isArray(type) && type.includes('object')))
    return { ...schema, type: 'object' };
  throw invalid('its root must allow an object, since extracted data is one.');
}

function invalid(reason: string): Fault {
  return new Fault('schema-invalid', `\`schema\` cannot be used: ${reason}`, { param: 'schema' });
}
