import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { z } from 'zod';
import {
  type FolderBook,
  type FolderLease,
  type FolderName,
  type FolderReport,
  FolderTakenOver,
} from '../knowledge/folders/folder-book.ts';
import { orDatabaseAway } from './database-errors.ts';
import { execute, queryRows, wholeNumber } from './query.ts';
import { joined, type Sql, sql } from './sql.ts';

const LEASE_SECONDS = 60;

const stateRow = z.object({
  stackId: z.string(),
  source: z.string(),
  lookedAt: z.date().nullable(),
  files: z.number(),
  waiting: z.number(),
  problem: z.string().nullable(),
  ready: wholeNumber,
  failed: wholeNumber,
  documents: wholeNumber,
});

/** A watched folder and the documents that came from it. */
export type FolderState = z.infer<typeof stateRow>;

/** Folders as rows. */
export class SqlFolderBook implements FolderBook {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async take(
    { stackId, source }: FolderName,
    { unlessWithinMs }: { readonly unlessWithinMs: number },
  ): Promise<FolderLease | undefined> {
    const holder = randomUUID();
    const taken = await orDatabaseAway(
      execute(
        this.#pool,
        sql`insert into knowledge_folders as folder (stack_id, source, holder, lease_until)
          values (${stackId}, ${source}, ${holder}, ${LEASE_END})
          on conflict (stack_id, source) do update set holder = excluded.holder, lease_until = excluded.lease_until
          where folder.lease_until <= now() and (folder.looked_at is null
            or folder.looked_at <= now() - make_interval(secs => ${unlessWithinMs / 1_000}))`,
      ),
    );
    return taken === 0 ? undefined : { stackId, source, holder };
  }

  async renew(lease: FolderLease): Promise<void> {
    await this.#update(lease, sql`lease_until = ${LEASE_END}`);
  }

  async finish(lease: FolderLease, report: FolderReport): Promise<void> {
    const { files, waiting, problem = null } = report;
    await this.#update(
      lease,
      sql`looked_at = now(), files = ${files}, waiting = ${waiting}, problem = ${problem}, ${ENDED}`,
    );
  }

  async release(lease: FolderLease): Promise<void> {
    await execute(this.#pool, sql`update knowledge_folders set ${ENDED} where ${isHeld(lease)}`);
  }

  async keepOnly(folders: readonly FolderName[]): Promise<void> {
    const kept = folders.map(({ stackId, source }) => sql`(${stackId}, ${source})`);
    const others = kept.length === 0 ? sql`true` : sql`(stack_id, source) not in (${joined(kept, ', ')})`;
    await orDatabaseAway(execute(this.#pool, sql`delete from knowledge_folders where ${others}`));
  }

  /** The watched folders of all stacks or one. */
  async states(stackId?: string): Promise<readonly FolderState[]> {
    const condition = stackId === undefined ? sql`true` : sql`folder.stack_id = ${stackId}`;
    return await queryRows(
      this.#pool,
      stateRow,
      sql`select folder.stack_id, folder.source, looked_at, files, waiting, problem, count(id) as documents,
          count(id) filter (where state = 'ready') as ready, count(id) filter (where state = 'failed') as failed
        from knowledge_folders as folder left join knowledge_documents as document
          on document.stack_id = folder.stack_id and document.source = folder.source
        where ${condition} group by folder.stack_id, folder.source order by folder.stack_id, folder.source`,
    );
  }

  async #update(lease: FolderLease, change: Sql): Promise<void> {
    const updated = await orDatabaseAway(
      execute(this.#pool, sql`update knowledge_folders set ${change} where ${isHeld(lease)}`),
    );
    if (updated === 0) throw new FolderTakenOver();
  }
}

const LEASE_END = sql`now() + make_interval(secs => ${LEASE_SECONDS})`;
const ENDED = sql`holder = null, lease_until = '-infinity'`;

function isHeld({ stackId, source, holder }: FolderLease): Sql {
  return sql`stack_id = ${stackId} and source = ${source} and holder = ${holder}`;
}
