-- Who may call: accounts own stacks, stacks own keys, a key has one secret or, while it is rotated, two.

create table accounts (
  id text primary key,
  created_at timestamptz not null default now()
);

create table stacks (
  id text primary key check (id ~ '^[a-z0-9][a-z0-9-]*$'),
  account_id text not null references accounts (id),
  plan text not null check (plan in ('go', 'pro', 'max', 'enterprise')),
  image_plan boolean not null,
  text_engines text[],          -- null: the first configured one
  image_engine text,            -- null: the first configured one
  models text[],                -- null: the text engine's
  system_prompt text,
  temperature double precision,
  paused boolean not null default false,
  limits jsonb not null,        -- what differs from the plan
  declared boolean not null,    -- true: the configuration file owns it
  disabled_at timestamptz,      -- set when it is taken out of the file
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table keys (
  stack_id text not null references stacks (id),
  id text not null check (id ~ '^[a-z0-9][a-z0-9-]*$'),
  prompt text,
  retrieval boolean not null default false,
  knowledge text check (knowledge in ('read', 'write')),
  expires_at timestamptz,
  revoked_at timestamptz,       -- by an operator, for good
  declared boolean not null,
  disabled_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (stack_id, id)
);

create table key_secrets (
  secret_hash text primary key check (secret_hash ~ '^[0-9a-f]{64}$'),
  stack_id text not null,
  key_id text not null,
  expires_at timestamptz,       -- set on the old secret when a key is rotated
  created_at timestamptz not null default now(),
  foreign key (stack_id, key_id) references keys (stack_id, id) on delete cascade
);

create index key_secrets_by_key on key_secrets (stack_id, key_id);
