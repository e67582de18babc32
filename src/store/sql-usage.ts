import type pg from 'pg';
import { z } from 'zod';
import type { LeftUsage, LeftUsageLedger, SettledShare } from '../usage/left-usage.ts';
import { sumsShape } from '../usage/sums-shape.ts';
import type { UsageBatch, UsageLedger, UsageQuery } from '../usage/usage-ledger.ts';
import type { UsageDimension, UsageGroup } from '../usage/usage-row.ts';
import { orDatabaseAway } from './database-errors.ts';
import { execute, queryRows, wholeNumber } from './query.ts';
import { identifier, joined, prepared, type Sql, sql } from './sql.ts';
import { inTransaction } from './transaction.ts';

const COLUMNS: Readonly<Record<UsageDimension, Sql>> = {
  day: sql`day`,
  account: sql`account_id`,
  stack: sql`stack_id`,
  key: sql`key_id`,
  endpoint: sql`endpoint`,
  model: sql`model`,
};
const DIMENSIONS: Readonly<Record<UsageDimension, Sql>> = { ...COLUMNS, day: sql`day::text` };

const WITH_KEYS = sql`usage_days`;
/** The same usage in fewer rows, kept by triggers. */
const WITHOUT_KEYS = sql`usage_stack_days`;
/** So many groups are cheaper to look up one by one than to add up together with all others. */
const MOST_LOOKED_UP = 1_000;

const groupRow = sumsShape.extend({
  day: z.string().exactOptional(),
  account: z.string().exactOptional(),
  stack: z.string().exactOptional(),
  key: z.string().exactOptional(),
  endpoint: z.string().exactOptional(),
  model: z.string().exactOptional(),
});

const dimension = z.string().nullish();
const sumsRow = z.object({
  day: dimension,
  account: dimension,
  stack: dimension,
  key: dimension,
  endpoint: dimension,
  model: dimension,
  requests: wholeNumber,
  promptTokens: wholeNumber,
  completionTokens: wholeNumber,
  pages: wholeNumber,
  images: wholeNumber,
  pdfPages: wholeNumber,
  clientErrors: wholeNumber,
  limitErrors: wholeNumber,
  serverErrors: wholeNumber,
  gone: wholeNumber,
  costMicros: z.number(),
  latencyMs: z.number(),
  maxLatencyMs: z.number(),
  isTotal: z.boolean(),
  groupCount: wholeNumber,
});

/** Sums of a group, without the distribution of latencies. */
export type UsageSumsGroup = Readonly<z.infer<typeof sumsRow>>;

/** The largest groups, and the total of all. */
export interface UsageSumsPage {
  readonly groups: readonly UsageSumsGroup[];
  readonly groupCount: number;
  readonly total: UsageSumsGroup;
}

export interface UsageSumsQuery extends UsageQuery {
  readonly key?: string;
}

/** Usage in the database. */
export class SqlUsage implements UsageLedger, LeftUsageLedger {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async add(batch: UsageBatch): Promise<void> {
    await execute(this.#pool, addition(batch));
  }

  async addLeft({ process, batches, settled }: LeftUsage): Promise<void> {
    await inTransaction(this.#pool, async (client) => {
      // A budget is opened from ledger and shares together, under the same locks; it must not see the one without the other.
      await execute(client, locksOf(settled));
      for (const batch of batches) await execute(client, addition(batch));
      for (const { kind, stack, key, day, amount } of settled)
        await execute(
          client,
          sql`insert into limit_shares as share
            values (${kind}, ${stack}, ${key}, ${day}::date, ${process}, ${amount}, 0, ${amount}, now())
            on conflict (kind, stack_id, key_id, day, holder) do update
              set settled = greatest(share.settled, excluded.settled), granted = greatest(share.granted, excluded.settled)`,
        );
    });
  }

