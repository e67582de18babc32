import { Fault } from '../faults/fault.ts';
import { isRecord } from '../lib/json-record.ts';
import type { SchemaService } from '../schema/service/schema-service.ts';
import { SchemaRefused } from '../schema/terms/schema-refused.ts';
import type { StackWork } from '../supervision/stack-work.ts';

/** A schema of an object. */
export type ObjectSchema = Readonly<Record<string, unknown>>;

/** The largest schema that is read. */
export const MAX_SCHEMA_BYTES = 65_536;

/** Reads the schema that a caller sent: within the size, a JSON Schema, and one that an object can satisfy. */
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

/** A refusal of the schema as the fault that the caller is told; anything else as it is. It may come late: some schemas fail first on a value. */
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

/** Extracted data is always an object, so a root that leaves the type open is narrowed to one. */
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
