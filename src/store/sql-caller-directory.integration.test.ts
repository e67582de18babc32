import { inspect } from 'node:util';
import { beforeEach, expect, it } from 'vitest';
import { describeOnDatabases } from '../../testing/describe-on-databases.ts';
import { parseTestConfig } from '../../testing/parse-test-config.ts';
import { storedKey, storedStack } from '../../testing/stored-rows.ts';
import { generateSecret, hashSecret } from '../access/key-secret.ts';
import { planTable } from '../access/plan-limits.ts';
import { DEFAULT_CHAT_PROMPT } from '../config/default-stack.ts';
import { orDatabaseAway } from './database-errors.ts';
import type { KeyValues } from './key-records.ts';
import { execute } from './query.ts';
import { changeRecords } from './records.ts';
import { sql } from './sql.ts';
import { SqlCallerDirectory } from './sql-caller-directory.ts';
import type { StackValues } from './stack-records.ts';

const config = parseTestConfig(`
engines:
  text:
    first: { kind: openai, base_url: http://127.0.0.1:1/v1, model: first-model, context_window: 4096 }
    gpu: { kind: openai, base_url: http://127.0.0.1:1/v1, model: gpu-model, context_window: 4096 }
plans:
  pro: { requests_per_minute: 60, tokens_per_day: 1000, extraction: { pages: 31, files: 6 } }
`);
const web = { stackId: 'shop', id: 'web' };

