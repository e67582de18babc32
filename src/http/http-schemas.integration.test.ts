import { afterEach, describe, expect, it } from 'vitest';
import { call, jsonCall, requestBytes } from '../../testing/http-call.ts';
import { goodKey, HttpGateway } from '../../testing/http-gateway.ts';
import { DEADLY, HANGING, WatchedSchemaService } from '../../testing/schema/schema-service.ts';
import type { SchemaServiceOptions } from '../schema/service/schema-service.ts';

const path = '/v1/schemas/check';

let gateway: HttpGateway;
let schemas: WatchedSchemaService;
async function start(options: SchemaServiceOptions = {}): Promise<void> {
  schemas = new WatchedSchemaService(options);
  gateway = await HttpGateway.start({ schemas });
}
afterEach(async () => {
  await gateway[Symbol.asyncDispose]();
  expect(schemas.left).toBe(0);
});

const ask = (body: unknown) => call(gateway, jsonCall(path, goodKey, JSON.stringify(body)));

describe('checking a schema', () => {
  it('answers with the whole report', async () => {
    await start();
    const schema = {
      type: 'object',
      properties: { id: { type: 'string', pattern: '\\ba' }, note: { type: 'string' } },
      required: ['id'],
    };
    const { status, body } = await ask({ schema, unknown: 'members are ignored' });
    expect(status).toBe(200);
    expect(JSON.parse(body)).toEqual({
      valid: true,
      problems: [],
      enforced: [
        { path: '', keyword: 'type' },
        { path: '', keyword: 'properties' },
        { path: '', keyword: 'required' },
        { path: '/properties/id', keyword: 'type' },
        { path: '/properties/note', keyword: 'type' },
      ],
      validated_only: [{ path: '/properties/id', keyword: 'pattern', message: expect.any(String) }],
      may_be_invented: ['/id'],
      may_vanish: ['/note'],
      smallest_answer_tokens: 3,
      repaired_schema: {
        type: 'object',
        properties: {
          id: { type: ['string', 'null'], pattern: '\\ba' },
          note: { type: ['string', 'null'] },
        },
        required: ['id', 'note'],
      },
    });
  });

  it.each([
    [{ properties: { a: { type: 'text' } } }, 'invalid', '/properties/a/type'],
    [false, 'unsatisfiable', ''],
    [{ properties: { a: { pattern: '^(a+)+\\1b$' } } }, 'too-complex', '/properties/a'],
    [{ $ref: 'https://example.com/a.json' }, 'remote-reference', '/$ref'],
  ])('answers 200 with the reason: %j', async (schema, reason, place) => {
    await start();
    const { status, body } = await ask({ schema });
    expect(status).toBe(200);
    expect(JSON.parse(body)).toEqual({
      valid: false,
      problems: [{ reason, path: place, message: expect.any(String) }],
      enforced: [],
      validated_only: [],
      may_be_invented: [],
      may_vanish: [],
      smallest_answer_tokens: null,
      repaired_schema: null,
    });
  });

  it('answers 200 also for a schema that hangs, and serves the next', async () => {
    await start({ deadlines: { examineMs: 1_000 } });
    const hung = await ask({ schema: HANGING });
    expect(JSON.parse(hung.body)).toMatchObject({ valid: false, problems: [{ reason: 'too-complex' }] });
    expect(JSON.parse((await ask({ schema: true })).body)).toMatchObject({ valid: true });
  });

  it('answers 503 when the worker dies, without the cause', async () => {
    await start();
    const { status, body } = await ask({ schema: { const: DEADLY } });
    expect(status).toBe(503);
    expect(JSON.parse(body).error).toMatchObject({ code: 'model_not_ready', type: 'server_error' });
    expect(body).not.toMatch(/worker|child|thread/i);
    expect((await ask({ schema: true })).status).toBe(200);
  });

  it('ends the work when the client goes away', async () => {
    await start();
    {
      await using client = await gateway.connect();
      await client.send(requestBytes(jsonCall(path, goodKey, JSON.stringify({ schema: HANGING }))));
      await expect.poll(() => schemas.asked).toHaveLength(1);
    }
    await expect.poll(() => schemas.load.jobs).toBe(0);
    expect(await gateway.inFlight()).toBe(0);
  });
});

describe('a body is refused', () => {
  it.each([
    [{}, '`schema` is missing; it must be a JSON Schema: an object, true or false.', 'schema'],
    [{ schema: 'text' }, '`schema` must be a JSON Schema: an object, true or false, got "text".', 'schema'],
    [{ schema: null }, '`schema` must be a JSON Schema: an object, true or false, got null.', 'schema'],
    [
      { schema: [] },
      '`schema` must be a JSON Schema: an object, true or false, got an empty array.',
      'schema',
    ],
    [[], 'The body must be an object with `schema`, got an empty array.', null],
  ])('when it is %j', async (body, message, param) => {
    await start();
    const answer = await ask(body);
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toEqual({
      error: { message, type: 'invalid_request_error', param, code: 'invalid_request' },
    });
    expect(schemas.nursery.launched).toBe(0);
  });

  it('when the schema is over 64 KB, and not when it has just that', async () => {
    await start();
    const schema = { const: '' };
    schema.const = 'x'.repeat(65_536 - JSON.stringify(schema).length);
    expect((await ask({ schema })).status).toBe(200);
    schema.const += 'x';
    const answer = await ask({ schema });
    expect(answer.status).toBe(413);
    expect(JSON.parse(answer.body).error.message).toBe('`schema` has 65537 bytes; at most 65536 are taken.');
  });
});
