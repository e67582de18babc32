import pg from 'pg';
import { z } from 'zod';
import { type Connection, execute, queryRow, queryRows, wholeNumber } from './query.ts';
import { WORDS } from './search-filler.ts';
import { identifier, type Sql, sql, wholeLiteral } from './sql.ts';

export interface IndexBounds {
  /** A stack with more passages has indexes of its own. */
  readonly largePassages: number;
}

/** Below, all rows of a stack are read for a question, which is exact. Chosen between sizes that were measured: 1,000 and 6,000. */
const usualBounds: IndexBounds = { largePassages: 5_000 };
/** How much a stack may grow before its words are counted again. */
const GROWTH = 1.5;
/** Passages whose words are counted; more are sampled. */
const COUNTED_PASSAGES = 50_000;
/** Terms in more passages of a stack are frequent: a question does not look for them alone. */
export const FREQUENT_PASSAGES = 500;
/** Passages by which the mean of cosines is estimated. */
const SAMPLED_PASSAGES = 300;
/** With the number of a space, it names the lock under which one process builds its index; it ends with its connection. */
const BUILD_LOCK = 7_205_767;

const spaceRow = z.object({
  number: z.number(),
  model: z.string(),
  dimensions: z.number().nullable(),
  isLarge: z.boolean(),
  passages: wholeNumber,
});
const emptyRow = z.object({ number: z.number() });
const processRow = z.object({ pid: z.number() });
const lockRow = z.object({ isLocked: z.boolean() });
const validRow = z.object({ isValid: z.boolean() });
type Space = z.infer<typeof spaceRow>;

/** Gives stacks with many passages indexes of their own, and takes them away with their stacks. */
export class SearchIndexes {
  readonly #pool: pg.Pool;
  readonly #bounds: IndexBounds;

  constructor(pool: pg.Pool, bounds: IndexBounds = usualBounds) {
    this.#pool = pool;
    this.#bounds = bounds;
  }

  /** Builds what is missing and removes what is left over. Questions are answered meanwhile. Returns how many spaces changed. */
  async tend(signal: AbortSignal): Promise<number> {
    let changed = 0;
    for (const space of await this.#due()) {
      signal.throwIfAborted();
      if (await this.#build(space, signal)) changed += 1;
    }
    return changed + (await this.#removeEmpty());
  }

  /** Spaces that became large, or grew much since their words were counted. */
  #due(): Promise<readonly Space[]> {
    return queryRows(
      this.#pool,
      spaceRow,
      sql`with sizes as (select stack_id, sum(passages) as passages from knowledge_search.documents
          where is_live group by stack_id having sum(passages) > ${this.#bounds.largePassages})
        select number, model, dimensions, is_large, sizes.passages::bigint as passages
        from knowledge_search.spaces join sizes using (stack_id)
        where (model = ${WORDS} or dimensions is not null)
          and (not is_large or sizes.passages > ${GROWTH}::double precision * analysed_passages)
        order by number`,
    );
  }

  /** False if another process is about it. */
  #build(space: Space, signal: AbortSignal): Promise<boolean> {
    return withoutTimeouts(this.#pool, signal, async (client) => {
      const { number, passages, isLarge } = space;
      const lock = sql`select pg_try_advisory_lock(${BUILD_LOCK}, ${number}) as is_locked`;
      if (!(await queryRow(client, lockRow, lock)).isLocked) return false;
      try {
        if (!isLarge) await createIndex(client, space);
        await analyse(client, space);
        const change = sql`is_large = true, analysed_passages = ${passages}`;
        await execute(client, sql`update knowledge_search.spaces set ${change} where number = ${number}`);
      } finally {
        await execute(client, sql`select pg_advisory_unlock(${BUILD_LOCK}, ${number})`);
      }
      return true;
    });
  }

  async #removeEmpty(): Promise<number> {
    const empty = await queryRows(
      this.#pool,
      emptyRow,
      sql`select number from knowledge_search.spaces space where not exists (
        select from knowledge_search.documents document where document.stack_id = space.stack_id)`,
    );
    for (const { number } of empty) await this.#removeSpace(number);
    return empty.length;
  }

  async #removeSpace(number: number): Promise<void> {
    for (const table of [sql`terms`, sql`samples`])
      await execute(
        this.#pool,
        sql`delete from knowledge_search.${table} where space = ${number} and not exists (
          select from knowledge_search.spaces join knowledge_search.documents using (stack_id)
          where spaces.number = ${number})`,
      );
    await execute(this.#pool, sql`drop index concurrently if exists knowledge_search.${indexName(number)}`);
    await execute(
      this.#pool,
      sql`delete from knowledge_search.spaces space where number = ${number} and not exists (
        select from knowledge_search.documents document where document.stack_id = space.stack_id)`,
    );
  }
}