describeOnDatabases('SqlCallerDirectory', (database) => {
  let directory: SqlCallerDirectory;
  beforeEach(() => {
    directory = new SqlCallerDirectory(database().pool, config);
  });

  it('finds the caller of a good key', async () => {
    const secret = await makeKey({ accountId: 'acme', plan: 'pro', imagePlan: true });
    const found = await find(secret);
    expect(found?.expiresAt).toBeUndefined();
    expect(found?.caller).toMatchObject({
      stack: { id: 'shop', account: 'acme', imagePlan: true, models: ['first-model'] },
      key: { id: 'web' },
      plan: { name: 'pro' },
    });
    expect(found?.caller.stack.createdAt).toBeInstanceOf(Date);
  });

  it('has a prompt for chats on the built-in stack, and on no declared one', async () => {
    const builtIn = await makeKey({ id: 'default', textEngines: null }, { stackId: 'default' });
    const other = await makeKey({ textEngines: null });
    const promptOf = async (secret: string) => (await find(secret))?.caller.stack.chatPrompt;
    expect([await promptOf(builtIn), await promptOf(other)]).toEqual([DEFAULT_CHAT_PROMPT, undefined]);
    directory.reconfigure(parseTestConfig('stacks: [{ id: default }]'));
    expect(await promptOf(builtIn)).toBeUndefined();
  });

  it('knows the limits of the key', async () => {
    const plain = await makeKey();
    const limited = await makeKey({}, { id: 'limited', limits: { requestsPerMinute: 60 } });
    const limitsOf = async (secret: string) => (await find(secret))?.caller.key.limits;
    expect(await limitsOf(plain)).toEqual({ requestsPerMinute: null, concurrentRequests: null });
    expect(await limitsOf(limited)).toEqual({ requestsPerMinute: 60, concurrentRequests: null });
  });

  it('knows the restrictions of the key', async () => {
    const plain = (await find(await makeKey()))?.caller;
    expect(plain?.key).toMatchObject({ restrictions: undefined, models: undefined, ownImagesOnly: false });
    const secret = await makeKey(
      { models: ['large', 'small'] },
      {
        id: 'bound',
        scopes: ['chat', 'images'],
        allowedIps: ['10.0.0.0/8'],
        readOnly: true,
        ownImagesOnly: true,
        allowedModels: ['small', 'other'],
      },
    );
    const bound = (await find(secret))?.caller;
    const restrictions = { scopes: ['chat', 'images'], allowedIps: ['10.0.0.0/8'], readOnly: true };
    expect(bound?.key).toMatchObject({ restrictions, ownImagesOnly: true });
    expect([bound?.models, bound?.key.models]).toEqual([['small'], ['small', 'other']]);
    expect(bound?.stack.models).toEqual(['large', 'small']);
  });

  it.each(['read', 'write', null] as const)(
    'knows the access of a key to knowledge: %s',
    async (knowledge) => {
      const found = await find(await makeKey({}, { knowledge }));
      expect(found?.caller.key.knowledge).toBe(knowledge ?? undefined);
    },
  );

  it('answers nothing for an unknown key', async () => {
    await makeKey();
    expect(await find(generateSecret())).toBeUndefined();
  });

  it('finds the hashes that belong to a key', async () => {
    const hash = hashSecret(await makeKey());
    const others = [generateSecret(), generateSecret()].map(hashSecret);
    expect(await directory.existing([...others, hash])).toEqual(new Set([hash]));
    expect(await directory.existing(others)).toEqual(new Set());
  });

  it('answers nothing for a revoked key', async () => {
    const secret = await makeKey();
    await changeRecords(database().pool, ({ keys }) => keys.revoke(web));
    expect(await find(secret)).toBeUndefined();
  });

  it('answers nothing for a disabled key', async () => {
    const secret = await makeKey();
    await changeRecords(database().pool, ({ keys }) => keys.disable(web));
    expect(await find(secret)).toBeUndefined();
  });

  it('answers nothing for a key of a disabled stack', async () => {
    const secret = await makeKey();
    await changeRecords(database().pool, ({ stacks }) => stacks.disable('shop'));
    expect(await find(secret)).toBeUndefined();
  });

  it('answers nothing for an expired key, and says when one will expire', async () => {
    const expired = await makeKey({}, { expiresAt: new Date(Date.now() - 1_000) });
    expect(await find(expired)).toBeUndefined();
    const expiresAt = new Date('2999-01-01T00:00:00.123Z');
    const secret = await makeKey({}, { id: 'later', expiresAt });
    expect((await find(secret))?.expiresAt).toEqual(expiresAt);
  });

  it('takes the old secret of a rotated key until the overlap is over', async () => {
    const { pool } = database();
    const old = await makeKey({}, { expiresAt: new Date('2999-01-01T00:00:00Z') });
    const secret = await rotate({ overlapSeconds: 60 });
    const ends = (await find(old))?.expiresAt?.getTime() ?? 0;
    expect(Math.abs(ends - Date.now() - 60_000)).toBeLessThan(30_000);
    await execute(
      pool,
      sql`update key_secrets set expires_at = now() - interval '1 second' where expires_at is not null`,
    );
    expect(await find(old)).toBeUndefined();
    expect((await find(secret))?.caller.key.id).toBe('web');
  });

  it('does not make an overlap longer by rotating again', async () => {
    const old = await makeKey();
    await rotate({ overlapSeconds: 60 });
    await rotate({ overlapSeconds: 6_000_000 });
    expect((await find(old))?.expiresAt?.getTime()).toBeLessThan(Date.now() + 120_000);
  });

  it('ends the old secret at once where there is no overlap', async () => {
    const old = await makeKey();
    await rotate({ overlapSeconds: 0 });
    expect(await find(old)).toBeUndefined();
  });

  it.each<readonly [string, Partial<StackValues>, readonly string[]]>([
    ["the stack's own", { models: ['a', 'b'], textEngines: ['gpu'] }, ['a', 'b']],
    ["its engine's", { textEngines: ['gpu', 'first'] }, ['gpu-model']],
    ["the first engine's", {}, ['first-model']],
    ['none where its engine is not configured any more', { textEngines: ['gone'] }, []],
  ])('serves models: %s', async (_, changes, models) => {
    const secret = await makeKey(changes);
    expect((await find(secret))?.caller.stack.models).toEqual(models);
  });

  it("merges limits: the plan's, the configuration's, the stack's", async () => {
    const secret = await makeKey({
      plan: 'pro',
      limits: { tokensPerDay: null, extraction: { pages: 99 }, pdf: {}, images: { inFlight: 8 } },
    });
    const { pro } = planTable;
    expect((await find(secret))?.caller.plan.limits).toEqual({
      ...pro,
      tokensPerDay: null,
      requestsPerMinute: 60,
      extraction: { ...pro.extraction, files: 6, pages: 99 },
      images: { ...pro.images, inFlight: 8 },
    });
  });

  it('takes plans and engines from a new configuration', async () => {
    const secret = await makeKey({ plan: 'pro' });
    directory.reconfigure(parseTestConfig('plans: { pro: { requests_per_minute: 5 } }'));
    const caller = (await find(secret))?.caller;
    expect(caller?.plan.limits.requestsPerMinute).toBe(5);
    expect(caller?.stack.models).toEqual(['smollm2-135m-instruct']);
  });

  it('answers many look-ups at once', async () => {
    const secret = await makeKey();
    const found = await Promise.all(Array.from({ length: 50 }, () => find(secret)));
    expect(new Set(found.map((each) => each?.caller.key.id))).toEqual(new Set(['web']));
  });

  it('does not repeat the values of a query that fails', async () => {
    const query = execute(database().pool, sql`select ${'hidden-text'}::text, 1 / 0`);
    const error = await orDatabaseAway(query).catch((thrown: unknown) => thrown);
    expect(String(error)).toContain('division by zero');
    expect(inspect(error, { depth: 9 })).not.toContain('hidden-text');
  });

  async function makeKey(stack: Partial<StackValues> = {}, key: Partial<KeyValues> = {}): Promise<string> {
    const secret = generateSecret();
    await changeRecords(database().pool, async ({ stacks, keys }) => {
      await stacks.save({ ...storedStack, ...stack });
      await keys.setSecret(await keys.save({ ...storedKey, ...key }), hashSecret(secret));
    });
    return secret;
  }

  async function rotate({ overlapSeconds }: { overlapSeconds: number }): Promise<string> {
    const secret = generateSecret();
    const hash = hashSecret(secret);
    await changeRecords(database().pool, ({ keys }) => keys.setSecret(web, hash, overlapSeconds));
    return secret;
  }

  function find(secret: string) {
    return directory.find(hashSecret(secret));
  }
});