  async read({ by, limit, ...selection }: UsageQuery): Promise<readonly UsageGroup[]> {
    const names = joined(by.map(identifier), ', ');
    const query = sql`select ${joined([...columnsOf(by), SUMS], ', ')} from usage_days where ${conditionOf(selection)}
      ${by.length === 0 ? sql`` : sql`group by ${names} order by ${names}`} limit ${limit}`;
    return orDatabaseAway(queryRows(this.#pool, groupRow, query));
  }

  /** Sums without the distribution of latencies: the groups with the most requests, how many groups there are, and the total of all. */
  async readSums(query: UsageSumsQuery): Promise<UsageSumsPage> {
    const reading = inTransaction(this.#pool, async (client) => {
      await execute(client, GROUPING_MEMORY);
      return await queryRows(client, sumsRow, sumsOf(query));
    });
    const rows = await orDatabaseAway(reading);
    const total = rows.find(({ isTotal }) => isTotal);
    if (total === undefined) throw new Error('there is always a total');
    return { total, groups: rows.filter(({ isTotal }) => !isTotal), groupCount: total.groupCount };
  }
}

function sumsOf(query: UsageSumsQuery): Sql {
  const { by, limit, key } = query;
  if (by.includes('key') && limit <= MOST_LOOKED_UP) return largestSums(query);
  return allSums(query, by.includes('key') || key !== undefined ? WITH_KEYS : WITHOUT_KEYS);
}

function allSums({ by, limit, ...selection }: UsageSumsQuery, table: Sql): Sql {
  const names = joined(by.map(identifier), ', ');
  const [noNames, ownNames] = by.length === 0 ? [sql``, sql``] : [sql`${nulls(by)}, `, sql`${names}, `];
  return sql`with groups as materialized (
      select ${joined([...columnsOf(by), ROW_SUMS], ', ')} from ${table} where ${conditionOf(selection)}
      ${by.length === 0 ? sql`` : sql`group by ${names}`})
    select ${noNames} true as is_total, count(*) as group_count, ${GROUP_SUMS} from groups
    union all
    (select ${ownNames} false, 0, ${SUM_NAMES} from groups order by requests desc limit ${limit})`;
}

/** Of many keys: their requests are counted first, and the rest added up only of those that are asked for. */
function largestSums({ by, limit, ...selection }: UsageSumsQuery): Sql {
  const condition = conditionOf(selection);
  const columns = joined(
    by.map((name) => COLUMNS[name]),
    ', ',
  );
  const ownColumns = joined(
    by.map((name) => sql`largest.${COLUMNS[name]}`),
    ', ',
  );
  const names = joined(
    by.map((name) => sql`largest.${DIMENSIONS[name]} as ${identifier(name)}`),
    ', ',
  );
  const totalTable = selection.key === undefined ? WITHOUT_KEYS : WITH_KEYS;
  return sql`with counts as materialized (
      select ${columns}, sum(requests::integer) as requests from usage_days where ${condition} group by ${columns}),
    largest as materialized (select ${columns} from counts order by requests desc limit ${limit})
    select ${nulls(by)}, true as is_total, (select count(*) from counts) as group_count, ${ROW_SUMS}
      from ${totalTable} where ${condition}
    union all
    (select ${names}, false, 0, ${ROW_SUMS} from largest join usage_days using (${columns})
      where ${condition} group by ${ownColumns} order by requests desc)`;
}

/** Locks budgets in the order in which processes exchange their shares, so that none waits for another in a circle. */
function locksOf(settled: readonly SettledShare[]): Sql {
  return sql`with budgets as materialized (
      select kind, stack from unnest(${settled.map(({ kind }) => kind)}::text[], ${settled.map(({ stack }) => stack)}::text[])
        as budget (kind, stack)
      group by kind, stack order by hashtext(kind || ' ' || stack))
    select lock_limit(kind, stack) from budgets`;
}

function addition({ process, sequence, rows }: UsageBatch): Sql {
  // The row of the process is locked first, and changes only with the next batch: a repeated batch finds its own
  // sequence and adds nothing. Every process locks rows in the same order, so that none waits for another in a circle.
  return prepared(
    'add_usage',
    sql`with batch as (
          insert into usage_writers (process, sequence) values (${process}, ${sequence})
          on conflict (process) do update set sequence = excluded.sequence, written_at = now()
            where usage_writers.sequence < excluded.sequence
          returning 1)
        insert into usage_days (day, account_id, stack_id, key_id, endpoint, model, requests, prompt_tokens,
          completion_tokens, pages, images, pdf_pages, client_errors, limit_errors, server_errors, gone, latency_ms,
          max_latency_ms, latency_counts, cost_micros)
        select day, account, stack, key, endpoint, model, requests, "promptTokens", "completionTokens", pages, images,
          "pdfPages", "clientErrors", "limitErrors", "serverErrors", gone, "latencyMs", "maxLatencyMs", "latencyCounts",
          "costMicros"
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as used (
          day date, account text collate "C", stack text collate "C", key text collate "C", endpoint text collate "C",
          model text collate "C", requests bigint, "promptTokens" bigint, "completionTokens" bigint, pages bigint,
          images bigint, "pdfPages" bigint, "clientErrors" bigint, "limitErrors" bigint, "serverErrors" bigint,
          gone bigint, "latencyMs" double precision, "maxLatencyMs" double precision, "latencyCounts" bigint[],
          "costMicros" double precision)
        where exists (select from batch)
        order by stack, day, account, key, endpoint, model
        on conflict (stack_id, day, account_id, key_id, endpoint, model) do update set
          requests = usage_days.requests + excluded.requests,
          prompt_tokens = usage_days.prompt_tokens + excluded.prompt_tokens,
          completion_tokens = usage_days.completion_tokens + excluded.completion_tokens,
          pages = usage_days.pages + excluded.pages,
          images = usage_days.images + excluded.images,
          pdf_pages = usage_days.pdf_pages + excluded.pdf_pages,
          client_errors = usage_days.client_errors + excluded.client_errors,
          limit_errors = usage_days.limit_errors + excluded.limit_errors,
          server_errors = usage_days.server_errors + excluded.server_errors,
          gone = usage_days.gone + excluded.gone,
          cost_micros = usage_days.cost_micros + excluded.cost_micros,
          latency_ms = usage_days.latency_ms + excluded.latency_ms,
          max_latency_ms = greatest(usage_days.max_latency_ms, excluded.max_latency_ms),
          latency_counts = add_counts(usage_days.latency_counts, excluded.latency_counts)`,
  );
}

function nulls(by: readonly UsageDimension[]): Sql {
  return joined(
    by.map((dimension) => sql`null as ${identifier(dimension)}`),
    ', ',
  );
}

function columnsOf(by: readonly UsageDimension[]): readonly Sql[] {
  return by.map((dimension) => sql`${DIMENSIONS[dimension]} as ${identifier(dimension)}`);
}

function conditionOf({ since, until, stack, account, key }: Omit<UsageSumsQuery, 'by' | 'limit'>): Sql {
  const conditions = [
    sql`day between ${since}::date and ${until}::date`,
    ...(stack === undefined ? [] : [sql`stack_id = ${stack}`]),
    ...(account === undefined ? [] : [sql`account_id = ${account}`]),
    ...(key === undefined ? [] : [sql`key_id = ${key}`]),
  ];
  return joined(conditions, ' and ');
}

// As doubles, which are numbers in JavaScript, exact up to 2^53.
const SUMS = sql`coalesce(sum(requests), 0)::double precision as requests,
  coalesce(sum(prompt_tokens), 0)::double precision as prompt_tokens,
  coalesce(sum(completion_tokens), 0)::double precision as completion_tokens,
  coalesce(sum(pages), 0)::double precision as pages,
  coalesce(sum(images), 0)::double precision as images,
  coalesce(sum(pdf_pages), 0)::double precision as pdf_pages,
  coalesce(sum(client_errors), 0)::double precision as client_errors,
  coalesce(sum(limit_errors), 0)::double precision as limit_errors,
  coalesce(sum(server_errors), 0)::double precision as server_errors,
  coalesce(sum(gone), 0)::double precision as gone,
  coalesce(sum(cost_micros), 0) as cost_micros,
  coalesce(sum(latency_ms), 0) as latency_ms,
  coalesce(max(max_latency_ms), 0) as max_latency_ms,
  coalesce(sum_counts(latency_counts), '{}')::double precision[] as latency_counts`;

/** Counts of one row fit into 31 bits: there are not so many requests in a day. */
const SMALL_COUNTS = [
  'requests',
  'pages',
  'images',
  'pdf_pages',
  'client_errors',
  'limit_errors',
  'server_errors',
  'gone',
] as const;
const COUNTS = [...SMALL_COUNTS, 'prompt_tokens', 'completion_tokens'] as const;

const MEASURES = sql`coalesce(sum(cost_micros), 0) as cost_micros, coalesce(sum(latency_ms), 0) as latency_ms,
  coalesce(max(max_latency_ms), 0) as max_latency_ms`;

// PostgreSQL adds up bigints to its decimal numbers. To make bigints of those again takes longer than to add them up, for each
// group of ten thousand; sums of integers are bigints at once.
const ROW_SUMS = sql`${joined(
  COUNTS.map((name) => {
    const isSmall = SMALL_COUNTS.some((small) => small === name);
    return isSmall
      ? sql`coalesce(sum(${identifier(name)}::integer), 0) as ${identifier(name)}`
      : sql`coalesce(sum(${identifier(name)}), 0)::bigint as ${identifier(name)}`;
  }),
  ', ',
)}, ${MEASURES}`;
const GROUP_SUMS = sql`${joined(
  COUNTS.map((name) => sql`coalesce(sum(${identifier(name)}), 0)::bigint as ${identifier(name)}`),
  ', ',
)}, ${MEASURES}`;
const SUM_NAMES = joined([...COUNTS, 'cost_micros', 'latency_ms', 'max_latency_ms'].map(identifier), ', ');

/** The groups of ten thousand keys in memory; with less they go to the disk and back. */
const GROUPING_MEMORY = sql`set local work_mem = '32MB'`;
