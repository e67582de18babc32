import { z } from 'zod';
import { MAX_SCHEMA_BYTES } from '../../documents/target-schema.ts';
import { Fault } from '../../faults/fault.ts';
import { schemaFault } from '../../schema/service/schema-fault.ts';
import type { SchemaService } from '../../schema/service/schema-service.ts';
import { wireReport } from '../../schema/wire-report.ts';
import { parseField } from '../../text/wire/parse-field.ts';
import { type Answer, jsonAnswer } from '../answer.ts';
import { jsonReply, type KeyRequest, type KeyRoute } from '../route.ts';
import { ofScope } from './of-scope.ts';

/** Room for a schema with indentation. */
const BODY_CAP_BYTES = 1024 * 1024;

const SCHEMA_KIND = 'a JSON Schema: an object, true or false';
const requestSchema = z.object(
  { schema: z.union([z.record(z.string(), z.unknown()), z.boolean()], SCHEMA_KIND) },
  'an object with `schema`',
);

const path = z.string().describe('A JSON pointer into the schema; empty for the whole.');
const fieldPaths = z.array(z.string().describe('A path into the answer; `*` is any item or key.'));
const reportSchema = z.object({
  valid: z.boolean().describe('Whether answers can be held to the schema.'),
  problems: z
    .array(
      z.object({
        reason: z.string().describe('invalid, unsatisfiable, remote-reference or too-complex.'),
        path,
        message: z.string(),
      }),
    )
    .describe('Why not.'),
  enforced: z
    .array(z.object({ path, keyword: z.string() }))
    .describe('Keywords that the grammar holds: no answer breaks them.'),
  validated_only: z
    .array(z.object({ path, keyword: z.string(), message: z.string() }))
    .describe('Keywords that an answer may break, and why; validation finds out.'),
  may_be_invented: fieldPaths.describe('Required fields that have no way to say that nothing was found.'),
  may_vanish: fieldPaths.describe('Fields that are not required, so an answer may leave them out.'),
  smallest_answer_tokens: z
    .int()
    .nullable()
    .describe('An estimate: a quarter of the characters of the shortest answer, rounded up.'),
  repaired_schema: z
    .union([z.looseObject({}), z.boolean(), z.null()])
    .describe(
      'The schema with every field required, and null for each that may be missing; null where there is none.',
    ),
});

/** `POST /v1/schemas/check`: the schema doctor. */
export function schemaRoutes(schemas: Pick<SchemaService, 'examine'>): readonly KeyRoute[] {
  return [
    {
      ...ofScope('schemas'),
      method: 'POST',
      path: '/v1/schemas/check',
      isForReaders: true,
      body: { kind: 'json', cap: () => BODY_CAP_BYTES, tooLarge: 'body-too-large' },
      summary: 'Check a schema',
      detail:
        'Says whether answers can be held to a JSON Schema, which fields may be invented or left out, and how to repair it. Spends no tokens. A schema that cannot be used is answered 200 with `valid: false`.',
      request: { schema: requestSchema, schemaName: 'SchemaCheckRequest', example },
      answer: jsonReply('SchemaReport', reportSchema),
      faults: ['invalid-request', 'model-not-ready'],
      handle: (request) => check(schemas, request),
    },
  ];
}

async function check(
  schemas: Pick<SchemaService, 'examine'>,
  { body, caller, signal }: KeyRequest,
): Promise<Answer> {
  const { schema } = parseField(requestSchema, body);
  const sizeBytes = Buffer.byteLength(JSON.stringify(schema));
  if (sizeBytes > MAX_SCHEMA_BYTES) {
    const message = `\`schema\` has ${sizeBytes} bytes; at most ${MAX_SCHEMA_BYTES} are taken.`;
    throw new Fault('body-too-large', message, { param: 'schema' });
  }
  try {
    return jsonAnswer(wireReport(await schemas.examine(schema, { stackId: caller.stack.id, signal })));
  } catch (error) {
    throw schemaFault(error, 'schema');
  }
}

const example = '{"schema": {"type": "object", "properties": {"total": {"type": "number"}}}}';
