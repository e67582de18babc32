// Rows of a gateway that was used for a while, inserted in bulk before it starts.
import { join } from 'node:path';

const STEP = 20_000;

/** Fills the embedded database of a data folder. */
export async function fillConsoleDatabase(folder, sizes) {
  const { openDatabase } = await import('../dist/store/database.js');
  const { signal } = new AbortController();
  const dataDir = join(folder, 'data');
  const database = await openDatabase({ url: undefined, dataDir, announce: () => {}, signal });
  try {
    const { pool } = database;
    await pool.query("insert into accounts (id) values ('acme')");
    const insert = async (count, statement) => {
      for (let from = 1; from <= count; from += STEP)
        await pool.query(statement, [from, Math.min(count, from + STEP - 1), sizes.stacks]);
    };
    await insert(sizes.stacks, stackRows);
    await insert(sizes.keys, keyRows);
    await insert(sizes.usage, usageRows);
    await insert(sizes.images, imageRows);
    await insert(sizes.documents, documentRows);
    await insert(sizes.responses, responseRows);
    await insert(sizes.audit, auditRows);
    // As the gateway does every so often: the first statement that reads a new row writes to its page.
    await pool.query('vacuum analyze');
  } finally {
    await database.close();
  }
}

// Every statement takes the first and last number, and how many stacks there are.
const series = 'from generate_series($1::int, $2::int) n, (select $3::int as stacks) s';
const stack = "'stack-' || (1 + n % s.stacks)";
const key = "'key-' || (1 + n % 50 * s.stacks + n % s.stacks)";

const stackRows = `insert into stacks (id, account_id, plan, image_plan, limits, declared)
  select 'stack-' || n, 'acme', 'max', true, '{"extraction": {}, "pdf": {}, "images": {}}', false ${series}
  where s.stacks > 0`;

const keyRows = `insert into keys (stack_id, id, declared)
  select ${stack}, 'key-' || (n + 1), false ${series}`;

// Ten rows of each of ten thousand keys, over the last 30 days.
const usageRows = `insert into usage_days (day, account_id, stack_id, key_id, endpoint, model, requests, prompt_tokens,
    completion_tokens, pages, images, pdf_pages, client_errors, limit_errors, server_errors, gone, latency_ms, max_latency_ms,
    latency_counts)
  select current_date - (n / 10000 * 3 + n % 3), 'acme', 'stack-' || (1 + n % 10000 % s.stacks), 'key-' || (1 + n % 10000),
    (array['/v1/chat/completions', '/v1/messages'])[1 + n % 2], 'model-' || (n % 5), 100, 2000, 3000, 1, 2, 3, 1, 1, 1, 1, 5000.5, 700.5, array[1, 2, 3, 4, 5]::bigint[] ${series}
  on conflict do nothing`;

const imageRows = `insert into images (id, account_id, stack_id, key_id, route, model, prompt, width, height, steps, guidance_scale, seed,
    reference_count, reference_hashes, size_bytes, sha256, created_at, expires_at)
  select 'img_' || md5(n::text), 'acme', image_key.stack_id, image_key.id, 'edits', 'flux', 'a fox in the snow', 1024, 1024, 4, 1, n, 1,
    array[encode(sha256((n - s.stacks)::text::bytea), 'hex')], 1000, encode(sha256(n::text::bytea), 'hex'),
    date_trunc('milliseconds', now()) - n * interval '1 minute', now() + interval '90 days'
  from generate_series($1::int, $2::int) n cross join (select $3::int as stacks) s
  cross join lateral (select stack_id, id from keys where stack_id = ${stack} order by id limit 1) as image_key`;

const documentRows = `insert into knowledge_documents (id, stack_id, name, size_bytes, sha256, blob, state, progress, searchable_version, declared)
  select 'doc_' || md5(n::text), ${stack}, 'document-' || n || '.md', 1000, encode(sha256(n::text::bytea), 'hex'), 'knowledge/' || n,
    'ready', 1, 1, false ${series}`;

const responseRows = `insert into responses (id, account_id, stack_id, key_id, model, status, background, echo, input, output,
    context_bytes, size_bytes, created_at, expires_at)
  select 'resp_' || md5(n::text), 'acme', ${stack}, 'key-1', 'tiny', 'completed', false, '{}', '[]', '[]', 4, 6,
    date_trunc('milliseconds', now()) - n * interval '1 minute', now() + interval '90 days' ${series}`;

const auditRows = `select append_audit((array['ada', 'eve'])[1 + n % 2], 'token', '127.0.0.1', (array['key.create', 'key.rotate'])[1 + n % 2],
    ${stack} || '/' || ${key}, ${stack}, null, '{"retrieval": false}') ${series}`;
