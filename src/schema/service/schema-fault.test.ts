import { expect, it } from 'vitest';
import { Fault } from '../../faults/fault.ts';
import { ChildLost, TooManyWaiting } from '../../supervision/child-lost.ts';
import { SchemaRefused } from '../schema-refused.ts';
import { schemaFault } from './schema-fault.ts';

const param = 'response_format.json_schema.schema';

it('names the reason, the path and the request field of a refused schema', () => {
  const refused = new SchemaRefused({
    reason: 'unsatisfiable',
    path: '/properties/a',
    message: 'It allows no value at all.',
  });
  const fault = schemaFault(refused, param);
  expect(fault).toBeInstanceOf(Fault);
  expect(fault).toMatchObject({ code: 'invalid-request', param });
  expect(fault).toHaveProperty(
    'message',
    `\`${param}\` is a schema that no answer satisfies: It allows no value at all. (at /properties/a)`,
  );
});

it.each([
  new TooManyWaiting('200 requests are waiting already'),
  new ChildLost({ child: 'schema worker', reason: 'crashed', started: true }),
])('asks to retry if the schema was not processed: %s', (error) => {
  const fault = schemaFault(error, param);
  expect(fault).toMatchObject({ code: 'model-not-ready', status: 503 });
  expect(String(fault)).not.toMatch(/worker|waiting already/);
});

it('returns other errors unchanged', () => {
  const error = new Error('a bug');
  expect(schemaFault(error, param)).toBe(error);
});
