import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type SchemaTraits, schemaScript, sentForm } from '../../testing/text/schema-server.ts';
import type { TextCall } from '../../testing/text/text-call.ts';
import { TextGateway } from '../../testing/text/text-gateway.ts';
import { SchemaService } from '../schema/service/schema-service.ts';
import { createLog } from '../telemetry/log.ts';
import { OutputChecker } from '../text/output-checker.ts';

const schemas = new SchemaService();
let missed: number;
let checks: number;
let gateway: TextGateway;
let traits: SchemaTraits;

beforeAll(async () => {
  const breach: SchemaService['breach'] = async (...asked) => {
    const found = await schemas.breach(...asked);
    checks += 1;
    return found;
  };
  const onMiss = () => {
    missed += 1;
  };
  const log = createLog('silent', { write: () => undefined });
  const checker = new OutputChecker({ schemas: { breach }, log, onMiss });
  gateway = await TextGateway.start({ engine: { made: { checkOutput: checker.forEngine('text:gpu') } } });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await schemas.stop(AbortSignal.abort());
});
beforeEach(() => {
  missed = 0;
  checks = 0;
  traits = { holds: [] };
  gateway.upstream.script(schemaScript(() => traits));
});
afterEach(() => gateway.untilIdle());

const schema = { type: 'object', properties: { bad: { type: 'integer' } }, required: ['bad'] };
const response_format = { type: 'json_schema', json_schema: { name: 'a', schema } };
const output_config = { format: { type: 'json_schema', schema } };
type Ask = (fields?: Readonly<Record<string, unknown>>) => TextCall;
const chat: Ask = (fields) => gateway.chat({ response_format, ...fields });
const messages: Ask = (fields) => gateway.messages({ output_config, ...fields });

/** Waits until the call's output was checked; returns how many outputs did not satisfy their schema. */
async function missesOf(call: TextCall, isFitting: boolean): Promise<number> {
  traits = { holds: isFitting ? ['json_schema'] : [] };
  const before = checks;
  const { status, body } = await call.answer();
  expect({ status, isText: body.includes('hello') }).toEqual({ status: 200, isText: !isFitting });
  await expect.poll(() => checks).toBe(before + 1);
  return missed;
}

describe.each([
  ['chat', chat],
  ['messages', messages],
])('%s under a schema', (_, ask) => {
  it.each([false, true])('is checked after it was sent, and unchanged by it: streamed %s', async (stream) => {
    expect(await missesOf(ask({ stream }), true)).toBe(0);
    expect(await missesOf(ask({ stream }), false)).toBe(1);
  });

  it('that the server refuses is refused, and the next one is held as before', async () => {
    traits = { holds: ['json_schema'], refusedPart: '"bad"' };
    const { status, body } = await ask().answer();
    expect(status).toBe(400);
    expect(JSON.parse(body)).toMatchObject({ error: { type: 'invalid_request_error' } });
    traits = { holds: ['json_schema'] };
    expect((await ask().answer()).status).toBe(200);
    expect(gateway.asked.slice(-2).map(sentForm)).not.toContain('guided_json');
    expect(sentForm({ body: gateway.lastBody })).toBe('json_schema');
    // It is checked after it was sent, and would be counted in the next test.
    await expect.poll(() => checks).toBe(1);
  });
});

describe('the arguments of a tool call', () => {
  const parameters = { type: 'object', properties: { where: { type: 'string' } }, required: ['where'] };
  const asTools: Ask = (fields) =>
    gateway.chat({ tools: [{ type: 'function', function: { name: 'look', parameters } }], ...fields });
  const asBlocks: Ask = (fields) =>
    gateway.messages({ tools: [{ name: 'look', input_schema: parameters }], ...fields });

  it.each([
    ['chat', asTools, false],
    ['chat', asTools, true],
    ['messages', asBlocks, false],
    ['messages', asBlocks, true],
  ])('are checked too, in %s', async (_, ask, stream) => {
    const calls = [{ where: 'left' }, { wher: 'left' }].map((given) => ({ name: 'look', arguments: given }));
    gateway.upstream.script(({ path }) =>
      path.endsWith('/chat/completions') ? { toolCalls: calls } : undefined,
    );
    expect((await ask({ stream }).answer()).status).toBe(200);
    await expect.poll(() => checks).toBe(2);
    expect(missed).toBe(1);
  });
});

describe('an extraction', () => {
  it('whose schema the server refuses is asked for in words, and validated', async () => {
    traits = { holds: ['json_schema', 'json_object'], refusedPart: '"bad"' };
    const body = new FormData();
    body.append('file', new Blob(['pdf 1: Total 1']), 'a.pdf');
    body.append('schema', JSON.stringify(schema));
    const headers = { authorization: 'Bearer sk-a' };
    const answer = await fetch(`${gateway.http.url}/v1/documents/extract`, { method: 'POST', headers, body });
    expect(await answer.json()).toMatchObject({ data: { bad: 1 } });
    expect(sentForm({ body: gateway.lastBody })).toBe('json_object');
  });
});
