import type pg from 'pg';
import { z } from 'zod';
import { type Connection, execute, findRow, queryRow } from './query.ts';
import { sql } from './sql.ts';
import { inTransaction } from './transaction.ts';

// It names the lock that lets one process make the tables at a time.
const LOCK_ID = 7_205_766;
const EXTENSION = 'vector';
/** The first version with scans that go on until enough rows pass a filter. */
const OLDEST = [0, 8];

const extensionRow = z.object({ installed: z.string().nullable(), available: z.string().nullable() });
const thereRow = z.object({ isThere: z.boolean() });

/** The database has no pgvector, or one that is too old. */
export class PgvectorMissing extends Error {
  override readonly name = 'PgvectorMissing';
  readonly remedy: string;

  constructor(message: string, remedy: string) {
    super(message);
    this.remedy = remedy;
  }
}

// A space is what one question compares: the words of a stack (its model is empty), or its vectors of one model. A stack with
// many passages has indexes of its own, whose condition is its space.
// A row of `documents` is a version of a document whose passages and vectors are here. It is live while questions may find it.
// `filled_model` is the model of the vectors that are here, `model` the one that the document has.
const TABLES = sql`
  create schema knowledge_search;
  create table knowledge_search.spaces (
    number integer generated always as identity primary key,
    stack_id text not null,
    model text not null,
    dimensions integer,
    is_large boolean not null default false,
    analysed_passages integer not null default 0,
    unique (stack_id, model)
  );
  create table knowledge_search.documents (
    number integer generated always as identity primary key,
    stack_id text not null,
    document_id text not null,
    version integer not null,
    language text,
    passages integer not null default 0,
    terms bigint not null default 0,
    model text,
    filled_model text,
    is_complete boolean not null default false,
    is_live boolean not null default false,
    is_gone boolean not null default false,
    unique (document_id, version)
  );
  create index documents_of_stack on knowledge_search.documents (stack_id);
  create index gone_documents on knowledge_search.documents (number) where is_gone;
  create table knowledge_search.passages (
    space integer not null,
    document integer not null,
    ordinal integer not null,
    length integer not null,
    words tsvector not null,
    primary key (space, document, ordinal)
  );
  create table knowledge_search.vectors (
    space integer not null,
    document integer not null,
    ordinal integer not null,
    place smallint not null,
    vector halfvec not null,
    primary key (space, document, ordinal, place)
  );
  create table knowledge_search.terms (
    space integer not null,
    term text collate "C" not null,
    passages integer not null,
    primary key (space, term)
  );
  create table knowledge_search.samples (
    space integer not null,
    document integer not null,
    ordinal integer not null,
    primary key (space, document, ordinal)
  );
  create function knowledge_search.follow_document() returns trigger language plpgsql as $$
  begin
    if tg_op = 'DELETE' then
      update knowledge_search.documents set is_live = false, is_gone = true where document_id = old.id;
    else
      update knowledge_search.documents set model = new.embedding_model,
        is_live = is_complete and version is not distinct from new.searchable_version,
        is_gone = version <> new.version and version is distinct from new.searchable_version
      where document_id = new.id;
    end if;
    return null;
  end $$;
  create trigger follow_document after update of version, searchable_version, embedding_model or delete
    on knowledge_documents for each row execute function knowledge_search.follow_document()`;

/** Makes the tables of the search unless they are there. Throws PgvectorMissing. */
export async function createSearchTables(pool: pg.Pool): Promise<void> {
  if (await areSearchTablesThere(pool)) return;
  await requirePgvector(pool);
  await inTransaction(pool, async (client) => {
    await execute(client, sql`select pg_advisory_xact_lock(${LOCK_ID})`);
    if (await areSearchTablesThere(client)) return;
    await execute(client, sql`create extension if not exists vector`).catch(refuseExtension);
    await execute(client, TABLES);
  });
}

/** Removes the tables of the search with all that is in them. */
export async function dropSearchTables(connection: Connection): Promise<void> {
  await execute(connection, sql`drop schema if exists knowledge_search cascade`);
}

export async function areSearchTablesThere(connection: Connection): Promise<boolean> {
  const query = sql`select to_regclass('knowledge_search.documents') is not null as is_there`;
  return (await queryRow(connection, thereRow, query)).isThere;
}

/** The version of pgvector; throws PgvectorMissing if the search cannot work with it. */
export async function requirePgvector(connection: Connection): Promise<string> {
  const found = await findRow(
    connection,
    extensionRow,
    sql`select installed_version as installed, default_version as available
      from pg_available_extensions where name = ${EXTENSION}`,
  );
  const version = found?.installed ?? found?.available ?? undefined;
  if (version === undefined)
    throw new PgvectorMissing(
      'the database has no extension "vector"',
      'Install pgvector 0.8 or newer on the PostgreSQL server of database.url, or set engines.search.kind to embedded.',
    );
  if (isOlder(version))
    throw new PgvectorMissing(
      `the extension "vector" is ${version}, which is too old`,
      'Install pgvector 0.8 or newer on the server, then run: alter extension vector update',
    );
  return version;
}

function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST;
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
}

function refuseExtension(cause: unknown): never {
  const reason = cause instanceof Error ? cause.message : String(cause);
  throw new PgvectorMissing(
    `the extension "vector" is on the server, but not in the database: ${reason}`,
    'Run as an administrator of the database: create extension vector',
  );
}
