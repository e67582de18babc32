-- Files that clients upload, what was erased of them, and the secret that signs links to them.

-- A row is made before its bytes are stored, and counts for the quota from then on.
create table files (
  id text collate "C" primary key check (id ~ '^file_[0-9a-f]{32}$'),   -- in byte order, as blobs are listed
  account_id text not null references accounts (id),
  stack_id text not null,
  key_id text not null,
  name text not null,
  purpose text not null,
  size_bytes bigint not null,         -- the most it may have, until its bytes are there
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),   -- null: its bytes are still to come
  keep_seconds integer not null,      -- how long it is kept from then on
  storing_until timestamptz,          -- a process stores its bytes until then
  created_at timestamptz not null,    -- whole milliseconds, as in the id, so that a page can end at one
  expires_at timestamptz not null,    -- from then on no key can read it; a sweep removes bytes and row
  foreign key (stack_id, key_id) references keys (stack_id, id)
);

create index files_newest_first on files (stack_id, created_at desc, id desc);
create index files_by_expiry on files (expires_at);
create index files_by_account on files (account_id);

-- What an operator erased, and when the last of it was gone.
create table file_erasures (
  id bigint generated always as identity primary key,
  scope text not null check (scope in ('file', 'key', 'stack', 'account')),
  subject text not null,
  requested_at timestamptz not null default now(),
  finished_at timestamptz
);

create table erased_files (
  file_id text primary key,
  erasure_id bigint not null references file_erasures (id),
  stack_id text not null,
  key_id text not null,
  size_bytes bigint not null,
  sha256 text,
  created_at timestamptz not null
);

create index erased_files_by_erasure on erased_files (erasure_id);

-- Which process sweeps, and how far the search for orphans has come.
create table file_sweeps (
  id boolean primary key default true check (id),
  holder text,
  lease_until timestamptz not null default '-infinity',
  next_shard integer not null default 0,
  searched_at timestamptz not null default '-infinity'
);

insert into file_sweeps default values;

-- Made by the first process that needs it, and shared by all. A backup does not carry it.
create table link_secrets (
  id boolean primary key default true check (id),
  secret bytea not null
);
