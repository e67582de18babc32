import type pg from 'pg';
import { z } from 'zod';
import type { Operator } from '../access/operator.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import { recordAudit } from './audit-trail.ts';
import { auditedTarget, conditionOf, type ErasureTarget, subjectOf } from './erasure-target.ts';
import { execute, queryRow, queryRows, wholeNumber } from './query.ts';
import { ResponseParts } from './response-parts.ts';
import { type Sql, sql } from './sql.ts';
import { inTransaction } from './transaction.ts';

const idRow = z.object({ id: z.string() });

const erasureRow = z.object({
  id: z.string(),
  scope: z.enum(['response', 'key', 'stack', 'account']),
  subject: z.string(),
  requestedAt: z.date(),
  /** Null when it was interrupted: ask for the same again. */
  finishedAt: z.date().nullable(),
  responses: wholeNumber,
  conversations: wholeNumber,
  sizeBytes: wholeNumber,
});

/** The record of an erasure: who asked for what, and how much was removed. */
export type ResponseErasure = Readonly<z.infer<typeof erasureRow>>;

export interface ResponseEraserOptions {
  readonly pool: pg.Pool;
  readonly blobs: BlobStore;
  /** Who asks for it. */
  readonly operator: Operator;
}

const PAGE = 100;

/** Erases responses and conversations on request. It keeps a record of them, without their contents. */
export class ResponseEraser {
  readonly #pool: pg.Pool;
  readonly #parts: ResponseParts;
  readonly #operator: Operator;

  constructor({ pool, blobs, operator }: ResponseEraserOptions) {
    this.#operator = operator;
    this.#pool = pool;
    this.#parts = new ResponseParts(pool, blobs);
  }

  /** Removes everything of the target, including what is made while it runs. */
  async erase(target: ErasureTarget, signal: AbortSignal): Promise<ResponseErasure> {
    const id = await this.#begin(target);
    const condition = conditionOf(target);
    await this.#eraseAll(id, sql`responses`, condition, signal);
    if (target.scope !== 'one') await this.#eraseAll(id, sql`conversations`, condition, signal);
    await this.#parts.removeLeftovers(signal);
    return await this.#finish(id, target);
  }

  #begin(target: ErasureTarget): Promise<string> {
    const scope = target.scope === 'one' ? 'response' : target.scope;
    return inTransaction(this.#pool, async (client) => {
      const begun = sql`insert into response_erasures (scope, subject) values (${scope}, ${subjectOf(target)})
        returning id`;
      const { id } = await queryRow(client, idRow, begun);
      const after = { erasure: id, scope };
      await recordAudit(client, this.#operator, {
        action: 'response.erase',
        ...auditedTarget(target),
        after,
      });
      return id;
    });
  }

  #finish(id: string, target: ErasureTarget): Promise<ResponseErasure> {
    return inTransaction(this.#pool, async (client) => {
      await execute(client, sql`update response_erasures set finished_at = now() where id = ${id}`);
      const erasure = await queryRow(client, erasureRow, erasures(sql`response_erasures.id = ${id}`));
      const { responses, conversations, sizeBytes } = erasure;
      const after = { erasure: id, responses, conversations, size_bytes: sizeBytes };
      await recordAudit(client, this.#operator, {
        action: 'response.erased',
        ...auditedTarget(target),
        after,
      });
      return erasure;
    });
  }

  /** Removes rows and records them in one transaction, a page at a time. */
  async #eraseAll(erasureId: string, table: Sql, condition: Sql, signal: AbortSignal): Promise<void> {
    for (let erased = PAGE; erased > 0; ) {
      signal.throwIfAborted();
      erased = await inTransaction(this.#pool, (client) =>
        execute(
          client,
          sql`with gone as (
              delete from ${table} where id in (select id from ${table} where ${condition} order by id limit ${PAGE} for update)
              returning id, stack_id, key_id, size_bytes, created_at)
            insert into erased_responses (id, erasure_id, stack_id, key_id, size_bytes, created_at)
              select id, ${erasureId}, stack_id, key_id, size_bytes, created_at from gone
            on conflict (id) do update set erasure_id = excluded.erasure_id`,
        ),
      );
    }
  }
}

/** The erasures on record, newest first. */
export function listResponseErasures(pool: pg.Pool): Promise<readonly ResponseErasure[]> {
  return queryRows(pool, erasureRow, erasures(sql`true`));
}

function erasures(condition: Sql): Sql {
  return sql`select response_erasures.id, scope, subject, requested_at, finished_at,
      count(erased.id) filter (where erased.id like 'resp%') as responses,
      count(erased.id) filter (where erased.id like 'conv%') as conversations,
      coalesce(sum(size_bytes), 0) as size_bytes
    from response_erasures left join erased_responses as erased on erasure_id = response_erasures.id
    where ${condition} group by response_erasures.id order by response_erasures.id desc`;
}
