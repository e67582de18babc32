import { setMaxListeners } from 'node:events';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { HeldClock } from '../../../testing/bad-child/clocks.ts';
import {
  DEADLY,
  HANGING,
  HANGING_VALUE,
  WatchedSchemaService,
} from '../../../testing/schema/schema-service.ts';
import { SchemaRefused } from '../schema-refused.ts';
import { MAX_SCHEMA_BYTES, type SchemaServiceOptions } from './schema-service.ts';
import { MAX_PROBLEMS } from './value-validator.ts';

const { signal } = new AbortController();
setMaxListeners(0, signal);
const never = { stackId: 'shop', signal };

/** For tests that look only at answers: a worker takes half a second to start. */
const shared = new WatchedSchemaService();
afterAll(async () => {
  await shared.stop(AbortSignal.abort());
  expect(shared.left).toBe(0);
});

let opened: WatchedSchemaService[] = [];
function open(options: SchemaServiceOptions = {}): WatchedSchemaService {
  const service = new WatchedSchemaService(options);
  opened.push(service);
  return service;
}
afterEach(async () => {
  for (const service of opened) await service.stop(AbortSignal.abort());
  const left = opened.map((service) => service.left);
  opened = [];
  expect(left.every((count) => count === 0)).toBe(true);
});

describe('compile', () => {
  it('returns the grammar and the keywords left to validation', async () => {
    const compiled = await shared.compile({ type: 'array', items: {}, uniqueItems: true }, {}, never);
    expect(compiled.grammar).toMatch(/^root ::= /);
    expect(compiled.leftToValidation.map(({ keyword }) => keyword)).toEqual(['uniqueItems']);
  });

  it.each([
    [{ type: 'nothing' }, 'invalid', '/type'],
    [{ type: 'object', properties: { a: false }, required: ['a'] }, 'unsatisfiable', '/properties/a'],
    [{ $ref: 'https://example.com/a.json' }, 'remote-reference', '/$ref'],
    [undefined, 'invalid', ''],
  ])('refuses %j with its reason and path', async (schema, reason, path) => {
    const refusal = await shared.compile(schema, {}, never).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(SchemaRefused);
    expect(refusal).toMatchObject({ reason, path });
  });

  it.each([8_000, 2 ** 31, 2 ** 53, 1e308])(
    'compiles property names whose maxLength of %d is too large to count',
    async (maxLength) => {
      const schema = { type: 'object', propertyNames: { maxLength } };
      const { grammar } = await shared.compile(schema, { unnamedKeys: 'where-allowed' }, never);
      expect(grammar).toMatch(/^root ::= /);
    },
  );

  it('refuses a schema that is too large without a worker', async () => {
    const service = open();
    const schema = { const: 'x'.repeat(MAX_SCHEMA_BYTES) };
    await expect(service.compile(schema, {}, never)).rejects.toMatchObject({ reason: 'too-complex' });
    expect(service.nursery.launched).toBe(0);
  });

  it('compiles a repeated schema once, whether refused or not', async () => {
    const service = open();
    for (const schema of [{ type: 'boolean' }, { type: 'boolean' }]) await service.compile(schema, {}, never);
    for (let round = 0; round < 2; round++) {
      await expect(service.compile(false, {}, never)).rejects.toMatchObject({ reason: 'unsatisfiable' });
    }
    expect(service.asked).toHaveLength(2);
    expect(service.load).toMatchObject({ cached: 2, jobs: 0 });
  });

  it('distinguishes schemas by key order and by options', async () => {
    const schemas = [{ properties: { a: {}, b: {} } }, { properties: { b: {}, a: {} } }];
    const grammars = new Set<string>();
    for (const schema of schemas) {
      for (const unnamedKeys of ['where-described', 'where-allowed'] as const) {
        grammars.add((await shared.compile(schema, { unnamedKeys }, never)).grammar);
      }
    }
    expect(grammars.size).toBe(4);
  });

  it('shares one compilation among simultaneous requests', async () => {
    const service = open();
    const compiled = await Promise.all(
      Array.from({ length: 20 }, () => service.compile({ type: 'integer' }, {}, never)),
    );
    expect(new Set(compiled.map(({ grammar }) => grammar)).size).toBe(1);
    expect(service.asked).toHaveLength(1);
  });

  it('keeps its cache within bounds', async () => {
    const service = open({ cache: { maxEntries: 3, maxBytes: 20_000 } });
    for (let length = 1; length <= 8; length++) {
      await service.compile({ type: 'string', maxLength: length }, {}, never);
      expect(service.load.cached).toBeLessThanOrEqual(3);
      expect(service.load.cachedBytes).toBeLessThanOrEqual(20_000);
    }
    expect(service.load.cached).toBe(3);
    await service.compile({ enum: Array.from({ length: 2_000 }, (_, index) => `value ${index}`) }, {}, never);
    expect(service.load.cached).toBe(3);
  });

  it('ends a job at its deadline and serves the next', async () => {
    const service = open({ deadlines: { compileMs: 1_000 } });
    const refusal = await service.compile(HANGING, {}, never).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(SchemaRefused);
    expect(refusal).toMatchObject({ reason: 'too-complex', message: expect.stringContaining('1 seconds') });
    expect((await service.compile({ type: 'null' }, {}, never)).grammar).toContain('null');
    expect(service.load.cached).toBe(1);
  });

  it('serves other stacks while a job of one hangs', async () => {
    const service = open();
    const hung = expect(service.compile(HANGING, {}, never)).rejects.toMatchObject({ reason: 'stopped' });
    const bakery = { ...never, stackId: 'bakery' };
    expect((await service.compile({ type: 'null' }, {}, bakery)).grammar).toContain('null');
    expect(service.load).toMatchObject({ cached: 1, jobs: 1 });
    await service.stop(AbortSignal.abort());
    await hung;
  });
});

