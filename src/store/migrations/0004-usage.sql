-- What was used, summed per day in UTC. The rows refer to no other table: what a stack used is known for as long as
-- usage is kept, whatever becomes of the stack.

create table usage_days (
  day date not null,
  account_id text collate "C" not null,
  stack_id text collate "C" not null,
  key_id text collate "C" not null,
  endpoint text collate "C" not null,      -- the path pattern of a route
  model text collate "C" not null,         -- empty where no model was asked
  requests bigint not null,
  prompt_tokens bigint not null,
  completion_tokens bigint not null,
  pages bigint not null,
  images bigint not null,
  pdf_pages bigint not null,
  client_errors bigint not null,
  limit_errors bigint not null,
  server_errors bigint not null,
  gone bigint not null,
  latency_ms double precision not null,    -- of all requests together
  max_latency_ms double precision not null,
  latency_counts bigint[] not null,        -- requests by how long they took; the program knows the bounds
  primary key (stack_id, day, account_id, key_id, endpoint, model)
);

create index usage_days_by_day on usage_days (day);

-- The last batch of each process that was written, so that one that is sent again is not added again.
create table usage_writers (
  process text primary key,
  sequence bigint not null,
  written_at timestamptz not null default now()
);

create index usage_writers_by_time on usage_writers (written_at);

create function add_counts(one bigint[], other bigint[]) returns bigint[] language sql immutable as $$
  select array_agg(coalesce(a, 0) + coalesce(b, 0) order by place)
  from unnest(one, other) with ordinality as counts (a, b, place)
$$;

create aggregate sum_counts(bigint[]) (sfunc = add_counts, stype = bigint[], initcond = '{}');
