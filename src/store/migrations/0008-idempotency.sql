-- Requests with an Idempotency-Key, and their answers. Neither the key nor the body is here, and an answer can be read
-- only with the key.

create table idempotent_requests (
  id text collate "C" primary key check (id ~ '^[0-9a-f]{64}$'),
  stack_id text not null,
  fingerprint text not null,
  holder text,                                  -- the process that runs it; null: it ran, and its answer was kept
  lease_until timestamptz,                      -- of the holder; then the next request may run
  answer bytea,                                 -- encrypted; null: not yet, or in the blob store
  has_blob boolean not null default false,      -- set before the blob is written, so that no blob is without a row
  size_bytes bigint not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  check ((holder is null) = (lease_until is null))
);

create index idempotent_requests_by_expiry on idempotent_requests (expires_at);
create index idempotent_requests_by_age on idempotent_requests (stack_id, created_at) where holder is null;

-- How much is kept for each stack, so that it can be bounded without counting.
create table idempotency_totals (
  stack_id text primary key,
  answers bigint not null,
  size_bytes bigint not null
);