describe('breach', () => {
  it('names the keyword that a text violates, or none', async () => {
    const schema = { type: 'object', required: ['a'] };
    const found = ['{"a": 1}', '{}', '[1]', 'Hello.', ''].map((text) =>
      shared.breach(schema, text, never.signal),
    );
    expect(await Promise.all(found)).toEqual([undefined, 'required', 'type', 'json', 'json']);
  });

  it('does not retry a schema that hit the deadline or cannot be used', async () => {
    const service = open({ deadlines: { breachMs: 300 } });
    for (const schema of [HANGING_VALUE.schema, { type: 'nothing' }]) {
      for (const _ of [1, 2]) {
        const look = service.breach(schema, JSON.stringify(HANGING_VALUE.value), never.signal);
        await expect(look).rejects.toBeInstanceOf(SchemaRefused);
      }
    }
    expect(service.asked).toHaveLength(2);
  });
});

describe('validate', () => {
  it('finds nothing wrong with a value that satisfies the schema', async () => {
    expect(await shared.validate({ type: 'string', format: 'date' }, '2026-02-28', never)).toEqual([]);
    expect(await shared.validate(true, undefined, never)).toEqual([]);
  });

  it('refuses a schema that refers to itself without an end', async () => {
    const schema = { type: 'object', oneOf: [{ $ref: '#' }, { maxProperties: 0 }] };
    await expect(shared.validate(schema, { a: 1 }, never)).rejects.toMatchObject({
      name: 'SchemaRefused',
      reason: 'too-complex',
    });
  });

  it('names every problem with its path', async () => {
    const schema = {
      properties: { a: { type: 'string' }, b: { enum: ['x', 'y'] }, l: { uniqueItems: true } },
      additionalProperties: false,
    };
    const problems = await shared.validate(schema, { a: 1, b: 'z', l: [1, 1], c: 0 }, never);
    expect(problems).toEqual([
      { path: '', keyword: 'additionalProperties', message: 'must NOT have additional properties ("c")' },
      { path: '/a', keyword: 'type', message: 'must be string' },
      { path: '/b', keyword: 'enum', message: 'must be equal to one of the allowed values (["x","y"])' },
      { path: '/l', keyword: 'uniqueItems', message: expect.any(String) },
    ]);
  });

  it('limits the number of problems', async () => {
    const values = Array.from({ length: 1_000 }, () => 'text');
    expect(await shared.validate({ items: { type: 'null' } }, values, never)).toHaveLength(MAX_PROBLEMS);
  });

  it('matches patterns in linear time, and keeps them apart', async () => {
    const schema = {
      properties: { a: { pattern: '^(a+)+$' }, b: { pattern: '(?<!-)\\bb' } },
      patternProperties: { '^(x|x)*$': { type: 'null' } },
    };
    const value = { a: `${'a'.repeat(5_000)}!`, b: '-b', [`${'x'.repeat(40)}!`]: 1, xx: 1 };
    const problems = await shared.validate(schema, value, never);
    expect(problems.map(({ path, keyword }) => [path, keyword])).toEqual([
      ['/a', 'pattern'],
      ['/b', 'pattern'],
      ['/xx', 'type'],
    ]);
    expect(await shared.validate(schema, { a: 'aaa', b: 'b', xx: null }, never)).toEqual([]);
  });

  it('refuses a back-reference', async () => {
    const refusal = shared.validate({ pattern: '^(a+)+\\1b$' }, 'a', never);
    await expect(refusal).rejects.toMatchObject({ reason: 'too-complex' });
    await expect(refusal).rejects.toThrow('back-reference');
  });

  it('reads drafts 4 and 7 as the compiler does', async () => {
    const draft4 = {
      $schema: 'http://json-schema.org/draft-04/schema#',
      id: 'http://example.com/a',
      minimum: 3,
      exclusiveMinimum: true,
      enum: [3, 4, 4],
      properties: { exclusiveMinimum: { $schema: 'x' } },
    };
    expect(await shared.validate(draft4, 4, never)).toEqual([]);
    expect((await shared.validate(draft4, 3, never)).map(({ keyword }) => keyword)).toEqual([
      'exclusiveMinimum',
    ]);
    const draft7 = { $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'null' }] };
    expect(await shared.validate(draft7, [1], never)).toHaveLength(1);
  });

  it('keeps schemas with the same id apart', async () => {
    const named = (type: string) => ({
      $id: 'https://a.example/',
      $defs: { x: { $id: 'https://a.example/inner', type } },
      $ref: 'https://a.example/inner',
    });
    expect(await shared.validate(named('string'), 'a', never)).toEqual([]);
    expect(await shared.validate(named('number'), 'a', never)).toHaveLength(1);
  });

  it('takes patterns and repeated ids as the compiler does', async () => {
    expect(await shared.validate({ pattern: '^\\d+\\-\\d+$' }, '1-2', never)).toEqual([]);
    expect(await shared.validate({ pattern: '^\\d+\\-\\d+$' }, '1', never)).toHaveLength(1);
    const repeated = { items: { $id: '/x', type: 'null' }, contains: { $id: '/x', type: 'null' } };
    expect(await shared.validate(repeated, [null], never)).toEqual([]);
    expect(await shared.validate(repeated, [], never)).toHaveLength(1);
  });

  it.each([
    [{ type: 'nothing' }, 'invalid'],
    [{ $ref: 'https://example.com/a.json' }, 'remote-reference'],
  ])('refuses the schema %j', async (schema, reason) => {
    await expect(shared.validate(schema, 1, never)).rejects.toMatchObject({ name: 'SchemaRefused', reason });
  });

  it('ends a job at its deadline and serves the next', async () => {
    const service = open({ deadlines: { validateMs: 1_000 } });
    const refusal = service.validate(HANGING_VALUE.schema, HANGING_VALUE.value, never);
    await expect(refusal).rejects.toMatchObject({ name: 'SchemaRefused', reason: 'too-complex' });
    expect(await service.validate(HANGING_VALUE.schema, [], never)).toEqual([]);
  });
});

