import { readFileSync } from 'node:fs';
import { beforeEach, expect, it } from 'vitest';
import { type CliResult, runCli } from '../../testing/cli-run.ts';
import { makeDataFolder } from '../../testing/data-folder.ts';
import { describeOnDatabase } from '../../testing/describe-on-databases.ts';
import { operatorWork } from '../../testing/operator-work.ts';
import { parseTestConfig } from '../../testing/parse-test-config.ts';
import { hashSecret } from '../access/key-secret.ts';
import { applyConfiguredStacks, defaultKeyPath } from '../admin/configured-stacks.ts';
import { createStack } from '../admin/stacks.ts';
import { SqlCallerDirectory } from '../store/sql-caller-directory.ts';

const SECRET = 'sk-given-by-the-file';
const declaring = parseTestConfig(
  `stacks: [{ id: file, keys: [{ id: web, secret: ${SECRET} }, { id: made }] }]`,
);

describeOnDatabase('stackgate keys', (database) => {
  let config = declaring;
  beforeEach(async () => {
    config = declaring;
    await applyConfiguredStacks(database().pool, config, { keepsSecrets: false });
    await createStack(operatorWork(database().pool), 'shop', {});
  });

  it('create shows the secret, once', async () => {
    const { code, out } = await cli('keys', 'create', 'shop', 'web');
    expect(code).toBe(0);
    const secret = out.split('\n')[0] ?? '';
    expect(out.replace(secret, 'SECRET')).toMatchInlineSnapshot(`
      "SECRET
      This is the only time the secret of key "web" (stack "shop") is shown.
      "
    `);
    expect(await opens(secret)).toBe(true);
    expect((await cli('keys', 'list', '--json')).out).not.toContain(secret);
  });

  it('create takes everything a key can have', async () => {
    const { out } = await cli(
      ...['keys', 'create', 'shop', 'art', '--prompt', 'a fox', '--retrieval', '--knowledge', 'write'],
      ...['--expires-at', '2999-01-01T00:00:00Z', '--json'],
      ...['--requests-per-minute', '60', '--concurrent-requests', '4'],
      ...['--scopes', 'images,models', 'mcp', '--models', 'tiny', '--allowed-ips', '10.0.0.0/8,::1'],
      ...['--read-only', '--own-images-only'],
    );
    expect(JSON.parse(out)).toEqual({
      stack: 'shop',
      id: 'art',
      prompt: 'a fox',
      retrieval: true,
      knowledge: 'write',
      expires_at: '2999-01-01T00:00:00.000Z',
      scopes: ['images', 'models', 'mcp'],
      models: ['tiny'],
      allowed_ips: ['10.0.0.0/8', '::1'],
      read_only: true,
      own_images_only: true,
      limits: { requests_per_minute: 60, concurrent_requests: 4 },
      budget: null,
      revoked_at: null,
      disabled_at: null,
      declared: false,
      created_at: expect.any(String),
      secret_set_at: expect.any(String),
      secret: expect.stringMatching(/^sk-[0-9A-Za-z]{49}$/),
    });
  });

  it('set changes what is named, and an empty value restores the default', async () => {
    await cli('keys', 'create', 'shop', 'web', '--scopes', 'chat', '--requests-per-minute', '60');
    const set = async (...options: string[]) =>
      JSON.parse((await cli('keys', 'set', 'shop', 'web', ...options, '--json')).out);
    const changed = await set('--allowed-ips', '10.0.0.0/8', '--read-only', '--retrieval');
    expect(changed).toMatchObject({
      scopes: ['chat'],
      allowed_ips: ['10.0.0.0/8'],
      read_only: true,
      retrieval: true,
      limits: { requests_per_minute: 60 },
    });
    const restored = await set('--scopes', '', '--allowed-ips', '', '--no-read-only', '--no-retrieval');
    expect(restored).toMatchObject({ scopes: null, allowed_ips: null, read_only: false, retrieval: false });
  });

  it('list shows keys and how they are', async () => {
    await cli('keys', 'create', 'shop', 'good', '--scopes', 'chat', '--read-only');
    await cli('keys', 'create', 'shop', 'old', '--expires-at', '2001-01-01');
    await cli('keys', 'create', 'shop', 'bad', '--retrieval');
    await cli('keys', 'revoke', 'shop', 'bad');
    expect((await cli('keys', 'list')).out).toMatchInlineSnapshot(`
      "STACK  ID    STATE    EXPIRES                   RETRIEVAL  BOUNDS           OWNER
      file   made  active   -                         off        -                config file
      file   web   active   -                         off        -                config file
      shop   bad   revoked  -                         on         -                operator
      shop   good  active   -                         off        chat, read only  operator
      shop   old   expired  2001-01-01T00:00:00.000Z  off        -                operator
      "
    `);
    const { out } = await cli('keys', 'list', '--stack', 'file', '--json');
    expect(JSON.parse(out)).toMatchObject([{ id: 'made' }, { id: 'web' }]);
  });

  it('rotate gives a new secret, and the old one works for the overlap', async () => {
    const old = await secretOf('keys', 'create', 'shop', 'web');
    const next = await secretOf('keys', 'rotate', 'shop', 'web', '--overlap', '1h');
    expect([await opens(old), await opens(next)]).toEqual([true, true]);
    const last = await secretOf('keys', 'rotate', 'shop', 'web', '--overlap', '0');
    expect([await opens(old), await opens(next), await opens(last)]).toEqual([false, false, true]);
  });

  it('rotate keeps the copy of the quick start right', async () => {
    config = parseTestConfig('', { STACKGATE_DATA: makeDataFolder() });
    await applyConfiguredStacks(database().pool, config, { keepsSecrets: false });
    const secret = await secretOf('keys', 'rotate', 'default', 'default');
    expect(readFileSync(defaultKeyPath(config), 'utf8')).toBe(`${secret}\n`);
  });

  it('revoke ends a key for good', async () => {
    const secret = await secretOf('keys', 'create', 'shop', 'web');
    const { code, out } = await cli('keys', 'revoke', 'shop', 'web');
    expect({ code, out }).toEqual({
      code: 0,
      out: 'Key "web" of stack "shop" is revoked. Running servers refuse it within 5 seconds.\n',
    });
    expect(await opens(secret)).toBe(false);
    expect(await cli('keys', 'rotate', 'shop', 'web')).toEqual({
      code: 3,
      out: '',
      err: 'stackgate: key "web" of stack "shop" is revoked; create a new one\n',
    });
    const again = JSON.parse((await cli('keys', 'revoke', 'shop', 'web', '--json')).out);
    expect(again.revoked_at).toEqual(expect.any(String));
  });

  it.each<readonly [readonly string[], number, string]>([
    [['create', 'none', 'web'], 3, 'there is no stack "none"; "stackgate stacks list" shows them'],
    [['create', 'file', 'web'], 3, 'stack "file" has a key "web" already; rotate it, or choose another id'],
    [
      ['create', 'shop', 'A'],
      3,
      'a key id is lower-case letters, digits and "-", at most 63 of them; got "A"',
    ],
    [['rotate', 'shop', 'none'], 3, 'stack "shop" has no key "none"; "stackgate keys list" shows them'],
    [['revoke', 'shop', 'none'], 3, 'stack "shop" has no key "none"'],
    [['rotate', 'file', 'web'], 3, 'the configuration file gives the secret of key "web": change it there'],
    [['rotate', 'file', 'made', '--overlap', '1w'], 2, 'It is a number and a unit: 90s, 15m, 24h, 7d, or 0.'],
    [['create', 'shop', 'web', '--expires-at', 'soon'], 2, 'It is an ISO 8601 time.'],
    [['create', 'shop', 'web', '--requests-per-minute', '0'], 2, 'It is a whole number of at least 1.'],
    [['create', 'shop', 'web', '--scopes', 'chats'], 2, 'Did you mean "chat"?'],
    [['create', 'shop', 'web', '--allowed-ips', '10/8'], 2, 'They are IP addresses or ranges'],
    [['set', 'file', 'web', '--read-only'], 3, 'key "web" of stack "file" is declared in the configuration'],
    [['set', 'shop', 'none', '--read-only'], 3, 'stack "shop" has no key "none"'],
    [['create', 'shop', 'web', '--knowledge', 'all'], 2, 'Allowed choices are read, write'],
    [['create', 'shop'], 2, "missing required argument 'id'"],
    [['lst'], 2, "unknown command 'lst'"],
  ])('%j is refused', async (argv, expectedCode, message) => {
    const before = (await cli('keys', 'list', '--json')).out;
    const { code, out, err } = await cli('keys', ...argv);
    expect({ code, out }).toEqual({ code: expectedCode, out: '' });
    expect(err).toContain(message);
    expect((await cli('keys', 'list', '--json')).out).toBe(before);
  });

  function cli(...argv: readonly string[]): Promise<CliResult> {
    const { pool } = database();
    return runCli(argv, { loadConfig: async () => config, withDatabase: (_, work) => work(pool) });
  }

  async function secretOf(...argv: readonly string[]): Promise<string> {
    return (await cli(...argv)).out.split('\n')[0] ?? '';
  }

  async function opens(secret: string): Promise<boolean> {
    const directory = new SqlCallerDirectory(database().pool, config);
    return (await directory.find(hashSecret(secret))) !== undefined;
  }
});
