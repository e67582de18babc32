import { randomBytes } from 'node:crypto';
import { MODEL } from './scale-world.mjs';

export async function addStack(pool, id) {
  await pool.query(`insert into accounts (id) values ('bench') on conflict do nothing`);
  await pool.query(
    `insert into stacks (id, account_id, plan, image_plan, limits, declared) values ($1, 'bench', 'enterprise', false, '{}', false)`,
    [id],
  );
}

/** A document as the gateway has it once its passages have their vectors. */
export async function addDocument(pool, { stackId, name, chunks, isSearchable = true }) {
  const documentId = `doc_${randomBytes(16).toString('hex')}`;
  await pool.query(
    `insert into knowledge_documents (id, stack_id, name, declared, blob, sha256, size_bytes, state, searchable_version, chunks, embedding_model)
     values ($1, $2, $3, false, $1, repeat('0', 64), 1, 'ready', $4, $5, $6)`,
    [documentId, stackId, name, isSearchable ? 1 : null, chunks.length, MODEL],
  );
  await pool.query(
    `insert into knowledge_chunks (document_id, version, ordinal, text, headings, vectors, embedding_model)
     select $1, 1, ordinal, text, '{}', vectors, $2 from unnest($3::integer[], $4::text[], $5::bytea[]) as given (ordinal, text, vectors)`,
    [
      documentId,
      MODEL,
      chunks.map(({ position }) => position),
      chunks.map(({ text }) => text),
      chunks.map(({ vectors }) => vectors),
    ],
  );
  return { documentId, stackId, version: 1, name };
}