describe('examine', () => {
  it('reports on a schema, also on one that cannot be used', async () => {
    expect(await shared.examine({ properties: { a: { type: 'null' } } }, never)).toMatchObject({
      valid: true,
      mayVanish: ['/a'],
    });
    expect(await shared.examine({ type: 'nothing' }, never)).toMatchObject({
      valid: false,
      problems: [{ reason: 'invalid', path: '/type' }],
    });
  });

  it('reports that a schema hangs', async () => {
    const service = open({ deadlines: { examineMs: 1_000 } });
    const report = await service.examine(HANGING, never);
    expect(report).toMatchObject({ valid: false, problems: [{ reason: 'too-complex' }] });
  });
});

describe('a worker that dies', () => {
  it('fails its own call only', async () => {
    const service = open();
    const deadly = service.compile({ const: DEADLY }, {}, never);
    const others = Array.from({ length: 6 }, (_, index) => service.compile({ const: index }, {}, never));
    await expect(deadly).rejects.toMatchObject({ name: 'ChildLost', reason: 'crashed' });
    expect(await Promise.all(others)).toHaveLength(6);
    expect(service.load).toMatchObject({ cached: 6, jobs: 0 });
  });

  it('out of memory leads to a refusal of the schema', async () => {
    const service = open({ deadlines: { validateMs: 60_000 } });
    const schema = { items: { allOf: Array.from({ length: 500 }, (_, index) => ({ const: index + 1 })) } };
    const refusal = service.validate(schema, new Array(20_000).fill(0), never);
    await expect(refusal).rejects.toMatchObject({ name: 'SchemaRefused', reason: 'too-complex' });
    await expect(refusal).rejects.toThrow('of memory');
    expect(await service.validate(true, 1, never)).toEqual([]);
  });
});

