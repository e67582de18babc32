import { beforeEach, expect, it } from 'vitest';
import { type CliResult, runCli } from '../../testing/cli-run.ts';
import { describeOnDatabase } from '../../testing/describe-on-databases.ts';
import { storeOwners } from '../../testing/images/stored-owners.ts';
import { parseTestConfig } from '../../testing/parse-test-config.ts';
import { firstOperatorToken, invitePerson, removePerson, resetPerson } from '../admin/people.ts';
import type { Config } from '../config/config.ts';
import { wallClock } from '../lib/wall-clock.ts';
import { Sessions } from '../people/sessions.ts';
import { hashToken } from '../people/token.ts';
import { listAudit } from '../store/audit-trail.ts';
import { SqlPeople } from '../store/sql-people.ts';
import { SqlSessions } from '../store/sql-sessions.ts';

const config = parseTestConfig('server: { host: 0.0.0.0, port: 9000 }');
const atHome = parseTestConfig('');
const LINK = /^http:\/\/127\.0\.0\.1:9000\/console\/#setup=([\w-]{43})\n/;

describeOnDatabase('stackgate console', (database) => {
  beforeEach(() => storeOwners(database().pool));

  it('invite makes a link, which is stored as a hash, and is in the audit', async () => {
    const { code, out } = await cli('invite', 'Bob', '--stack', 'shop');
    const token = LINK.exec(out)?.[1] ?? '';
    expect([code, out.slice(out.indexOf('\n') + 1)]).toEqual([
      0,
      'It lets "bob" (member of shop) set a password, once, within 30 minutes.\n',
    ]);
    const link = await people().findLink(hashToken(token) ?? '');
    expect(link).toMatchObject({ name: 'bob', role: 'member', stackId: 'shop' });
    const [row] = await listAudit(database().pool, { limit: 1 });
    expect(row).toMatchObject({ action: 'person.invite', target: 'bob', stackId: 'shop', door: 'cli' });
    expect(JSON.stringify(row)).not.toContain(token);
  });

  it.each([
    [['invite', 'a b'], 'a name is 1 to 100 letters'],
    [['invite', 'bob', '--role', 'member'], 'a member needs --stack'],
    [['invite', 'bob', '--role', 'operator', '--stack', 'shop'], 'a member needs --stack'],
    [['invite', 'bob', '--stack', 'none'], 'there is no stack "none"'],
    [['invite', 'ann'], 'there is a person "ann" already'],
    [['reset', 'bob'], 'there is no person "bob"'],
    [['reset', 'oidc:eve'], 'logs in by OpenID Connect'],
    [['remove', 'bob'], 'there is no person "bob"'],
  ])('refuses %j', async (words, message) => {
    await addAnn();
    const standing = { role: 'operator', stackId: undefined } as const;
    await sessions().open({ owner: { person: 'oidc:eve' }, standing });
    const { code, err } = await cli(...words);
    expect([code, err]).toEqual([3, expect.stringContaining(message)]);
  });

  it('makes no link and removes no person without a row of the audit', async () => {
    await addAnn();
    const { pool } = database();
    const operator = { name: 'a\0', door: 'cli', role: 'operator' } as const;
    const bob = { name: 'bob', role: 'operator', stackId: undefined } as const;
    await expect(invitePerson({ pool, operator }, bob)).rejects.toThrow('0x00');
    await expect(resetPerson({ pool, operator }, 'ann')).rejects.toThrow('0x00');
    await expect(removePerson({ pool, operator }, 'ann')).rejects.toThrow('0x00');
    expect((await pool.query('select from setup_links')).rowCount).toBe(0);
    expect(await people().find('ann')).toBeDefined();
  });

  it('reset, list and remove know a person, whose session is the same on all replicas', async () => {
    await addAnn();
    const [one, other] = [sessions(), sessions()];
    const standing = { role: 'operator', stackId: undefined } as const;
    const { token } = await one.open({ owner: { person: 'ann' }, standing });
    expect(await other.find(token)).toMatchObject({ name: 'ann', role: 'operator' });
    expect((await cli('reset', 'ann')).out).toMatch(LINK);
    expect((await cli('list')).out).toMatch(/^NAME +ROLE +STACK +PASSWORD.*\nann +operator +- +true /);
    expect((await cli('remove', 'ann')).out).toBe('"ann" cannot log in any more.\n');
    expect(await other.find(token)).toBeUndefined();
    expect((await cli('list', '--json')).out).toBe('[]\n');
  });

  it('invite tells the address as the listener speaks it', async () => {
    const secure = parseTestConfig('server: { host: 0.0.0.0, tls: { certificate: a.pem, key: b.pem } }');
    expect((await cliOf(secure, 'invite', 'zoe')).out).toMatch(
      /^https:\/\/127\.0\.0\.1:8080\/console\/#setup=/,
    );
  });

  it('remove withdraws an invitation', async () => {
    const { out } = await cli('invite', 'bob');
    expect((await cli('remove', 'bob')).out).toBe('"bob" cannot log in any more.\n');
    expect(await people().findLink(hashToken(LINK.exec(out)?.[1] ?? '') ?? '')).toBeUndefined();
    const [row] = await listAudit(database().pool, { limit: 1 });
    expect(row).toMatchObject({ action: 'person.remove', target: 'bob' });
  });

  it('is preceded by a link for the first operator, as long as there are no people, where the console is on', async () => {
    const { pool } = database();
    expect(await firstOperatorToken(pool, config)).toBeUndefined();
    const roles = '{ issuer: "https://x.test", client_id: x, roles: { claim: groups } }';
    expect(await firstOperatorToken(pool, parseTestConfig(`console: { oidc: ${roles} }`))).toBeUndefined();
    const token = (await firstOperatorToken(pool, atHome)) ?? '';
    expect(await people().findLink(hashToken(token) ?? '')).toMatchObject({
      name: undefined,
      role: 'operator',
    });
    await addAnn();
    expect(await firstOperatorToken(pool, atHome)).toBeUndefined();
  });

  function people(): SqlPeople {
    return new SqlPeople(database().pool);
  }

  function sessions(): Sessions {
    return new Sessions({ store: new SqlSessions(database().pool), clock: wallClock });
  }

  async function addAnn(): Promise<void> {
    const at = new Date();
    const tokenHash = hashToken('x'.repeat(43)) ?? '';
    const link = { tokenHash, name: 'ann', role: 'operator', stackId: undefined, expiresAt: at } as const;
    await people().addLink(link);
    const note = { actor: 'ann', action: 'set-up', address: '192.0.2.1' } as const;
    await people().useLink(tokenHash, { name: 'ann', passwordHash: 'hash', at, note });
  }

  function cli(...words: readonly string[]): Promise<CliResult> {
    return cliOf(config, ...words);
  }

  function cliOf(of: Config, ...words: readonly string[]): Promise<CliResult> {
    return runCli(['console', ...words], {
      loadConfig: async () => of,
      withDatabase: (_config, work) => work(database().pool),
    });
  }
});
