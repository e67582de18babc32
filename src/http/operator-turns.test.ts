import { expect, it } from 'vitest';
import { HttpGateway } from '../../testing/http-gateway.ts';
import type { Operator } from '../access/operator.ts';
import { adminFamily } from '../families/admin-family.ts';
import { jsonAnswer } from './answer.ts';
import { MAX_WAITING_PER_OPERATOR } from './request-handler.ts';
import type { OperatorRoute } from './route.ts';

const AT_A_TIME = 4;

function heldRoute(held: Promise<void>): OperatorRoute {
  return {
    method: 'GET',
    path: '/admin/v1/held/:name',
    access: 'operator',
    right: 'read',
    door: {
      operatorOf: ({ params }): Operator => ({ name: params.name ?? '', door: 'token', role: 'operator' }),
    },
    family: adminFamily,
    body: { kind: 'none' },
    group: 'Admin',
    summary: 'Held',
    detail: 'Held.',
    answer: { contentType: 'application/json' },
    handle: async ({ operator }) => {
      if (operator.name === 'busy') await held;
      return jsonAnswer({});
    },
  };
}

it('serves a few requests of operators at a time, in turns, and refuses one who has too many waiting', async () => {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  await using gateway = await HttpGateway.start({ routes: [heldRoute(promise)] });
  const ask = async (name: string) => (await fetch(`${gateway.url}/admin/v1/held/${name}`)).status;
  const allowed = AT_A_TIME + MAX_WAITING_PER_OPERATOR;
  const answers = Array.from({ length: allowed + 1 }, () => ask('busy'));
  // All others wait, so it is the refused one that is answered.
  expect(await Promise.race(answers)).toBe(429);
  const other = ask('patient');
  resolve();
  expect(await other).toBe(200);
  const statuses = await Promise.all(answers);
  expect(statuses.filter((status) => status === 200)).toHaveLength(allowed);
});
