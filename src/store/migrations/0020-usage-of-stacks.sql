-- Usage without its keys: sums over all stacks read a fraction of the rows. Triggers keep it, so that it follows every statement
-- that writes usage, also those of other versions.

create table usage_stack_days (
  day date not null,
  account_id text collate "C" not null,
  stack_id text collate "C" not null,
  endpoint text collate "C" not null,
  model text collate "C" not null,
  row_count bigint not null,               -- how many rows of usage_days it sums up
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
  cost_micros double precision not null,
  latency_ms double precision not null,
  max_latency_ms double precision not null,
  primary key (day, account_id, stack_id, endpoint, model)
);

-- In the order of the primary key, so that no two writers wait for each other in a circle.
create function follow_added_usage() returns trigger language plpgsql as $$
begin
  insert into usage_stack_days as sums
  select day, account_id, stack_id, endpoint, model,
    count(*), sum(requests)::bigint, sum(prompt_tokens)::bigint, sum(completion_tokens)::bigint, sum(pages)::bigint,
    sum(images)::bigint, sum(pdf_pages)::bigint, sum(client_errors)::bigint, sum(limit_errors)::bigint,
    sum(server_errors)::bigint, sum(gone)::bigint, sum(cost_micros), sum(latency_ms), max(max_latency_ms)
  from added group by day, account_id, stack_id, endpoint, model order by day, account_id, stack_id, endpoint, model
  on conflict (day, account_id, stack_id, endpoint, model) do update set
    row_count = sums.row_count + excluded.row_count,
    requests = sums.requests + excluded.requests,
    prompt_tokens = sums.prompt_tokens + excluded.prompt_tokens,
    completion_tokens = sums.completion_tokens + excluded.completion_tokens,
    pages = sums.pages + excluded.pages,
    images = sums.images + excluded.images,
    pdf_pages = sums.pdf_pages + excluded.pdf_pages,
    client_errors = sums.client_errors + excluded.client_errors,
    limit_errors = sums.limit_errors + excluded.limit_errors,
    server_errors = sums.server_errors + excluded.server_errors,
    gone = sums.gone + excluded.gone,
    cost_micros = sums.cost_micros + excluded.cost_micros,
    latency_ms = sums.latency_ms + excluded.latency_ms,
    max_latency_ms = greatest(sums.max_latency_ms, excluded.max_latency_ms);
  return null;
end $$;

-- The longest latency stays until the last row is gone.
create function follow_removed_usage() returns trigger language plpgsql as $$
begin
  insert into usage_stack_days as sums
  select day, account_id, stack_id, endpoint, model,
    -count(*), -sum(requests)::bigint, -sum(prompt_tokens)::bigint, -sum(completion_tokens)::bigint,
    -sum(pages)::bigint, -sum(images)::bigint, -sum(pdf_pages)::bigint, -sum(client_errors)::bigint,
    -sum(limit_errors)::bigint, -sum(server_errors)::bigint, -sum(gone)::bigint, -sum(cost_micros), -sum(latency_ms),
    max(max_latency_ms)
  from removed group by day, account_id, stack_id, endpoint, model order by day, account_id, stack_id, endpoint, model
  on conflict (day, account_id, stack_id, endpoint, model) do update set
    row_count = sums.row_count + excluded.row_count,
    requests = sums.requests + excluded.requests,
    prompt_tokens = sums.prompt_tokens + excluded.prompt_tokens,
    completion_tokens = sums.completion_tokens + excluded.completion_tokens,
    pages = sums.pages + excluded.pages,
    images = sums.images + excluded.images,
    pdf_pages = sums.pdf_pages + excluded.pdf_pages,
    client_errors = sums.client_errors + excluded.client_errors,
    limit_errors = sums.limit_errors + excluded.limit_errors,
    server_errors = sums.server_errors + excluded.server_errors,
    gone = sums.gone + excluded.gone,
    cost_micros = sums.cost_micros + excluded.cost_micros,
    latency_ms = sums.latency_ms + excluded.latency_ms,
    max_latency_ms = greatest(sums.max_latency_ms, excluded.max_latency_ms);
  delete from usage_stack_days where row_count = 0 and day in (select day from removed);
  return null;
end $$;

create function follow_emptied_usage() returns trigger language plpgsql as $$
begin
  truncate usage_stack_days;
  return null;
end $$;

-- Of a change, what is added comes first: triggers run in the order of their names.
create trigger usage_added after insert on usage_days
  referencing new table as added for each statement execute function follow_added_usage();
create trigger usage_changed_1 after update on usage_days
  referencing new table as added for each statement execute function follow_added_usage();
create trigger usage_changed_2 after update on usage_days
  referencing old table as removed for each statement execute function follow_removed_usage();
create trigger usage_removed after delete on usage_days
  referencing old table as removed for each statement execute function follow_removed_usage();
create trigger usage_emptied after truncate on usage_days
  for each statement execute function follow_emptied_usage();

insert into usage_stack_days
select day, account_id, stack_id, endpoint, model, count(*), sum(requests)::bigint, sum(prompt_tokens)::bigint,
  sum(completion_tokens)::bigint, sum(pages)::bigint, sum(images)::bigint, sum(pdf_pages)::bigint, sum(client_errors)::bigint,
  sum(limit_errors)::bigint, sum(server_errors)::bigint, sum(gone)::bigint, sum(cost_micros), sum(latency_ms), max(max_latency_ms)
from usage_days
group by day, account_id, stack_id, endpoint, model;

-- For the sums of single keys.
create index usage_days_by_key on usage_days (stack_id, key_id, day);
