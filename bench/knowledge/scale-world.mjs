import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { PassageRowMaker } from '../../dist/knowledge/search/passage-row-maker.js';
import { migrate } from '../../dist/store/migrate.js';
import { SearchFiller } from '../../dist/store/search-filler.js';
import { SearchIndexes } from '../../dist/store/search-indexes.js';
import { SearchMoves } from '../../dist/store/search-moves.js';
import { createSearchTables } from '../../dist/store/search-tables.js';
import { treeCpuUs } from '../process-tree.mjs';
import { openCorpus } from './varied-passages.mjs';

/** The model of the embedded encoder, whose vectors these are. */
export const MODEL = 'universal-sentence-encoder-lite';
export const never = new AbortController().signal;

/** A database with the tables of the search, and with the figures of the steps that were run on it. `name` is that of one that stays. */
export async function openWorld({ serverUrl, folder, name: staying }) {
  const name = staying ?? `bench_${randomUUID().replaceAll('-', '')}`;
  const admin = new pg.Client({ connectionString: serverUrl });
  await admin.connect();
  const there = await admin.query('select from pg_database where datname = $1', [name]);
  if (there.rowCount === 0) await admin.query(`create database ${name}`);
  const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
  const pool = new pg.Pool({ connectionString: url });
  // The database is dropped while connections of the pool are still closing.
  pool.on('error', () => {});
  await migrate(pool);
  await createSearchTables(pool);
  await pool.query('create table if not exists bench_figures (name text primary key, value jsonb not null)');
  const rows = new PassageRowMaker();
  const filler = new SearchFiller(pool, (batch, work) => rows.rows(batch, work));
  const { rows: versions } = await pool.query(
    `select current_setting('server_version') as server, current_setting('shared_buffers') as buffers,
       current_setting('maintenance_work_mem') as memory, current_setting('max_parallel_maintenance_workers') as workers, extversion as vector
     from pg_extension where extname = 'vector'`,
  );
  const { server, vector, buffers, memory, workers } = versions[0];
  console.log(
    `PostgreSQL ${server} with pgvector ${vector} on this machine, shared_buffers ${buffers}, maintenance_work_mem ${memory}, ${workers} parallel workers.\n`,
  );
  const close = async () => {
    await rows.stop(never);
    await pool.end();
    if (staying === undefined) await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  };
  return {
    url,
    pool,
    folder,
    corpus: await openCorpus(folder),
    filler,
    moves: new SearchMoves(pool, filler, MODEL),
    indexes: new SearchIndexes(pool),
    serverCpuMs: await serverClock(admin),
    figure: async (key) =>
      (await pool.query('select value from bench_figures where name = $1', [key])).rows[0]?.value,
    keep: (key, value) =>
      pool.query(
        'insert into bench_figures values ($1, $2) on conflict (name) do update set value = excluded.value',
        [key, JSON.stringify(value)],
      ),
    close,
  };
}

export async function withClient({ url }, work) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The CPU time of all processes of the server, ended ones included. */
async function serverClock(client) {
  const { rows } = await client.query('select pg_backend_pid() as pid');
  const [, parent] = /PPid:\s+(\d+)/.exec(readFileSync(`/proc/${rows[0].pid}/status`, 'utf8'));
  return () => treeCpuUs(Number(parent)) / 1000;
}

export async function timed({ serverCpuMs }, work) {
  const [start, own, server] = [performance.now(), process.cpuUsage(), serverCpuMs()];
  await work();
  const ownCpuMs = cpuMs(own);
  return { ms: performance.now() - start, ownCpuMs, cpuMs: ownCpuMs + serverCpuMs() - server };
}

export function cpuMs(start) {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
