import { expect, it } from 'vitest';
import { describeOnDatabases } from '../../testing/describe-on-databases.ts';
import { operatorWork } from '../../testing/operator-work.ts';
import { parseTestConfig } from '../../testing/parse-test-config.ts';
import { hashSecret } from '../access/key-secret.ts';
import { postgresPool } from '../store/database.ts';
import { SqlCallerDirectory } from '../store/sql-caller-directory.ts';
import { applyDeclaredStacks, type GeneratedKey } from './declared-stacks.ts';
import { createKey, listKeys, rotateKey } from './keys.ts';
import { OperatorError } from './operator-error.ts';
import { changeStack, createStack, listStacks, showStack } from './stacks.ts';

const ONE = 'sk-one-one-one-one-one';
const TWO = 'sk-two-two-two-two-two';

describeOnDatabases('declared stacks', (database) => {
  it('are created with everything the file says', async () => {
    await apply(`
- id: shop
  account: acme
  plan: pro
  image_plan: true
  models: [qwen, other]
  system_prompt: "Él dijo: \\"hola\\" \\u2028 🦊"
  temperature: 0.25
  paused: true
  limits: { requests_per_minute: null, extraction: { pages: 7 } }
  keys:
    - { id: web, secret: ${ONE}, prompt: fox, retrieval: true, knowledge: write, expires_at: 2999-01-01T00:00:00Z,
        limits: { requests_per_minute: 60 } }`);
    expect(await showStack(database().pool, 'shop')).toMatchObject({
      accountId: 'acme',
      plan: 'pro',
      imagePlan: true,
      textEngines: ['local'],
      models: ['qwen', 'other'],
      systemPrompt: 'Él dijo: "hola" \u2028 🦊',
      temperature: 0.25,
      paused: true,
      limits: { requestsPerMinute: null, extraction: { pages: 7 }, pdf: {}, images: {} },
      declared: true,
      disabledAt: null,
    });
    expect(await listKeys(database().pool, 'shop')).toMatchObject([
      {
        id: 'web',
        prompt: 'fox',
        retrieval: true,
        knowledge: 'write',
        expiresAt: new Date('2999-01-01T00:00:00Z'),
        limits: { requestsPerMinute: 60 },
        declared: true,
      },
    ]);
    expect(await openedBy(ONE)).toBe('shop/web');
  });

  it('are changed to what the file says now, without what it no longer says', async () => {
    await apply('[{ id: shop, plan: go, system_prompt: old, temperature: 1, models: [a] }]');
    await apply('[{ id: shop, plan: max, image_plan: true }]');
    expect(await showStack(database().pool, 'shop')).toMatchObject({
      plan: 'max',
      imagePlan: true,
      systemPrompt: null,
      temperature: null,
      models: null,
    });
  });

  it('are disabled when taken out of the file, and enabled when put back', async () => {
    const both = `[{ id: shop, keys: [{ id: web, secret: ${ONE} }] }, { id: blog }]`;
    await apply(both);
    await apply('[{ id: blog }]');
    expect(await openedBy(ONE)).toBeUndefined();
    expect((await showStack(database().pool, 'shop')).disabledAt).toBeInstanceOf(Date);
    await apply(both);
    expect(await openedBy(ONE)).toBe('shop/web');
  });

  it('disable a key that is taken out, and enable it when it is put back', async () => {
    const both = `[{ id: shop, keys: [{ id: web, secret: ${ONE} }, { id: app, secret: ${TWO} }] }]`;
    await apply(both);
    await apply(`[{ id: shop, keys: [{ id: app, secret: ${TWO} }] }]`);
    expect([await openedBy(ONE), await openedBy(TWO)]).toEqual([undefined, 'shop/app']);
    await apply(both);
    expect([await openedBy(ONE), await openedBy(TWO)]).toEqual(['shop/web', 'shop/app']);
  });

  it('let a renamed key keep its secret, also across stacks', async () => {
    await apply(`[{ id: shop, keys: [{ id: web, secret: ${ONE} }] }, { id: blog }]`);
    await apply(`[{ id: shop, keys: [{ id: site, secret: ${ONE} }] }, { id: blog }]`);
    expect(await openedBy(ONE)).toBe('shop/site');
    await apply(`[{ id: shop }, { id: blog, keys: [{ id: site, secret: ${ONE} }] }]`);
    expect(await openedBy(ONE)).toBe('blog/site');
  });

  it('let two keys swap their secrets', async () => {
    await apply(`[{ id: shop, keys: [{ id: a, secret: ${ONE} }, { id: b, secret: ${TWO} }] }]`);
    await apply(`[{ id: shop, keys: [{ id: a, secret: ${TWO} }, { id: b, secret: ${ONE} }] }]`);
    expect([await openedBy(ONE), await openedBy(TWO)]).toEqual(['shop/b', 'shop/a']);
  });

  it('replace a changed secret at once', async () => {
    await apply(`[{ id: shop, keys: [{ id: web, secret: ${ONE} }] }]`);
    await apply(`[{ id: shop, keys: [{ id: web, secret: ${TWO} }] }]`);
    expect([await openedBy(ONE), await openedBy(TWO)]).toEqual([undefined, 'shop/web']);
  });

  it('may not have the secret, the id or a key id of what an operator made', async () => {
    const { pool } = database();
    await createStack(operatorWork(pool), 'own', {});
    const { secret } = await createKey(operatorWork(pool), { stackId: 'own', id: 'main' });
    await apply('[{ id: shop }]');
    await createKey(operatorWork(pool), { stackId: 'shop', id: 'extra' });
    const refused: readonly [string, string][] = [
      [
        `[{ id: shop, keys: [{ id: web, secret: ${secret} }] }]`,
        'key "web" of stack "shop" has the same secret as key "main" of stack "own"',
      ],
      [
        `[{ id: shop, keys: [{ id: web, secret: sk-${'A'.repeat(49)} }] }]`,
        'the secret of key "web" of stack "shop" has the form of a generated one',
      ],
      ['[{ id: own }]', 'the configuration declares stack "own", which was made by other means'],
      [
        '[{ id: shop, keys: [{ id: extra }] }]',
        'the configuration declares key "extra" of stack "shop", which was made by other means',
      ],
    ];
    for (const [file, message] of refused) {
      const outcome = apply(file);
      await expect(outcome).rejects.toThrow(OperatorError);
      await expect(outcome).rejects.toThrow(message);
    }
    expect(await openedBy(secret)).toBe('own/main');
  });

  it("leave the operator's own stacks and keys alone", async () => {
    const { pool } = database();
    await createStack(operatorWork(pool), 'own', { plan: 'pro' });
    const own = await createKey(operatorWork(pool), { stackId: 'own', id: 'main' });
    await apply('[{ id: shop }]');
    const extra = await createKey(operatorWork(pool), { stackId: 'shop', id: 'extra' });
    await apply('[{ id: shop, plan: go }]');
    expect([await openedBy(own.secret), await openedBy(extra.secret)]).toEqual(['own/main', 'shop/extra']);
    await expect(changeStack(operatorWork(pool), 'shop', { changes: { plan: 'max' } })).rejects.toThrow(
      'declared in the configuration',
    );
  });

  it('show a generated key once, and keep it', async () => {
    const file = '[{ id: shop, keys: [{ id: web }, { id: app }] }]';
    const generated = await apply(file);
    expect(generated.map(({ stackId, id }) => `${stackId}/${id}`)).toEqual(['shop/web', 'shop/app']);
    expect(generated[0]?.secret).toMatch(/^sk-[0-9A-Za-z]{49}$/);
    expect(await apply(file)).toEqual([]);
    expect(await openedBy(generated[0]?.secret ?? '')).toBe('shop/web');
  });

  it('keep a generated key that was rotated', async () => {
    const file = '[{ id: shop, keys: [{ id: web }] }]';
    await apply(file);
    const name = { stackId: 'shop', id: 'web' };
    const { secret } = await rotateKey(operatorWork(database().pool), name, { overlapSeconds: 0 });
    expect(await apply(file)).toEqual([]);
    expect(await openedBy(secret)).toBe('shop/web');
  });

  it('are applied as a whole or not at all', async () => {
    const { pool } = database();
    await apply(`[{ id: shop, plan: go, keys: [{ id: web, secret: ${ONE} }] }]`);
    await createStack(operatorWork(pool), 'taken', {});
    const before = await dump();
    const file = `[{ id: new }, { id: shop, plan: max, keys: [{ id: web, secret: ${TWO} }] }, { id: taken }]`;
    await expect(apply(file)).rejects.toThrow('declares stack "taken"');
    expect(await dump()).toEqual(before);
  });

  it('are the same for processes that start together, which generate one secret', async () => {
    const { pool, url } = database();
    const other = url === undefined ? pool : postgresPool(url);
    try {
      const { stacks } = parseTestConfig('stacks: [{ id: shop, keys: [{ id: web }] }]');
      const made = await Promise.all(
        [pool, other, pool, other].map((one) => applyDeclaredStacks(one, stacks)),
      );
      expect(made.flat()).toHaveLength(1);
      expect(await openedBy(made.flat()[0]?.secret ?? '')).toBe('shop/web');
    } finally {
      if (other !== pool) await other.end();
    }
  });

  function apply(stacks: string): Promise<readonly GeneratedKey[]> {
    return applyDeclaredStacks(database().pool, parseTestConfig(`stacks: ${stacks}`).stacks);
  }

  async function openedBy(secret: string): Promise<string | undefined> {
    const directory = new SqlCallerDirectory(database().pool, parseTestConfig(''));
    const found = await directory.find(hashSecret(secret));
    return found && `${found.caller.stack.id}/${found.caller.key.id}`;
  }

  async function dump(): Promise<unknown> {
    const { pool } = database();
    const { rows } = await pool.query('select * from key_secrets order by secret_hash');
    return [await listStacks(pool), await listKeys(pool), rows];
  }
});
