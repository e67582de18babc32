-- What requests cost, and how much may be spent in a month. Money is counted in millionths of the currency's unit.

alter table usage_days add column cost_micros double precision not null default 0;

-- {"hard": 100, "soft": 80}, in the currency's unit; null: no budget.
alter table accounts add column budget jsonb;
alter table accounts add column budget_declared boolean not null default false;   -- true: the configuration file owns it
alter table stacks add column budget jsonb;
alter table keys add column budget jsonb;

-- Budgets are ceilings that processes share, as those of tokens: by month, which has the date of its first day. The
-- ceiling of an account has "@" and its id in place of a stack's.
alter table limit_shares drop constraint limit_shares_kind_check;
alter table limit_shares add constraint limit_shares_kind_check
  check (kind in ('tokens', 'requests', 'places', 'money'));

-- What the usage ledger says that was spent in a month.
create function ledger_micros(of_stack text, of_key text, of_month date) returns bigint language sql stable as $$
  select floor(coalesce(sum(cost_micros), 0))::bigint from usage_days
  where day >= of_month and day < of_month + interval '1 month'
    and case when of_stack like '@%' then account_id = substr(of_stack, 2)
      else stack_id = of_stack and (of_key = '' or key_id = of_key) end;
$$;

-- As before, for money too.
create or replace function open_limit(
  of_kind text, of_stack text, of_key text, of_day date, at_time timestamptz)
returns void language plpgsql as $$
declare
  told bigint;
  spent bigint;
begin
  delete from limit_shares where kind = of_kind and stack_id = of_stack
    and (day < of_day - 2 or (settled = 0 and lease_until <= at_time));
  if of_kind not in ('tokens', 'money') then return; end if;
  if exists (select from limit_shares where kind = of_kind and stack_id = of_stack and key_id = of_key and day = of_day
      and holder <> '' and granted > settled and lease_until > at_time) then
    return;
  end if;
  select coalesce(sum(settled), 0) into told from limit_shares
    where kind = of_kind and stack_id = of_stack and key_id = of_key and day = of_day and holder <> '';
  spent := case of_kind when 'tokens' then ledger_tokens(of_stack, of_day)
    else ledger_micros(of_stack, of_key, of_day) end;
  told := greatest(spent - told, 0);
  insert into limit_shares values (of_kind, of_stack, of_key, of_day, '', told, 0, told, 'infinity')
    on conflict (kind, stack_id, key_id, day, holder) do update
      set settled = excluded.settled, granted = excluded.granted;
end $$;

-- Which limits of budgets were reached, and whether the webhook was told. One row for all processes.
create table budget_notices (
  id text primary key,
  scope text not null check (scope in ('account', 'stack', 'key')),
  account_id text not null,           -- '' for a stack or key
  stack_id text not null,             -- '' for an account
  key_id text not null,               -- '' for an account or stack
  month date not null,
  level text not null check (level in ('soft', 'hard')),
  limit_micros bigint not null,
  used_micros bigint not null,        -- when it was noticed
  created_at timestamptz not null default now(),
  attempts integer not null default 0,
  next_try_at timestamptz not null default now(),
  delivered_at timestamptz,
  unique (scope, account_id, stack_id, key_id, month, level, limit_micros)
);

create index budget_notices_waiting on budget_notices (next_try_at) where delivered_at is null;
