import type pg from 'pg';
import type { UsageBatch, UsageLedger, UsageQuery } from '../usage/usage-ledger.ts';
import type { UsageDimension, UsageGroup, UsageSums } from '../usage/usage-row.ts';
import { orDatabaseAway } from './database-errors.ts';

const DIMENSIONS: Readonly<Record<UsageDimension, string>> = {
  day: 'day::text',
  account: 'account_id',
  stack: 'stack_id',
  key: 'key_id',
  endpoint: 'endpoint',
  model: 'model',
};

/** Columns that are added up, by the names that the program has for them. */
const SUMS = {
  requests: 'requests',
  promptTokens: 'prompt_tokens',
  completionTokens: 'completion_tokens',
  pages: 'pages',
  images: 'images',
  pdfPages: 'pdf_pages',
  clientErrors: 'client_errors',
  limitErrors: 'limit_errors',
  serverErrors: 'server_errors',
  gone: 'gone',
  latencyMs: 'latency_ms',
} as const satisfies Partial<Record<keyof UsageSums, string>>;

/** Usage in the database. */
export class SqlUsage implements UsageLedger {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async add({ process, sequence, rows }: UsageBatch): Promise<void> {
    await this.#pool.query({
      name: 'add_usage',
      text: ADD,
      values: [process, sequence, JSON.stringify(rows)],
    });
  }

  async read({ by, since, until, stack, account, limit }: UsageQuery): Promise<readonly UsageGroup[]> {
    const names = by.map((dimension) => `${DIMENSIONS[dimension]} as "${dimension}"`);
    const places = by.map((_, index) => index + 1).join(', ');
    const text = `select ${[...names, ...READ_SUMS].join(', ')} from usage_days
      where day between $1::date and $2::date
        and ($3::text is null or stack_id = $3) and ($4::text is null or account_id = $4)
      ${by.length === 0 ? '' : `group by ${places} order by ${places}`} limit $5`;
    const values = [since, until, stack ?? null, account ?? null, limit];
    const { rows } = await orDatabaseAway(this.#pool.query<UsageGroup>(text, values));
    return rows;
  }
}

const sumColumns = Object.values(SUMS);
const columns = [...Object.values(DIMENSIONS).map((name) => name.replace('::text', '')), ...sumColumns];

// The row of the process is locked first, and changes only with the next batch: one that comes again finds no older
// one, and adds nothing. Rows are locked in one order by every process, so that none waits for another in a circle.
const ADD = `with batch as (
    insert into usage_writers (process, sequence) values ($1, $2)
    on conflict (process) do update set sequence = excluded.sequence, written_at = now()
      where usage_writers.sequence < excluded.sequence
    returning 1)
  insert into usage_days (${columns.join(', ')}, max_latency_ms, latency_counts)
  select day, account, stack, key, endpoint, model,
    ${Object.keys(SUMS)
      .map((name) => `"${name}"`)
      .join(', ')}, "maxLatencyMs", "latencyCounts"
  from jsonb_to_recordset($3::jsonb) as used (
    day date, account text collate "C", stack text collate "C", key text collate "C", endpoint text collate "C",
    model text collate "C", ${Object.keys(SUMS)
      .map((name) => `"${name}" ${name === 'latencyMs' ? 'double precision' : 'bigint'}`)
      .join(', ')}, "maxLatencyMs" double precision, "latencyCounts" bigint[])
  where exists (select from batch)
  order by stack, day, account, key, endpoint, model
  on conflict (stack_id, day, account_id, key_id, endpoint, model) do update set
    ${sumColumns.map((name) => `${name} = usage_days.${name} + excluded.${name}`).join(', ')},
    max_latency_ms = greatest(usage_days.max_latency_ms, excluded.max_latency_ms),
    latency_counts = add_counts(usage_days.latency_counts, excluded.latency_counts)`;

// As doubles, which JavaScript reads as numbers; they are exact up to 2^53.
const READ_SUMS = [
  ...Object.entries(SUMS).map(
    ([name, column]) => `coalesce(sum(${column}), 0)::double precision as "${name}"`,
  ),
  `coalesce(max(max_latency_ms), 0) as "maxLatencyMs"`,
  `coalesce(sum_counts(latency_counts), '{}')::double precision[] as "latencyCounts"`,
];