describe('stacks', () => {
  it('use one worker each at a time, even if others are idle, and leave one for other stacks', async () => {
    const service = open();
    const hung = Array.from({ length: 4 }, (_, index) =>
      service.compile({ ...HANGING, title: `${index}` }, {}, { ...never, stackId: 'hostile' }),
    );
    const ended = hung.map((call) => expect(call).rejects.toMatchObject({ reason: 'stopped' }));
    await expect.poll(() => service.asked).toHaveLength(1);
    for (const stackId of ['shop', 'bakery']) {
      const compiled = await service.compile({ const: stackId }, {}, { ...never, stackId });
      expect(compiled.grammar).toContain(stackId);
    }
    expect(service.load.jobs).toBe(4);
    expect(service.asked).toHaveLength(3);
    await service.stop(AbortSignal.abort());
    await Promise.all(ended);
  });

  it('do not block background checks', async () => {
    const service = open();
    const hung = ['a', 'b', 'c'].map((stackId) => service.compile(HANGING, {}, { ...never, stackId }));
    const ended = hung.map((call) => expect(call).rejects.toMatchObject({ reason: 'stopped' }));
    expect(await service.breach({ type: 'null' }, '1', signal)).toBe('type');
    expect(service.load.jobs).toBe(3);
    await service.stop(AbortSignal.abort());
    await Promise.all(ended);
  });

  it('do not share a compilation with another stack', async () => {
    const service = open();
    const calls = ['shop', 'bakery'].map((stackId) =>
      service.compile({ type: 'null' }, {}, { ...never, stackId }),
    );
    expect(new Set((await Promise.all(calls)).map(({ grammar }) => grammar)).size).toBe(1);
    expect(service.asked).toHaveLength(2);
  });
});

describe('a schema that is too complex', () => {
  it('is refused without work the next time, for any stack', async () => {
    const service = open({ deadlines: { compileMs: 300, validateMs: 300, examineMs: 300 } });
    const other = { ...never, stackId: 'bakery' };
    const { schema, value } = HANGING_VALUE;
    const asked = [
      (work: typeof never) => service.compile(HANGING, {}, work).catch((error: unknown) => error),
      (work: typeof never) => service.validate(schema, value, work).catch((error: unknown) => error),
      (work: typeof never) => service.examine(HANGING, work),
    ];
    for (const ask of asked) {
      const first = await ask(never);
      expect(JSON.stringify(first)).toContain('too-complex');
      expect(await ask(other)).toEqual(first);
    }
    expect(service.asked).toHaveLength(asked.length);
    expect(await service.validate(schema, [], never)).toEqual([]);
  });

  it('is tried again after a while', async () => {
    const clock = new HeldClock();
    const service = open({ clock });
    for (const passMs of [0, 599_999, 1]) {
      await expect.poll(() => service.isStarting).toBe(false);
      clock.pass(passMs);
      await expect(service.compile({ pattern: '(a)\\1' }, {}, never)).rejects.toMatchObject({
        reason: 'too-complex',
      });
    }
    expect(service.asked).toHaveLength(2);
  });
});

describe('an abort', () => {
  it('before the start prevents any work', async () => {
    const service = open();
    const aborted = { ...never, signal: AbortSignal.abort(new Error('changed my mind')) };
    await expect(service.compile(true, {}, aborted)).rejects.toThrow('changed my mind');
    await expect(service.validate(true, 1, aborted)).rejects.toThrow('changed my mind');
    await expect(service.examine(true, aborted)).rejects.toThrow('changed my mind');
    expect(service.nursery.launched).toBe(0);
  });

  it('of one request keeps the compilation for the others', async () => {
    const service = open();
    const leaving = new AbortController();
    const left = service.compile({ type: 'number' }, {}, { ...never, signal: leaving.signal });
    const stayed = service.compile({ type: 'number' }, {}, never);
    leaving.abort(new Error('changed my mind'));
    await expect(left).rejects.toThrow('changed my mind');
    expect((await stayed).grammar).toContain('root');
    expect(service.asked).toHaveLength(1);
  });

  it('of all requests ends the compilation, and a new request starts another', async () => {
    const service = open({ deadlines: { compileMs: 300 } });
    const leaving = new AbortController();
    const calls = [
      service.compile(HANGING, {}, { ...never, signal: leaving.signal }),
      service.compile(HANGING, {}, { ...never, signal: leaving.signal }),
    ];
    await expect.poll(() => service.asked).toHaveLength(1);
    leaving.abort(new Error('changed my mind'));
    for (const call of calls) await expect(call).rejects.toThrow('changed my mind');
    await expect(service.compile(HANGING, {}, never)).rejects.toMatchObject({ reason: 'too-complex' });
    expect(service.asked).toHaveLength(2);
  });
});

it('ends a running job when the stop is aborted, and then refuses jobs', async () => {
  const service = open();
  const hung = service.compile(HANGING, {}, never);
  const rejected = expect(hung).rejects.toMatchObject({ name: 'ChildLost', reason: 'stopped' });
  await expect.poll(() => service.asked).toHaveLength(1);
  await service.stop(AbortSignal.abort());
  await rejected;
  await expect(service.compile(true, {}, never)).rejects.toMatchObject({ reason: 'stopped' });
  expect(service.left).toBe(0);
});
