import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HttpGateway } from '../../../testing/http-gateway.ts';
import { ConsoleClient } from '../../../testing/people/console-client.ts';
import { LogInWorld } from '../../../testing/people/log-in-world.ts';
import type { OperatorRoute } from '../route.ts';

const OWN = { id: 'shop', key: 'web', stack: 'shop' };
const OTHER = { id: 'other', key: 'web', stack: 'other' };

let world: LogInWorld;
let gateway: HttpGateway;
let clients: Readonly<Record<'operator' | 'read-only' | 'member' | 'key', ConsoleClient>>;
beforeAll(async () => {
  world = new LogInWorld();
  gateway = await HttpGateway.start({ console: { world } });
  await world.add('operator');
  await world.add('read-only', { role: 'read-only', stackId: undefined });
  await world.add('member', { role: 'member', stackId: 'shop' });
  clients = {
    operator: await ConsoleClient.of(gateway, 'operator'),
    'read-only': await ConsoleClient.of(gateway, 'read-only'),
    member: await ConsoleClient.of(gateway, 'member'),
    key: await ConsoleClient.withKey(gateway, 'sk-good'),
  };
});
afterAll(async () => await gateway[Symbol.asyncDispose]());

describe('every route of operators', () => {
  it('is mounted for the console, behind its own door', () => {
    const paths = (prefix: string) =>
      operatorRoutes(prefix).map(({ method, path }) => `${method} ${path.slice(prefix.length)}`);
    const api = paths('/admin/v1');
    expect(api.length).toBeGreaterThan(10);
    expect(paths('/console/api').filter((name) => api.includes(name))).toEqual(api);
  });

  it('needs a session', async () => {
    for (const route of operatorRoutes('/console/api')) {
      const answer = await ask(new ConsoleClient(gateway), route, OWN);
      expect([route.path, answer]).toEqual([route.path, 401]);
    }
  });

  it('that changes something is refused to who is read-only, also with a pasted key', async () => {
    for (const route of operatorRoutes('/console/api').filter(({ right }) => right === 'write'))
      for (const client of [clients['read-only'], clients.key])
        expect([route.method, route.path, await ask(client, route, OWN)]).toEqual([
          route.method,
          route.path,
          403,
        ]);
  });

  it('that only shows something is refused to no person who sees the stack', async () => {
    const shown = operatorRoutes('/console/api').filter(({ right }) => right === 'read');
    for (const route of shown.filter(isShown))
      for (const client of [clients.operator, clients['read-only']])
        expect([route.path, [401, 403].includes(await ask(client, route, OWN))]).toEqual([route.path, false]);
  });

  it('of a stack does not exist for members of others', async () => {
    const ofStack = operatorRoutes('/console/api').filter(({ path }) => path.includes('/stacks/:id'));
    expect(ofStack.length).toBeGreaterThan(6);
    for (const route of ofStack) {
      const asMember = await ask(clients.member, route, OTHER);
      expect([route.method, route.path, asMember]).toEqual([route.method, route.path, 404]);
    }
  });

  it('lets a member change the keys of the stack, and not the stack', async () => {
    const refused = new Set<string>();
    for (const route of operatorRoutes('/console/api').filter(({ right }) => right === 'write'))
      if ((await ask(clients.member, route, OWN)) === 403) refused.add(`${route.method} ${route.path}`);
    expect([...refused]).toEqual(
      ['POST', 'PATCH', 'DELETE'].map((method) => `${method} ${stackPath(method)}`),
    );
  });
});

function stackPath(method: string): string {
  return method === 'POST' ? '/console/api/stacks' : '/console/api/stacks/:id';
}

/** Routes that end or change the own session are tried elsewhere. */
function isShown({ method }: OperatorRoute): boolean {
  return method === 'GET';
}

function operatorRoutes(prefix: string): readonly OperatorRoute[] {
  return gateway.routes.flatMap((route) =>
    route.access === 'operator' && route.path.startsWith(`${prefix}/`) ? [route] : [],
  );
}

/** The status of a request without a sensible body: what is allowed fails later. */
async function ask(
  client: ConsoleClient,
  { method, path }: OperatorRoute,
  names: Readonly<Record<string, string>>,
): Promise<number> {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => names[name] ?? 'x');
  const body = ['POST', 'PATCH'].includes(method) ? {} : undefined;
  return (await client.send(method, filled.slice('/console/api'.length), body)).status;
}
