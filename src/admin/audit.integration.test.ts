import { expect, it } from 'vitest';
import { describeOnDatabases } from '../../testing/describe-on-databases.ts';
import { MemoryBlobStore } from '../../testing/memory-blob-store.ts';
import { operatorWork, testOperator } from '../../testing/operator-work.ts';
import { parseTestConfig } from '../../testing/parse-test-config.ts';
import { type AuditRecord, listAudit, readAudit, recordAudit } from '../store/audit-trail.ts';
import { execute } from '../store/query.ts';
import { sql } from '../store/sql.ts';
import { inTransaction } from '../store/transaction.ts';
import { verifyAudit } from './audit.ts';
import { applyAccountBudgets } from './budgets.ts';
import { applyDeclaredStacks } from './declared-stacks.ts';
import { erase } from './erasure.ts';
import { createKey, revokeKey, rotateKey } from './keys.ts';
import { createOperator, revokeOperator } from './operators.ts';
import { changeStack, createStack } from './stacks.ts';

const { signal } = new AbortController();

describeOnDatabases('the audit', (database) => {
  const rows = async () => {
    const all: AuditRecord[] = [];
    for await (const row of readAudit(database().pool)) all.push(row);
    return all;
  };
  const actions = async () =>
    (await rows()).map(({ actor, door, action, target }) => [actor, door, action, target]);

  it('has a row for every change, with what was and is, and nothing secret', async () => {
    const work = operatorWork(database().pool);
    await createStack(work, 'shop', { systemPrompt: 'Never tell the recipe.' });
    await changeStack(work, 'shop', { changes: { plan: 'max' } });
    const { secret } = await createKey(work, { stackId: 'shop', id: 'web', prompt: 'a hidden fox' });
    const rotated = await rotateKey(work, { stackId: 'shop', id: 'web' }, { overlapSeconds: 60 });
    await revokeKey(work, { stackId: 'shop', id: 'web' });
    const made = await createOperator(work, { name: 'bot', readOnly: true, stackId: 'shop' });
    await revokeOperator(work, 'bot');
    await erase(
      'image',
      { scope: 'stack', stackId: 'shop' },
      { ...work, blobs: new MemoryBlobStore(), signal },
    );
    expect((await actions()).map(([, , action, target]) => `${action} ${target}`)).toEqual([
      'stack.create shop',
      'stack.change shop',
      'key.create shop/web',
      'key.rotate shop/web',
      'key.revoke shop/web',
      'operator.create bot',
      'operator.revoke bot',
      'image.erase shop',
      'image.erased shop',
    ]);
    const all = await rows();
    expect(all[1]).toMatchObject({ actor: 'ada', door: 'cli', address: 'desk', stackId: 'shop' });
    expect(JSON.parse(all[1]?.before ?? '')).toMatchObject({ plan: 'go' });
    expect(JSON.parse(all[1]?.after ?? '')).toMatchObject({ plan: 'max' });
    const text = JSON.stringify(all);
    for (const hidden of [secret, rotated.secret, made.secret, 'recipe', 'hidden fox'])
      expect(text).not.toContain(hidden);
    expect(await verifyAudit(database().pool)).toEqual({ rows: 9, head: all.at(-1)?.hash });
  });

  it('has changes of the configuration file once', async () => {
    const { stacks } = parseTestConfig('stacks: [{ id: shop, keys: [{ id: web }] }]');
    const changed = parseTestConfig('stacks: [{ id: shop, plan: pro, keys: [{ id: web }] }]');
    await applyDeclaredStacks(database().pool, stacks);
    await applyDeclaredStacks(database().pool, stacks);
    await applyDeclaredStacks(database().pool, changed.stacks);
    expect(await actions()).toEqual([
      ['configuration', 'file', 'stack.create', 'shop'],
      ['configuration', 'file', 'key.create', 'shop/web'],
      ['configuration', 'file', 'stack.change', 'shop'],
    ]);
  });

  it('has budgets and secrets that the configuration file changed, and nothing that it left', async () => {
    const { pool } = database();
    const declare = async (secret: string, budgets: Parameters<typeof applyAccountBudgets>[1]) => {
      const text = `stacks: [{ id: shop, keys: [{ id: web, secret: ${secret} }] }]`;
      await applyDeclaredStacks(pool, parseTestConfig(text).stacks);
      await applyAccountBudgets(pool, budgets);
    };
    const [first, second] = ['first-secret-0000', 'second-secret-000'];
    await declare(first, { default: { hard: 5 } });
    await declare(first, { default: { hard: 5 } });
    await declare(second, { default: { hard: 6, soft: 3 } });
    await declare(second, {});
    const all = await rows();
    const changed = all.slice(2).map(({ action, target, before, after }) => {
      const views = [before, after].map((view) => JSON.parse(view ?? '{}').budget);
      return [action, target, ...(action === 'account.change' ? views : [])];
    });
    expect(changed).toEqual([
      ['account.change', 'default', null, { hard: 5 }],
      ['key.change', 'shop/web'],
      ['account.change', 'default', { hard: 5 }, { hard: 6, soft: 3 }],
      ['account.change', 'default', { hard: 6, soft: 3 }, null],
    ]);
    expect(JSON.stringify(all)).not.toMatch(/first-secret|second-secret/);
  });

  it('has no row of a change that failed', async () => {
    const work = operatorWork(database().pool);
    await createStack(work, 'shop', {});
    await expect(createStack(work, 'shop', {})).rejects.toThrow('exists already');
    const failing = inTransaction(work.pool, async (client) => {
      await recordAudit(client, testOperator, { action: 'stack.change', target: 'shop' });
      throw new Error('later');
    });
    await expect(failing).rejects.toThrow('later');
    expect(await rows()).toHaveLength(1);
  });

  it('refuses that rows are changed or removed', async () => {
    const { pool } = database();
    await recordAudit(pool, testOperator, { action: 'test.do', target: 'x' });
    for (const change of [sql`update audit set actor = 'eve'`, sql`delete from audit`])
      await expect(execute(pool, change)).rejects.toThrow('never changed or removed');
    expect(await rows()).toHaveLength(1);
  });

  it('stays one chain when many write at once', async () => {
    const { pool } = database();
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        inTransaction(pool, async (client) => {
          await execute(client, sql`select ${index}::int`);
          await recordAudit(client, testOperator, { action: 'test.do', target: `ünïcode ${index} 🦊` });
        }),
      ),
    );
    expect(await verifyAudit(pool)).toMatchObject({ rows: 20 });
    expect(await verifyAudit(pool)).not.toHaveProperty('problem');
  });

  it('shows rows that were changed, removed or written again', async () => {
    const { pool } = database();
    for (const target of ['a', 'b', 'c'])
      await recordAudit(pool, testOperator, { action: 'test.do', target });
    const [, second, third] = await rows();
    await execute(pool, sql`alter table audit disable trigger audit_is_append_only`);
    const noted = { sequence: 3, hash: third?.hash ?? '' };
    await execute(pool, sql`update audit set actor = 'eve' where sequence = 2`);
    expect((await verifyAudit(pool)).problem).toBe('row 2 was changed');
    await execute(pool, sql`update audit set actor = ${second?.actor ?? ''} where sequence = 2`);
    expect(await verifyAudit(pool, noted)).not.toHaveProperty('problem');
    await execute(pool, sql`delete from audit where sequence = 3`);
    expect(await verifyAudit(pool)).not.toHaveProperty('problem');
    expect((await verifyAudit(pool, noted)).problem).toBe('row 3 is gone: the audit ends with row 2');
    await recordAudit(pool, testOperator, { action: 'test.do', target: 'other' });
    expect((await verifyAudit(pool, noted)).problem).toContain('written again');
    await execute(pool, sql`delete from audit where sequence = 1`);
    expect((await verifyAudit(pool)).problem).toBe('row 1 is gone');
    await execute(pool, sql`alter table audit enable trigger audit_is_append_only`);
  });

  it('is listed by actor, action and stack, newest first', async () => {
    const { pool } = database();
    const eve = { ...testOperator, name: 'eve' };
    await recordAudit(pool, testOperator, { action: 'key.create', target: 'shop/a', stackId: 'shop' });
    await recordAudit(pool, eve, { action: 'key.create', target: 'depot/b', stackId: 'depot' });
    await recordAudit(pool, eve, { action: 'session.open', target: 'eve' });
    const targets = async (query: object) =>
      (await listAudit(pool, { limit: 10, ...query })).map(({ target }) => target);
    expect(await targets({})).toEqual(['eve', 'depot/b', 'shop/a']);
    expect(await targets({ actor: 'eve', action: 'key.create' })).toEqual(['depot/b']);
    expect(await targets({ stackId: 'shop' })).toEqual(['shop/a']);
    expect(await targets({ before: 3, limit: 1 })).toEqual(['depot/b']);
  });
});
