// Rows like a gateway's, inserted in bulk before it starts.
import { join } from 'node:path';

/**
 * Fills the embedded database of a data folder: keys of a separate stack, stacks with a key each, or images of the measured
 * stack.
 */
export async function fillDatabase(folder, { keys = 0, stacks = 0, images = 0 }) {
  const { openDatabase } = await import('../dist/store/database.js');
  const database = await openDatabase({
    url: undefined,
    dataDir: join(folder, 'data'),
    announce: () => {},
    signal: new AbortController().signal,
  });
  try {
    const { pool } = database;
    await pool.query("insert into accounts (id) values ('soak') on conflict do nothing");
    for (const stack of ['soak', 'crowd']) {
      await pool.query(
        `insert into stacks (id, account_id, plan, image_plan, limits, declared) values ($1, 'soak', 'max', true, '{}', $2)`,
        [stack, stack === 'soak'],
      );
    }
    await pool.query("insert into keys (stack_id, id, declared) values ('soak', 'app', true)");
    if (keys > 0) await insertKeys(pool, keys);
    if (stacks > 0) await insertStacks(pool, stacks);
    if (images > 0) await insertImages(pool, images);
  } finally {
    await database.close();
  }
}

async function insertKeys(pool, count) {
  await pool.query(
    "insert into keys (stack_id, id, declared) select 'crowd', 'key-' || n, false from generate_series(1, $1::int) n",
    [count],
  );
  await pool.query(
    `insert into key_secrets (secret_hash, stack_id, key_id)
     select encode(sha256(('secret-' || n)::bytea), 'hex'), 'crowd', 'key-' || n from generate_series(1, $1::int) n`,
    [count],
  );
}

async function insertStacks(pool, count) {
  await pool.query(
    `insert into stacks (id, account_id, plan, image_plan, limits, declared)
     select 'stack-' || n, 'soak', 'max', true, '{}', false from generate_series(1, $1::int) n`,
    [count],
  );
  await pool.query(
    "insert into keys (stack_id, id, declared) select 'stack-' || n, 'app', false from generate_series(1, $1::int) n",
    [count],
  );
  await pool.query(
    `insert into key_secrets (secret_hash, stack_id, key_id)
     select encode(sha256(('secret-of-' || n)::bytea), 'hex'), 'stack-' || n, 'app' from generate_series(1, $1::int) n`,
    [count],
  );
}

async function insertImages(pool, count) {
  const step = 50_000;
  for (let from = 1; from <= count; from += step) {
    await pool.query(
      `insert into images (id, account_id, stack_id, key_id, route, model, prompt, width, height, steps, guidance_scale, seed,
         reference_count, size_bytes, sha256, created_at, expires_at)
       select 'img_' || md5(n::text), 'soak', 'soak', 'app', 'generations', 'flux', 'a fox', 1024, 1024, 4, 1, n, 0, 1000,
         encode(sha256(n::text::bytea), 'hex'), date_trunc('milliseconds', now()) - n * interval '1 second' / 1000, now() + interval '30 days'
       from generate_series($1::int, $2::int) n`,
      [from, Math.min(count, from + step - 1)],
    );
  }
}
