import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseInUse } from '@stackgate/pglite-host';
import type { Command } from 'commander';
import { describe, expect, it, test } from 'vitest';
import { runCli } from '../../testing/cli-run.ts';
import { makeDataFolder } from '../../testing/data-folder.ts';
import { OperatorError } from '../admin/operator-error.ts';
import { StorageFull } from '../blobs/storage-full.ts';
import { packageVersion } from '../lib/package-version.ts';
import { DatabaseUnreachable } from '../store/database-errors.ts';
import { MigrationMismatch } from '../store/migrate.ts';
import { buildProgram } from './program.ts';

describe('stackgate', () => {
  it('--help shows the commands, examples and exit codes', async () => {
    const { code, out } = await runCli(['--help']);
    expect(code).toBe(0);
    expect(out).toMatchInlineSnapshot(`
      "Usage: stackgate [options] [command]

      A self-hosted AI gateway: chat, messages, images, extraction and PDFs under one
      API key.

      Options:
        -V, --version                output the version number
        --config <file>              the configuration file (default:
                                     $STACKGATE_CONFIG, else ./stackgate.yaml)
        --json                       print results as JSON
        -h, --help                   display help for command

      Commands:
        serve                        Run the gateway (what "stackgate" alone does)
        schema                       Look at JSON Schemas
        config                       Check the configuration
        stacks                       Show and change stacks
        keys                         Make, rotate and revoke API keys
        budgets                      Show and set budgets of money
        console                      Let people into the console at /console
        operators                    Make and revoke tokens of the admin API
        audit                        Export and check the record of who changed what
        usage [options]              Show what was used, by whom
        models                       Fetch, check and choose the embedded models
        images                       Paint, look at, export and erase images
        responses                    Look at and erase stored responses
        files                        Look at uploaded files and erase them
        knowledge                    Documents that answers are drawn from
        extract [options] <file...>  Extract data from PDFs or pictures with a running
                                     gateway
        backup [options] [file]      Write all rows and stored files into one file;
                                     the server may run
        restore [options] <file>     Fill an empty database from a backup, embedded or
                                     PostgreSQL whichever it came from
        backup-key                   Make a pair of keys for encrypted backups; the
                                     secret one is needed to restore them
        rollback <version>           Let an older release start on this database
                                     again; nothing is removed
        doctor [options]             Check Node.js, data folder, database, engines and
                                     port, and say what to do about each
        connect [options] <client>   Print the settings that point a client at this
                                     server
        help [command]               display help for command

      Examples:
        stackgate                                   run with built-in defaults
        stackgate serve --config stackgate.yaml     run with a configuration
        stackgate keys create shop web              make an API key
        stackgate doctor                            find out what is wrong

      Exit codes: 0 done, 1 failed, 2 wrong arguments or configuration, 3 refused, 4 database or data folder unavailable.
      "
    `);
  });

  it('stacks set --help shows the options and examples', async () => {
    expect((await runCli(['stacks', 'set', '--help'])).out).toMatchInlineSnapshot(`
      "Usage: stackgate stacks set [options] <id>

      Change a stack

      Arguments:
        id                       the stack

      Options:
        --account <id>           the account it belongs to (default: its own id)
        --plan <plan>            the plan (choices: "go", "pro", "max", "enterprise")
        --image-plan             on the image plan
        --no-image-plan          not on the image plan
        --text <engine...>       text engines: the served one, then those that stand
                                 in for it
        --image <engine>         the image engine
        --model <name...>        values of \`model\`, the served one first
        --system-prompt <text>   the configured system prompt
        --temperature <number>   the default temperature, 0 to 2
        --limit <name=value...>  limits of its own, named as in the configuration
                                 file; nothing after the = is the plan's again, null
                                 none
        --store-responses        responses may be stored
        --no-store-responses     nothing of a response is stored
        --paused                 paused for inactivity
        --no-paused              not paused
        -h, --help               display help for command

      Examples:
        stackgate stacks set shop --plan max --system-prompt "You are the shop's assistant."
        stackgate stacks set shop --limit extraction.pages=100 requests_per_minute=60
        stackgate stacks set shop --limit extraction.pages= --system-prompt ""    back to the defaults
      "
    `);
  });

  it('--version prints the version', async () => {
    expect(await runCli(['--version'])).toEqual({ code: 0, out: `${packageVersion()}\n`, err: '' });
  });

  test.each(commandLines())('%s --help has a description and an example', async (line) => {
    const { code, out } = await runCli([...line.split(' '), '--help']);
    expect(code).toBe(0);
    expect(out).toContain(`Usage: stackgate ${line} [options]`);
    expect(out).toMatch(/\nExamples?(,[^\n]+)?:\n {2}stackgate/);
  });

  test.each([
    [['stakcs'], "error: unknown command 'stakcs'; did you mean stacks?"],
    [['nothing-like-it'], "error: unknown command 'nothing-like-it'"],
    [['--nonsense'], "error: unknown option '--nonsense'"],
    [['keys', 'list', '--stak', 'x'], "error: unknown option '--stak'\n(Did you mean --stack?)"],
    [['backup'], 'error: name one file or s3://bucket/name for the backup'],
    [['backup', 'a', 'b'], 'error: too many arguments'],
    [['--config'], "error: option '--config <file>' argument missing"],
  ])('%j is a usage error', async (argv, message) => {
    const { code, out, err } = await runCli(argv);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
    expect(err).toContain('(--help shows what there is)');
  });

  test.each([
    [['--config', 'FILE', 'config', 'check']],
    [['config', '--config', 'FILE', 'check']],
    [['config', 'check', '--config', 'FILE']],
    [['config', 'check', '--config=FILE']],
  ])('%j reads the file', async (argv) => {
    const file = join(makeDataFolder(), 'my.yaml');
    writeFileSync(file, 'server: { port: 9000 }\n');
    const { code, out } = await runCli(argv.map((word) => word.replace('FILE', file)));
    expect({ code, out }).toEqual({ code: 0, out: `${file}: no problems\n` });
  });

  it('config check tells of every problem, a line each', async () => {
    const file = join(makeDataFolder(), 'bad.yaml');
    writeFileSync(file, 'server:\n  prot: 1\n  port: many\n');
    expect(await runCli(['config', 'check', '--config', file])).toEqual({
      code: 2,
      out: '',
      err: `${file}:2: server.prot: unknown key, did you mean "port"?\n${file}:3: server.port: expected a whole number from 0 to 65535, got "many"\n`,
    });
  });

  it('config check without a file checks the defaults', async () => {
    expect((await runCli(['config', 'check'])).out).toBe('built-in defaults: no problems\n');
    expect(JSON.parse((await runCli(['config', 'check', '--json'])).out)).toEqual({ ok: true, file: null });
  });

  it('config schema prints a JSON Schema', async () => {
    const schema = JSON.parse((await runCli(['config', 'schema'])).out);
    expect(Object.keys(schema.properties)).toContain('stacks');
  });

  test.each<readonly [string, unknown, number]>([
    ['something unforeseen', new Error('it broke'), 1],
    ['something that is no error', 'it broke', 1],
    ['what an operator may not do', new OperatorError('it broke'), 3],
    ['a database in use', new DatabaseInUse('/data', 12), 4],
    ['a database of another version', new MigrationMismatch('it broke'), 4],
    ['a database that cannot be reached', new DatabaseUnreachable('it broke'), 4],
    ['a connection refused', Object.assign(new Error('it broke'), { code: 'ECONNREFUSED' }), 4],
    ['a full disk', new StorageFull('it broke'), 4],
    ['a folder of others', Object.assign(new Error('it broke'), { code: 'EACCES', path: '/data' }), 4],
  ])('tells of %s in a line', async (_, error, code) => {
    const withDatabase = () => Promise.reject(error);
    const result = await runCli(['keys', 'list'], { withDatabase });
    expect(result).toMatchObject({ code, out: '' });
    expect(result.err).toMatch(/^stackgate: [^\n]+\n$/);
  });
});

/** Every leaf command, as typed. */
function commandLines(): readonly string[] {
  const never = () => {
    throw new Error('only the help is asked for');
  };
  const program = buildProgram({
    terminal: { out: never, err: never, isWatched: false, isTerminal: false },
    loadConfig: never,
    openOutput: never,
    openGateway: never,
    openModels: never,
    openSearch: never,
    openSearchMove: never,
    openBlobs: never,
    openPdfEngine: never,
    withDatabase: never,
  });
  const leaves = (command: Command): readonly string[] =>
    command.commands.length === 0
      ? [command.name()]
      : command.commands.flatMap(leaves).map((name) => `${command.name()} ${name}`);
  return leaves(program).map((line) => line.replace(/^stackgate /, ''));
}
