import type pg from 'pg';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { ImageRecords } from './image-records.ts';
import { removeImages } from './image-removal.ts';
import { inTransaction } from './transaction.ts';

/** Whose images are to be erased. */
export type ErasureTarget =
  | { readonly scope: 'image'; readonly imageId: string }
  | { readonly scope: 'key'; readonly stackId: string; readonly keyId: string }
  | { readonly scope: 'stack'; readonly stackId: string }
  | { readonly scope: 'account'; readonly accountId: string };

/** What an erasure removed, as it stays on record. */
export interface Erasure {
  readonly id: string;
  readonly scope: ErasureTarget['scope'];
  readonly subject: string;
  readonly requestedAt: Date;
  /** Null when it was interrupted: ask for the same again. */
  readonly finishedAt: Date | null;
  readonly images: number;
  readonly sizeBytes: number;
}

export interface ImageEraserOptions {
  readonly pool: pg.Pool;
  readonly records: ImageRecords;
  readonly blobs: BlobStore;
}

const PAGE = 100;

/** Erases images on request, and keeps a record that shows what is gone but not what it showed. */
export class ImageEraser {
  readonly #options: ImageEraserOptions;

  constructor(options: ImageEraserOptions) {
    this.#options = options;
  }

  /** Removes every image of the target, those made meanwhile included. */
  async erase(target: ErasureTarget, signal: AbortSignal): Promise<Erasure> {
    const id = await this.#begin(target);
    for (;;) {
      const ids = await this.#markPage(id, target);
      if (ids.length === 0) break;
      await removeImages(ids, { ...this.#options, signal });
    }
    await this.#options.pool.query('update image_erasures set finished_at = now() where id = $1', [id]);
    const [erasure] = await listErasures(this.#options.pool, id);
    if (erasure === undefined) throw new Error('the record of an erasure is gone');
    return erasure;
  }

  async #begin(target: ErasureTarget): Promise<string> {
    const { rows } = await this.#options.pool.query<{ id: string }>(
      'insert into image_erasures (scope, subject) values ($1, $2) returning id::text',
      [target.scope, subjectOf(target)],
    );
    const id = rows[0]?.id;
    if (id === undefined) throw new Error('an erasure was not recorded');
    return id;
  }

  /** Puts images on record and ends their time in one step: if nothing else happens any more, the sweeper removes them. */
  #markPage(erasureId: string, target: ErasureTarget): Promise<readonly string[]> {
    const { condition, values } = conditionOf(target);
    return inTransaction(this.#options.pool, async (client) => {
      const { rows } = await client.query<{ id: string }>(
        `update images set expires_at = least(expires_at, now()) where id in (
           select id from images where ${condition} order by id limit ${PAGE} for update) returning id`,
        [...values],
      );
      const ids = rows.map((row) => row.id);
      await client.query(
        `insert into erased_images (image_id, erasure_id, stack_id, key_id, size_bytes, sha256, created_at)
         select id, $2, stack_id, key_id, size_bytes, sha256, created_at from images where id = any ($1)
         on conflict (image_id) do update set erasure_id = excluded.erasure_id`,
        [ids, erasureId],
      );
      return ids;
    });
  }
}

/** The erasures on record, newest first; or one of them. */
export async function listErasures(pool: pg.Pool, id?: string): Promise<readonly Erasure[]> {
  const { rows } = await pool.query<Erasure & { images: string; sizeBytes: string }>(
    `select id::text, scope, subject, requested_at as "requestedAt", finished_at as "finishedAt",
       count(image_id) as images, coalesce(sum(size_bytes), 0) as "sizeBytes"
     from image_erasures left join erased_images on erasure_id = id
     where $1::bigint is null or id = $1 group by id order by image_erasures.id desc`,
    [id ?? null],
  );
  return rows.map((row) => ({ ...row, images: Number(row.images), sizeBytes: Number(row.sizeBytes) }));
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

function conditionOf(target: ErasureTarget): {
  readonly condition: string;
  readonly values: readonly string[];
} {
  switch (target.scope) {
    case 'image':
      return { condition: 'id = $1', values: [target.imageId] };
    case 'key':
      return { condition: 'stack_id = $1 and key_id = $2', values: [target.stackId, target.keyId] };
    case 'stack':
      return { condition: 'stack_id = $1', values: [target.stackId] };
    case 'account':
      return { condition: 'account_id = $1', values: [target.accountId] };
  }
}
