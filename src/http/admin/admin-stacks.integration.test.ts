import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../../../testing/http-call.ts';
import { goodKey, HttpGateway } from '../../../testing/http-gateway.ts';
import { openMigratedDatabase, type TestDatabase } from '../../../testing/open-test-database.ts';
import { operatorWork } from '../../../testing/operator-work.ts';
import { ConsoleClient } from '../../../testing/people/console-client.ts';
import { LogInWorld } from '../../../testing/people/log-in-world.ts';
import { storedStack } from '../../../testing/stored-rows.ts';
import { generateOperatorSecret, hashSecret } from '../../access/key-secret.ts';
import { makePlaygroundKey } from '../../admin/playground-key.ts';
import { createStack } from '../../admin/stacks.ts';
import { readRecords } from '../../store/records.ts';

const [ada, eve, shop, member] = Array.from({ length: 4 }, generateOperatorSecret) as [
  string,
  string,
  string,
  string,
];

let database: TestDatabase;
let gateway: HttpGateway;
let changes = 0;
const world = new LogInWorld();

beforeAll(async () => {
  database = await openMigratedDatabase('embedded');
  gateway = await HttpGateway.start({
    operators: {
      [ada]: { name: 'ada', door: 'token', role: 'operator' },
      [eve]: { name: 'eve', door: 'token', role: 'read-only' },
      [shop]: { name: 'shopkeeper', door: 'token', role: 'operator', stackId: 'shop' },
      [member]: { name: 'mia', door: 'token', role: 'member', stackId: 'shop' },
    },
    console: { world },
    admin: {
      pool: database.pool,
      changed: () => {
        changes++;
      },
    },
  });
  await createStack(operatorWork(database.pool), 'shop', { plan: 'pro' });
  await createStack(operatorWork(database.pool), 'depot', {});
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await database.close();
});

interface Asked {
  readonly token?: string;
  readonly body?: unknown;
  readonly ifMatch?: string;
}

