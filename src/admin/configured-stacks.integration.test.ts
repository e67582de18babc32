import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { makeDataFolder } from '../../testing/data-folder.ts';
import { describeOnDatabases } from '../../testing/describe-on-databases.ts';
import { operatorWork } from '../../testing/operator-work.ts';
import { parseTestConfig } from '../../testing/parse-test-config.ts';
import { hashSecret } from '../access/key-secret.ts';
import type { Config } from '../config/config.ts';
import { rollBack } from '../store/migrate.ts';
import { SqlCallerDirectory } from '../store/sql-caller-directory.ts';
import {
  applyConfiguredStacks,
  type DefaultKey,
  defaultKeyCopy,
  defaultKeyPath,
  dropForeignDefaultKey,
} from './configured-stacks.ts';
import { changeKey, createKey, revokeKey, rotateKey } from './keys.ts';
import { changeStack, createStack, showStack } from './stacks.ts';

const defaultName = { stackId: 'default', id: 'default' };

describeOnDatabases('the built-in stack', (database) => {
  let config: Config;
  beforeEach(() => {
    config = configIn(makeDataFolder());
  });

  it('gets a key at the first start, with one copy that only its owner can read', async () => {
    const { secret, isNew, path } = await start();
    expect({ isNew, path }).toEqual({ isNew: true, path: defaultKeyPath(config) });
    expect(readFileSync(path, 'utf8')).toBe(`${secret}\n`);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(await opens(secret)).toBe(true);
    expect(await showStack(database().pool, 'default')).toMatchObject({
      accountId: 'default',
      plan: 'max',
      imagePlan: true,
      textEngines: null,
      declared: false,
    });
  });

  it('keeps the key at later starts', async () => {
    const first = await start();
    expect(await start()).toEqual({ ...first, isNew: false });
  });

  it('keeps the key when the copy is deleted', async () => {
    const first = await start();
    rmSync(first.path);
    expect(await start()).toEqual({ path: first.path, secret: undefined, isNew: false });
    expect(await opens(first.secret)).toBe(true);
  });

  it('keeps using the copied key when the database is recreated', async () => {
    const first = await start();
    await database().pool.query('truncate accounts cascade');
    expect(await start()).toEqual({ ...first, isNew: false });
    expect(await opens(first.secret)).toBe(true);
  });

  it('does not adopt a copy whose secret an operator gave to another key', async () => {
    const { pool } = database();
    await createStack(operatorWork(pool), 'own', {});
    const { secret } = await createKey(operatorWork(pool), { stackId: 'own', id: 'main' });
    writeFileSync(defaultKeyPath(config), secret);
    await expect(start()).rejects.toThrow('has the same secret as key "main" of stack "own"');
  });

  it('has one key for replicas with data folders of their own', async () => {
    const first = await start();
    const replica = configIn(makeDataFolder());
    expect((await start(replica)).secret).toBeUndefined();
    expect(await opens(first.secret)).toBe(true);
  });

  it('is not reverted to an old key by a replica whose copy predates a rotation', async () => {
    const first = await start();
    const replica = configIn(makeDataFolder());
    const keepCopy = defaultKeyCopy(replica, defaultName);
    const { secret } = await rotateKey(operatorWork(database().pool), defaultName, {
      overlapSeconds: 0,
      ...(keepCopy && { keepCopy }),
    });
    expect((await start()).secret).toBeUndefined();
    expect([await opens(first.secret), await opens(secret)]).toEqual([false, true]);
    expect((await start(replica)).secret).toBe(secret);
  });

  it('has the right copy after a rotation', async () => {
    const first = await start();
    const keepCopy = defaultKeyCopy(config, defaultName);
    const { secret } = await rotateKey(operatorWork(database().pool), defaultName, {
      overlapSeconds: 60,
      ...(keepCopy && { keepCopy }),
    });
    expect(readFileSync(first.path, 'utf8')).toBe(`${secret}\n`);
    expect(await start()).toEqual({ ...first, secret, isNew: false });
    expect([await opens(first.secret), await opens(secret)]).toEqual([true, true]);
  });

  it('is declared for a release that makes it so, and belongs to the operator again after the next upgrade', async () => {
    const first = await start();
    const { pool } = database();
    await rollBack(pool, { lastMigration: '9999', declaresBuiltInStack: true });
    expect(await showStack(pool, 'default')).toMatchObject({ declared: true, disabledAt: null });
    expect(await start()).toEqual({ ...first, isNew: false });
    expect(await showStack(pool, 'default')).toMatchObject({ declared: false });
    expect(await opens(first.secret)).toBe(true);
  });

  it('stays what it is if an operator made a stack of that name', async () => {
    const { pool } = database();
    await createStack(operatorWork(pool), 'default', {});
    await createKey(operatorWork(pool), { stackId: 'default', id: 'main' });
    await rollBack(pool, { lastMigration: '9999', declaresBuiltInStack: true });
    expect(await showStack(pool, 'default')).toMatchObject({ declared: false });
  });

  it('keeps a copy of no other key', () => {
    expect(defaultKeyCopy(config, { stackId: 'default', id: 'web' })).toBeUndefined();
    expect(defaultKeyCopy(parseTestConfig('stacks: [{ id: default }]'), defaultName)).toBeUndefined();
  });

  it('does not rotate when the copy cannot be written', async () => {
    const { secret } = await start();
    const keepCopy = () => Promise.reject(new Error('no room'));
    const outcome = rotateKey(operatorWork(database().pool), defaultName, { overlapSeconds: 0, keepCopy });
    await expect(outcome).rejects.toThrow('no room');
    expect(await opens(secret)).toBe(true);
  });

  it('leaves a revoked key revoked at the next start, and does not tell of its copy', async () => {
    const { secret } = await start();
    await revokeKey(operatorWork(database().pool), defaultName);
    expect(await start()).toMatchObject({ secret: undefined, isNew: false });
    expect(await opens(secret)).toBe(false);
  });

  it('leaves secrets made up for declared keys in files that only their owner can read, and overwrites none', async () => {
    const stacks = 'stacks: [{ id: a, keys: [{ id: b-c }] }, { id: a-b, keys: [{ id: c }] }]';
    const declaring = { ...parseTestConfig(stacks), dataDir: config.dataDir };
    const { generated } = await applyConfiguredStacks(database().pool, declaring, { keepsSecrets: true });
    const names = ['a-b-c', 'a-b-c.2'].map((name) => join(config.dataDir, 'keys', name));
    expect(generated.map(({ path }) => path)).toEqual(names);
    for (const { secret, path = '' } of generated) {
      expect(readFileSync(path, 'utf8')).toBe(`${secret}\n`);
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(await opens(secret)).toBe(true);
    }
    expect(statSync(join(config.dataDir, 'keys')).mode & 0o777).toBe(0o700);
  });

  it('is disabled while the file declares stacks', async () => {
    const { secret } = await start();
    const declaring = parseTestConfig('stacks: [{ id: shop, keys: [{ id: web }] }]');
    const { generated, defaultKey } = await applyConfiguredStacks(database().pool, declaring, {
      keepsSecrets: false,
    });
    expect({ made: generated.length, defaultKey }).toEqual({ made: 1, defaultKey: undefined });
    expect(await opens(secret)).toBe(false);
    await start();
    expect(await opens(secret)).toBe(true);
    expect(await opens(generated[0]?.secret)).toBe(false);
  });

  it('says of its key where it comes from, and not that a file declares it', async () => {
    await start();
    const work = operatorWork(database().pool);
    await expect(changeKey(work, defaultName, { changes: { readOnly: true } })).rejects.toThrow(
      'key "default" of stack "default" comes with the built-in stack, or with the configuration file that declares it: make another key',
    );
  });

  it('keeps what an operator changed over restarts, until a file declares stacks', async () => {
    const { pool } = database();
    const { secret } = await start();
    await changeStack(operatorWork(pool), 'default', {
      changes: { plan: 'go', systemPrompt: 'Be brief.' },
    });
    expect(await start()).toMatchObject({ secret });
    expect(await showStack(pool, 'default')).toMatchObject({ plan: 'go', systemPrompt: 'Be brief.' });
    await applyConfiguredStacks(pool, parseTestConfig('stacks: [{ id: shop }]'), { keepsSecrets: false });
    expect(await opens(secret)).toBe(false);
    await start();
    expect(await opens(secret)).toBe(true);
    expect(await showStack(pool, 'default')).toMatchObject({ plan: 'max', systemPrompt: null });
  });

  it('belongs to the file that declares it', async () => {
    const { pool } = database();
    const { secret } = await start();
    await applyConfiguredStacks(pool, parseTestConfig('stacks: [{ id: default, plan: pro }]'), {
      keepsSecrets: false,
    });
    expect(await showStack(pool, 'default')).toMatchObject({ plan: 'pro', declared: true });
    expect(await opens(secret)).toBe(false);
    await expect(changeStack(operatorWork(pool), 'default', { changes: { plan: 'go' } })).rejects.toThrow(
      'is declared in the',
    );
    await start();
    expect(await showStack(pool, 'default')).toMatchObject({ plan: 'max', declared: false });
    expect(await opens(secret)).toBe(true);
  });

  it('is none of the operator’s stacks that has its name', async () => {
    const { pool } = database();
    await createStack(operatorWork(pool), 'default', {});
    const { secret } = await createKey(operatorWork(pool), { stackId: 'default', id: 'own' });
    await applyConfiguredStacks(pool, parseTestConfig('stacks: [{ id: shop }]'), { keepsSecrets: false });
    expect(await opens(secret)).toBe(true);
  });

  it('loses a copy that opens nothing after a restore, and keeps one that does', async () => {
    const { path } = await start();
    await dropForeignDefaultKey(database().pool, config);
    expect(readFileSync(path, 'utf8')).not.toBe('');
    writeFileSync(path, 'sk-of-another-database\n');
    await dropForeignDefaultKey(database().pool, config);
    expect(() => readFileSync(path)).toThrow('ENOENT');
  });

  async function start(replica: Config = config): Promise<DefaultKey> {
    const { defaultKey } = await applyConfiguredStacks(database().pool, replica, { keepsSecrets: false });
    if (defaultKey === undefined) throw new Error('the built-in stack is in use');
    return defaultKey;
  }

  async function opens(secret: string | undefined): Promise<boolean> {
    const directory = new SqlCallerDirectory(database().pool, config);
    return (await directory.find(hashSecret(secret ?? ''))) !== undefined;
  }
});

function configIn(dataDir: string): Config {
  return parseTestConfig('', { STACKGATE_DATA: dataDir });
}
