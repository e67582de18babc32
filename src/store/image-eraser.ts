import type pg from 'pg';
import { z } from 'zod';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { ImageRecords } from './image-records.ts';
import { removeImages } from './image-removal.ts';
import { execute, queryRow, queryRows, wholeNumber } from './query.ts';
import { type Sql, sql } from './sql.ts';
import { inTransaction } from './transaction.ts';

/** The images to erase. */
export type ErasureTarget =
  | { readonly scope: 'image'; readonly imageId: string }
  | { readonly scope: 'key'; readonly stackId: string; readonly keyId: string }
  | { readonly scope: 'stack'; readonly stackId: string }
  | { readonly scope: 'account'; readonly accountId: string };

const idRow = z.object({ id: z.string() });

const erasureRow = z.object({
  id: z.string(),
  scope: z.enum(['image', 'key', 'stack', 'account']),
  subject: z.string(),
  requestedAt: z.date(),
  /** Null when it was interrupted: ask for the same again. */
  finishedAt: z.date().nullable(),
  images: wholeNumber,
  sizeBytes: wholeNumber,
});

/** The record of an erasure: who asked for what, and how much was removed. */
export type Erasure = Readonly<z.infer<typeof erasureRow>>;

export interface ImageEraserOptions {
  readonly pool: pg.Pool;
  readonly records: ImageRecords;
  readonly blobs: BlobStore;
}

const PAGE = 100;

/** Erases images on request. It keeps a record of the erased images, without their contents. */
export class ImageEraser {
  readonly #options: ImageEraserOptions;

  constructor(options: ImageEraserOptions) {
    this.#options = options;
  }

  /** Removes every image of the target, including those made while it runs. */
  async erase(target: ErasureTarget, signal: AbortSignal): Promise<Erasure> {
    const id = await this.#begin(target);
    for (;;) {
      const ids = await this.#markPage(id, target);
      if (ids.length === 0) break;
      await removeImages(ids, { ...this.#options, signal });
    }
    await execute(this.#options.pool, sql`update image_erasures set finished_at = now() where id = ${id}`);
    return queryRow(this.#options.pool, erasureRow, erasures(sql`id = ${id}`));
  }

  async #begin(target: ErasureTarget): Promise<string> {
    const { id } = await queryRow(
      this.#options.pool,
      idRow,
      sql`insert into image_erasures (scope, subject) values (${target.scope}, ${subjectOf(target)}) returning id`,
    );
    return id;
  }

  /** Records images and expires them in one transaction: if the process ends here, the sweeper removes them. */
  #markPage(erasureId: string, target: ErasureTarget): Promise<readonly string[]> {
    return inTransaction(this.#options.pool, async (client) => {
      const rows = await queryRows(
        client,
        idRow,
        sql`update images set expires_at = least(expires_at, now()) where id in (
          select id from images where ${conditionOf(target)} order by id limit ${PAGE} for update) returning id`,
      );
      const ids = rows.map((row) => row.id);
      await execute(
        client,
        sql`insert into erased_images (image_id, erasure_id, stack_id, key_id, size_bytes, sha256, created_at)
          select id, ${erasureId}, stack_id, key_id, size_bytes, sha256, created_at from images where id = any (${ids})
          on conflict (image_id) do update set erasure_id = excluded.erasure_id`,
      );
      return ids;
    });
  }
}

/** The erasures on record, newest first. */
export function listErasures(pool: pg.Pool): Promise<readonly Erasure[]> {
  return queryRows(pool, erasureRow, erasures(sql`true`));
}

function erasures(condition: Sql): Sql {
  return sql`select id, scope, subject, requested_at, finished_at, count(image_id) as images,
      coalesce(sum(size_bytes), 0) as size_bytes
    from image_erasures left join erased_images on erasure_id = id
    where ${condition} group by id order by image_erasures.id desc`;
}

function subjectOf(target: ErasureTarget): string {
  switch (target.scope) {
    case 'image':
      return target.imageId;
    case 'key':
      return `${target.stackId}/${target.keyId}`;
    case 'stack':
      return target.stackId;
    case 'account':
      return target.accountId;
  }
}

function conditionOf(target: ErasureTarget): Sql {
  switch (target.scope) {
    case 'image':
      return sql`id = ${target.imageId}`;
    case 'key':
      return sql`stack_id = ${target.stackId} and key_id = ${target.keyId}`;
    case 'stack':
      return sql`stack_id = ${target.stackId}`;
    case 'account':
      return sql`account_id = ${target.accountId}`;
  }
}