async function ask(method: string, path: string, { token = ada, body, ifMatch }: Asked = {}) {
  const answer = await call(gateway, {
    method,
    path: `/admin/v1${path}`,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, headers: answer.headers, json: JSON.parse(answer.body) };
}

describe('stacks of the admin API', () => {
  it('are made, shown, changed and disabled with the names of the configuration', async () => {
    const before = changes;
    const made = await ask('POST', '/stacks', {
      body: { id: 'cafe', account: 'acme', limits: { requests_per_minute: 5 }, responses: { store: false } },
    });
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({
      id: 'cafe',
      account: 'acme',
      plan: 'go',
      limits: { requests_per_minute: 5 },
      responses: { store: false },
      editable: true,
      not_editable_because: null,
      keys: 0,
      disabled_at: null,
    });
    expect(made.headers.etag).toBe(made.json.etag);
    const changed = await ask('PATCH', '/stacks/cafe', { body: { plan: 'max' }, ifMatch: made.json.etag });
    expect(changed.json).toMatchObject({ plan: 'max', limits: { requests_per_minute: 5 } });
    expect(changed.json.etag).not.toBe(made.json.etag);
    const disabled = await ask('DELETE', '/stacks/cafe');
    expect(disabled.json.disabled_at).not.toBeNull();
    expect(changes - before).toBe(3);
    expect((await ask('DELETE', '/stacks/cafe')).json).toEqual(disabled.json);
    const { data } = (await ask('GET', '/audit?action=stack.disable')).json;
    expect(data.filter(({ target }: { target: string }) => target === 'cafe')).toHaveLength(1);
  });

  it('are not changed by a request that has not seen their last state', async () => {
    const { json } = await ask('GET', '/stacks/depot');
    await ask('PATCH', '/stacks/depot', { body: { paused: true } });
    for (const method of ['PATCH', 'DELETE']) {
      const stale = await ask(method, '/stacks/depot', {
        ifMatch: json.etag,
        ...(method === 'PATCH' && { body: { paused: false } }),
      });
      expect([stale.status, stale.json]).toEqual([
        412,
        { detail: 'The object was changed since you read it: read it again.' },
      ]);
    }
    expect((await ask('GET', '/stacks/depot')).json).toMatchObject({ paused: true, disabled_at: null });
  });

  it('of the file are shown, and say why they cannot be changed', async () => {
    await readRecords(database.pool).stacks.save({
      ...storedStack,
      id: 'filed',
      declared: true,
    });
    const { json } = await ask('GET', '/stacks/filed');
    const reason = 'stack "filed" is declared in the configuration file: change it there and send SIGHUP';
    expect(json).toMatchObject({ declared: true, editable: false, not_editable_because: reason });
    const refused = await ask('PATCH', '/stacks/filed', { body: { plan: 'max' } });
    expect([refused.status, refused.json.detail]).toEqual([409, `S${reason.slice(1)}.`]);
  });

  it('come in pages that a cursor continues', async () => {
    const first = await ask('GET', '/stacks?limit=2');
    expect(first.json.data.map(({ id }: { id: string }) => id)).toEqual(['cafe', 'depot']);
    const second = await ask('GET', `/stacks?limit=2&cursor=${first.json.next_cursor}`);
    expect(second.json.data.map(({ id }: { id: string }) => id)).toEqual(['filed', 'shop']);
    expect(second.json.next_cursor).toBeNull();
    expect((await ask('GET', '/stacks?q=epo')).json.data).toHaveLength(1);
    expect((await ask('GET', '/stacks?limit=201')).status).toBe(400);
    expect((await ask('GET', '/stacks?cursor=x')).status).toBe(400);
  });

  it('are refused with the field and what is expected of it', async () => {
    const wrong = await ask('PATCH', '/stacks/depot', { body: { plan: 'gold' } });
    expect([wrong.status, wrong.json.detail]).toEqual([
      400,
      '`plan`: expected one of go, pro, max, enterprise, got "gold"',
    ]);
    const engine = await ask('PATCH', '/stacks/depot', { body: { text: 'gpt' } });
    expect([engine.status, engine.json.detail]).toEqual([400, expect.stringContaining('text engine "gpt"')]);
    expect((await ask('POST', '/stacks', { body: { id: 'shop' } })).status).toBe(409);
  });
});

describe('keys of the admin API', () => {
  it('are made, rotated and revoked; their secret is shown once and opens the stack', async () => {
    const made = await ask('POST', '/stacks/shop/keys', {
      body: { id: 'web', expires_at: '2099-01-01T00:00:00Z', limits: { requests_per_minute: 7 } },
    });
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({
      id: 'web',
      stack: 'shop',
      state: 'active',
      limits: { requests_per_minute: 7 },
    });
    const { keys } = readRecords(database.pool);
    expect(await keys.ownerOf(hashSecret(made.json.secret))).toEqual({ stackId: 'shop', id: 'web' });
    const shown = await ask('GET', '/stacks/shop/keys/web');
    expect(shown.json.secret).toBeUndefined();
    expect(shown.json.etag).toBe(made.json.etag);
    const rotated = await ask('POST', '/stacks/shop/keys/web/rotate', { body: { overlap_seconds: 0 } });
    expect(rotated.status).toBe(201);
    expect(rotated.json.etag).not.toBe(made.json.etag);
    expect((await ask('GET', '/stacks/shop/keys/web')).json.etag).toBe(rotated.json.etag);
    expect(await keys.ownerOf(hashSecret(made.json.secret))).toBeUndefined();
    const changed = await ask('PATCH', '/stacks/shop/keys/web', { body: { expires_at: null, limits: null } });
    expect(changed.json).toMatchObject({ expires_at: null, limits: {} });
    const stale = await ask('DELETE', '/stacks/shop/keys/web', { ifMatch: shown.json.etag });
    expect(stale.status).toBe(412);
    const revoked = (await ask('DELETE', '/stacks/shop/keys/web')).json;
    expect(revoked.state).toBe('revoked');
    expect((await ask('DELETE', '/stacks/shop/keys/web')).json).toEqual(revoked);
    expect((await ask('POST', '/stacks/shop/keys/web/rotate', { body: {} })).status).toBe(409);
  });

  it('cannot have the id of the key of the playground, which gets no secret', async () => {
    expect((await ask('POST', '/stacks/shop/keys', { body: { id: 'console' } })).status).toBe(400);
    const ada = { name: 'ada', door: 'console', role: 'operator' } as const;
    await makePlaygroundKey({ pool: database.pool, operator: ada }, 'shop');
    expect((await ask('POST', '/stacks/shop/keys/console/rotate', { body: {} })).status).toBe(409);
    expect((await ask('GET', '/stacks/shop/keys/console')).json.secret_set_at).toBeNull();
  });

  it('are shown to who pasted a key without prompts and addresses', async () => {
    const allowed = { prompt: 'a fox', allowed_ips: ['10.0.0.0/8'] };
    await ask('POST', '/stacks/shop/keys', { body: { id: 'fox', ...allowed } });
    await ask('PATCH', '/stacks/shop', { body: { system_prompt: 'Be brief.' } });
    const shown = async (client: ConsoleClient) => {
      const paths = ['/stacks/shop/keys/fox', '/keys?q=fox', '/stacks/shop', '/stacks'];
      return (await Promise.all(paths.map((path) => client.send('GET', path))))
        .map(({ body }) => body)
        .join();
    };
    await world.add('member', { role: 'member', stackId: 'shop' });
    const member = await ConsoleClient.of(gateway, 'member');
    const pasted = await ConsoleClient.withKey(gateway, goodKey);
    const hidden = ['a fox', '10.0.0.0/8', 'Be brief.'];
    const [all, part] = [await shown(member), await shown(pasted)];
    for (const text of hidden) expect([all.includes(text), part.includes(text)]).toEqual([true, false]);
    expect(part).toContain('"fox"');
    await ask('DELETE', '/stacks/shop/keys/fox');
  });

  it('of all stacks come in one list', async () => {
    await ask('POST', '/stacks/depot/keys', { body: { id: 'till' } });
    const all = await ask('GET', '/keys?limit=1');
    expect(all.json.data).toMatchObject([{ stack: 'depot', id: 'till' }]);
    const rest = await ask('GET', `/keys?cursor=${all.json.next_cursor}`);
    expect(rest.json.data).toMatchObject(['console', 'fox', 'web'].map((id) => ({ stack: 'shop', id })));
    expect((await ask('GET', '/keys?stack=depot')).json.data).toHaveLength(1);
  });

  it('are rotated without a body as with an empty one', async () => {
    const made = await ask('POST', '/stacks/depot/keys', { body: { id: 'bare' } });
    const rotated = await ask('POST', '/stacks/depot/keys/bare/rotate');
    expect([rotated.status, typeof rotated.json.secret]).toEqual([201, 'string']);
    const { keys } = readRecords(database.pool);
    // The overlap is a day if nothing is said.
    for (const { secret } of [made.json, rotated.json])
      expect(await keys.ownerOf(hashSecret(secret))).toEqual({ stackId: 'depot', id: 'bare' });
    expect((await ask('POST', '/stacks/depot/keys')).status).toBe(415);
  });
});

describe('the rights of operators', () => {
  it.each([
    ['a read-only one looks at everything and changes nothing', eve, [200, 200, 403, 403, 403, 403]],
    ['one of a stack has that stack only', shop, [200, 404, 403, 200, 404, 201]],
    ['a member works with the keys of its stack', member, [200, 404, 403, 403, 404, 201]],
  ])('%s', async (_title, token, statuses) => {
    const key = `k${statuses.join('')}`.slice(0, 20);
    const got = [
      (await ask('GET', '/stacks/shop', { token })).status,
      (await ask('GET', '/stacks/depot', { token })).status,
      (await ask('POST', '/stacks', { token, body: { id: `new-${key}` } })).status,
      (await ask('PATCH', '/stacks/shop', { token, body: { plan: 'pro' } })).status,
      (await ask('DELETE', '/stacks/depot', { token })).status,
      (
        await ask('POST', '/stacks/shop/keys', {
          token,
          body: { id: `${key}${token.slice(-3).toLowerCase()}` },
        })
      ).status,
    ];
    expect(got).toEqual(statuses);
  });

  it('hide what others have from lists', async () => {
    expect((await ask('GET', '/stacks', { token: member })).json.data).toMatchObject([{ id: 'shop' }]);
    const keys = (await ask('GET', '/keys', { token: member })).json.data;
    expect(new Set(keys.map(({ stack }: { stack: string }) => stack))).toEqual(new Set(['shop']));
    expect((await ask('GET', '/keys?stack=depot', { token: member })).status).toBe(404);
  });
});
