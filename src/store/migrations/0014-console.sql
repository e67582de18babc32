-- People who log in to the console, their sessions, and the links by which they set a password.

create table people (
  name text collate "C" primary key,   -- of OpenID Connect: `oidc:` and a verified address or the subject
  role text not null check (role in ('operator', 'read-only', 'member')),
  stack_id text references stacks (id),  -- of a member
  password_hash text,                  -- null: logs in by OpenID Connect
  created_at timestamptz not null,
  last_log_in_at timestamptz,
  check ((role = 'member') = (stack_id is not null))
);

-- A session of a person, or of a key that was pasted. A backup carries neither sessions nor links.
create table console_sessions (
  token_hash text primary key check (token_hash ~ '^[0-9a-f]{64}$'),
  person text references people (name) on delete cascade,
  stack_id text,
  key_id text,
  opened_at timestamptz not null,
  seen_at timestamptz not null,        -- the last request, to within minutes
  foreign key (stack_id, key_id) references keys (stack_id, id) on delete cascade,
  check ((person is null) = (key_id is not null and stack_id is not null))
);

create index console_sessions_by_person on console_sessions (person);

-- A link is removed when it is used.
create table setup_links (
  token_hash text primary key check (token_hash ~ '^[0-9a-f]{64}$'),
  name text,                           -- null: the first operator, who chooses a name
  role text not null check (role in ('operator', 'read-only', 'member')),
  stack_id text references stacks (id) on delete cascade,
  expires_at timestamptz not null
);
