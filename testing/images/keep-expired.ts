import type pg from 'pg';
import type { BlobStore } from '../../src/blobs/blob-store.ts';
import { blobKeyOf } from '../../src/store/image-blobs.ts';

/** Stores many expired images in stack `shop`, bytes and rows. */
export async function keepExpired(pool: pg.Pool, blobs: BlobStore, count: number): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    `insert into images (id, account_id, stack_id, key_id, route, model, prompt, width, height, steps, guidance_scale,
       seed, reference_count, size_bytes, sha256, created_at, expires_at)
     select 'img_' || md5(n::text), 'acme', 'shop', 'web', 'generations', 'painter', 'a fox', 8, 8, 4, 1,
       n, 0, 3, repeat('0', 64), now() - interval '31 days', now() - interval '1 day'
     from generate_series(1, $1::integer) n returning id`,
    [count],
  );
  const { signal } = new AbortController();
  for (const { id } of rows) await blobs.put(blobKeyOf(id), Buffer.from('png'), signal);
}
