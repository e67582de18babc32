-- Responses that are kept for follow-ups, conversations, and responses that are made in the background.

alter table stacks add column store_responses boolean not null default true;

-- A text column that ends in "JSON or blob" holds JSON, or `blob:` and the name of the blob that holds it.
create table responses (
  id text primary key,
  account_id text not null,
  stack_id text not null references stacks (id) on delete cascade,
  key_id text not null,
  model text not null,
  status text not null check (status in ('queued', 'in_progress', 'completed', 'incomplete', 'failed', 'cancelled')),
  background boolean not null,
  previous_id text,                   -- not a reference: the response before may be deleted
  conversation_id text,
  echo text not null,                 -- the response as it was answered, usage and error included, its output left empty: JSON or blob
  input text not null,                -- the items of the request: JSON or blob
  output text not null,               -- the items of the answer: JSON or blob
  context_bytes bigint not null,      -- of input and output, which follow-ups read
  size_bytes bigint not null,         -- of all three
  created_at timestamptz not null,    -- whole milliseconds, so that a page can end at one
  expires_at timestamptz not null     -- from then on only follow-ups of it read it; a sweep removes it after the last of them
);

create index responses_newest_first on responses (stack_id, created_at desc, id desc);
create index responses_by_expiry on responses (expires_at);
create index responses_by_previous on responses (previous_id) where previous_id is not null;

-- Where an item stands, by the id under which requests refer to it.
create table response_items (
  response_id text not null references responses (id) on delete cascade,
  in_output boolean not null,
  position integer not null,
  stack_id text not null,
  item_id text not null,
  primary key (response_id, in_output, position)
);

create index response_items_by_id on response_items (stack_id, item_id);

create table conversations (
  id text primary key,
  account_id text not null,
  stack_id text not null references stacks (id) on delete cascade,
  key_id text not null,
  metadata text not null,             -- JSON
  size_bytes bigint not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null     -- moves on whenever items are added
);

create index conversations_newest_first on conversations (stack_id, created_at desc, id desc);
create index conversations_by_expiry on conversations (expires_at);

create table conversation_items (
  conversation_id text not null references conversations (id) on delete cascade,
  position bigint generated always as identity,
  item_id text not null,
  item text not null,                 -- JSON or blob
  size_bytes bigint not null,
  primary key (conversation_id, item_id)
);

create index conversation_items_in_order on conversation_items (conversation_id, position);
create index conversation_items_by_id on conversation_items (item_id);

-- Responses that are not finished. A lease that ran out belongs to a process that is gone.
create table response_jobs (
  response_id text primary key references responses (id) on delete cascade,
  stack_id text not null,
  key_id text not null,
  request text not null,              -- the fields of the request, without its input: JSON or blob
  streams boolean not null,           -- whether its events are kept
  created_at timestamptz not null default now(),
  attempts integer not null default 0,
  holder text,
  lease_until timestamptz
);

create index response_jobs_by_stack on response_jobs (stack_id, created_at);

create table response_events (
  response_id text not null references responses (id) on delete cascade,
  sequence integer not null,          -- from 0, without a gap
  event text not null,                -- as it is sent
  primary key (response_id, sequence)
);

-- Blobs to remove: those of deleted rows, and, after an hour, those whose row was never written.
create table response_leftovers (
  blob text primary key,
  remove_at timestamptz not null default now()
);

-- Its arguments are the columns that may name a blob.
create function leave_response_blobs() returns trigger language plpgsql as $$
begin
  insert into response_leftovers (blob)
    select substr(was.value, 6) from jsonb_each_text(to_jsonb(old)) as was
    where was.key = any (tg_argv) and was.value like 'blob:%'
      and (tg_op = 'DELETE' or to_jsonb(new) ->> was.key is distinct from was.value)
    on conflict (blob) do update set remove_at = excluded.remove_at;
  return null;
end $$;

create trigger leave_response_blobs after update of echo, input, output or delete on responses
  for each row execute function leave_response_blobs('echo', 'input', 'output');
create trigger leave_response_blobs after update of item or delete on conversation_items
  for each row execute function leave_response_blobs('item');
create trigger leave_response_blobs after delete on response_jobs
  for each row execute function leave_response_blobs('request');

-- What an operator erased, and when the last of it was gone.
create table response_erasures (
  id bigint generated always as identity primary key,
  scope text not null check (scope in ('response', 'key', 'stack', 'account')),
  subject text not null,
  requested_at timestamptz not null default now(),
  finished_at timestamptz
);

create table erased_responses (
  id text primary key,                -- of a response or a conversation
  erasure_id bigint not null references response_erasures (id),
  stack_id text not null,
  key_id text not null,
  size_bytes bigint not null,
  created_at timestamptz not null
);

create index erased_responses_by_erasure on erased_responses (erasure_id);

-- Takes the oldest job of a stack that has the fewest running. One is taken at a time, so that no stack ever has too many.
create function take_response_job(holder_now text, lease_ms integer, running_per_stack integer)
returns setof response_jobs language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7205763);
  return query
    update response_jobs set holder = holder_now, attempts = attempts + 1,
      lease_until = clock_timestamp() + make_interval(secs => lease_ms / 1000.0)
    where response_id = (
      select waiting.response_id from response_jobs as waiting, lateral (
        select count(*) as running from response_jobs as held
        where held.stack_id = waiting.stack_id and held.lease_until > clock_timestamp()) as stack
      where (waiting.lease_until is null or waiting.lease_until <= clock_timestamp()) and running < running_per_stack
      order by running, waiting.created_at, waiting.response_id limit 1)
    returning *;
end $$;
