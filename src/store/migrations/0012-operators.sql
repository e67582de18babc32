-- Tokens of programs that operate the gateway, and indexes for lists over all stacks.

create table operator_tokens (
  name text primary key check (name ~ '^[a-z0-9][a-z0-9-]*$'),
  secret_hash text not null unique check (secret_hash ~ '^[0-9a-f]{64}$'),
  read_only boolean not null,
  stack_id text references stacks (id),   -- null: all stacks
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  last_used_at timestamptz                -- within a minute
);

-- Where a reference is a stored image, byte for byte, the edit descends from it.
alter table images add column reference_hashes text[] not null default '{}';

create index images_newest_of_all on images (created_at desc, id desc);
create index images_by_bytes on images (stack_id, sha256);
create index responses_newest_of_all on responses (created_at desc, id desc);