function indexName(space: number): Sql {
  return identifier(`space_${space}`);
}

/** Without a lock: documents are added meanwhile. A build that failed leaves an index that is of no use. */
async function createIndex(client: Connection, { number, dimensions }: Space): Promise<void> {
  const query = sql`select coalesce(bool_or(indisvalid), false) as is_valid from pg_index
    where indexrelid = to_regclass(${`knowledge_search.space_${number}`})`;
  if ((await queryRow(client, validRow, query)).isValid) return;
  await execute(client, sql`drop index if exists knowledge_search.${indexName(number)}`);
  const condition = sql`where space = ${wholeLiteral(number)}`;
  await execute(
    client,
    dimensions === null
      ? sql`create index concurrently ${indexName(number)} on knowledge_search.passages using gin (words) ${condition}`
      : sql`create index concurrently ${indexName(number)} on knowledge_search.vectors
          using hnsw ((vector::halfvec(${wholeLiteral(dimensions)})) halfvec_ip_ops) ${condition}`,
  );
}

/** Counts the frequent terms of words, and draws the sample of vectors. */
async function analyse(client: Connection, { number, model, passages }: Space): Promise<void> {
  const space = wholeLiteral(number);
  if (model !== WORDS) {
    await execute(client, sql`delete from knowledge_search.samples where space = ${space}`);
    await execute(
      client,
      sql`insert into knowledge_search.samples (space, document, ordinal)
        select space, document, ordinal from knowledge_search.vectors where space = ${space} and place = 0
        order by random() limit ${SAMPLED_PASSAGES} on conflict do nothing`,
    );
    return;
  }
  const step = Math.max(1, Math.ceil(passages / COUNTED_PASSAGES));
  await execute(client, sql`delete from knowledge_search.terms where space = ${space}`);
  await execute(
    client,
    sql`insert into knowledge_search.terms (space, term, passages)
      select ${space}, word, ndoc * ${step}::integer from ts_stat(${countedWords(number, step)})
      where ndoc * ${step}::integer > ${FREQUENT_PASSAGES} on conflict do nothing`,
  );
}

/** `ts_stat` takes its query as a text. */
function countedWords(space: number, step: number): string {
  const values: never[] = [];
  return sql`select words from knowledge_search.passages
    where space = ${wholeLiteral(space)} and (document + ordinal) % ${wholeLiteral(step)} = 0`.render(values);
}

/** A connection of its own, on which a statement may take hours. */
async function withoutTimeouts<Result>(
  pool: pg.Pool,
  signal: AbortSignal,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ ...pool.options, statement_timeout: 0, query_timeout: 0 });
  // The next query reports it.
  client.on('error', () => {});
  await client.connect();
  const { pid } = await queryRow(client, processRow, sql`select pg_backend_pid() as pid`);
  const cancel = () => void execute(pool, sql`select pg_cancel_backend(${pid})`).catch(() => {});
  signal.addEventListener('abort', cancel);
  try {
    return await work(client);
  } finally {
    signal.removeEventListener('abort', cancel);
    await client.end();
  }
}
