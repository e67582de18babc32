-- Folders and buckets whose files are documents of a stack.

alter table knowledge_documents
  add column source text,      -- the file, folder or bucket of the configuration that it came from; null: neither
  add column file_mark text;   -- changes with the content of its file; null: the file is to be read again

create table knowledge_folders (
  stack_id text not null references stacks (id) on delete cascade,
  source text not null,
  -- Who looks through it: a lease that ran out belongs to a process that is gone.
  holder text,
  lease_until timestamptz not null default '-infinity',
  looked_at timestamptz,       -- when that was last finished
  files integer not null default 0,
  waiting integer not null default 0,   -- files that are still being written
  problem text,
  primary key (stack_id, source)
);
