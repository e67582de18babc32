-- The knowledge base: documents of stacks, and the passages that are found in them.

create table knowledge_documents (
  id text primary key check (id ~ '^doc_[0-9a-f]{32}$'),
  stack_id text not null references stacks (id) on delete cascade,
  name text collate "C" not null,     -- in byte order, so that pages are the same everywhere
  declared boolean not null,          -- true: the configuration file owns it
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- The newest version: it counts up with every replacement and every reindexing.
  version integer not null default 1,
  blob text not null,                 -- where its bytes are
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  size_bytes bigint not null,
  state text not null default 'queued' check (state in ('queued', 'indexing', 'ready', 'failed')),
  progress double precision not null default 0,
  failure text,
  cut_chunks integer,                 -- how many passages it has; null until all of them are stored
  -- Who works on it: a lease that ran out belongs to a process that is gone.
  holder text,
  lease_until timestamptz,
  attempts integer not null default 0,
  retry_at timestamptz not null default now(),
  -- The version that is found, which may be an older one; null: none yet.
  searchable_version integer,
  chunks integer not null default 0,
  embedding_model text,               -- whose vectors all of its passages have; null: some have none
  unique (stack_id, name)
);

-- Its document is named without a reference: passages are removed a few at a time, so that no statement is long.
create table knowledge_chunks (
  document_id text not null,
  version integer not null,
  ordinal integer not null,            -- its place in the document, from 0
  text text not null,
  headings text[] not null,
  page integer,
  vectors bytea,
  embedding_model text,
  primary key (document_id, version, ordinal)
);

-- Changes whenever what can be found in a stack does. It outlives the stack, so that whoever has read it notices.
create table knowledge_generations (
  stack_id text primary key,
  generation text not null
);

-- What nobody needs any more and is still to be removed: the bytes of a version, or its passages.
create table knowledge_leftovers (
  id bigint generated always as identity primary key,
  blob text unique,
  document_id text,
  version integer,
  remove_at timestamptz not null default now()
);

create function leave_knowledge() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or new.blob <> old.blob then
    insert into knowledge_leftovers (blob) values (old.blob)
      on conflict (blob) do update set remove_at = excluded.remove_at;
  end if;
  insert into knowledge_leftovers (document_id, version)
    select distinct old.id, gone from unnest(array[old.version, old.searchable_version]) as gone
    where gone is not null and (tg_op = 'DELETE' or gone not in (new.version, coalesce(new.searchable_version, new.version)));
  if old.searchable_version is not null and tg_op = 'DELETE'
    or tg_op = 'UPDATE' and (old.searchable_version, old.embedding_model)
      is distinct from (new.searchable_version, new.embedding_model) then
    insert into knowledge_generations (stack_id, generation) values (old.stack_id, gen_random_uuid()::text)
      on conflict (stack_id) do update set generation = excluded.generation;
  end if;
  return null;
end $$;

create trigger leave_knowledge after update or delete on knowledge_documents
  for each row execute function leave_knowledge();
