-- Ceilings that keys have of their own, and how processes share ceilings.

alter table keys add column limits jsonb not null default '{}';

-- What each process holds of a ceiling. A process asks for a part, gives it out without asking again, and tells
-- what became of it. Where its lease ran out, it is gone, and what it did not settle is free again.
create table limit_shares (
  kind text not null check (kind in ('tokens', 'requests', 'places')),
  stack_id text not null,
  key_id text not null,               -- '': all keys of the stack together
  day date not null,                  -- of a token budget; '-infinity' for all else
  holder text not null,               -- a process; '': what the usage ledger has beyond what processes told
  settled bigint not null,            -- used up for good, as the holder counts it: told twice, it adds nothing
  reserved bigint not null,           -- in use
  granted bigint not null,            -- what settled, reserved and still to be given out may come to together
  lease_until timestamptz not null,
  primary key (kind, stack_id, key_id, day, holder)
);

-- Every change of a ceiling's shares happens under its lock. The commit is not waited for on disk: what a crash of
-- the database takes away is told again.
create function lock_limit(of_kind text, of_stack text) returns timestamptz language plpgsql as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  perform pg_advisory_xact_lock(7205763, hashtext(of_kind || ' ' || of_stack));
  return clock_timestamp();
end $$;

-- Grants a process what it needs, and of what it wants an eighth of what is free: near the ceiling the parts shrink.
-- What it holds already it may keep, also beyond that.
create function exchange_limit_share(
  of_kind text, of_stack text, of_key text, of_day date, by_holder text, ceiling bigint,
  now_settled bigint, now_reserved bigint, want bigint, need bigint, lease_ms bigint,
  out may_reach bigint, out others_hold bigint)
language plpgsql as $$
declare
  at_time timestamptz := lock_limit(of_kind, of_stack);
  held bigint := 0;
  told bigint := 0;
  used bigint;
  free bigint;
begin
  select settled, case when lease_until > at_time then granted else 0 end into told, held from limit_shares
    where kind = of_kind and stack_id = of_stack and key_id = of_key and day = of_day and holder = by_holder;
  if not found then
    perform open_limit(of_kind, of_stack, of_key, of_day, at_time);
    told := 0;
    held := 0;
  end if;
  select coalesce(sum(case when lease_until > at_time then granted else settled end), 0) into others_hold
    from limit_shares
    where kind = of_kind and stack_id = of_stack and key_id = of_key and day = of_day and holder <> by_holder;
  -- An ask that was overtaken by a later one takes nothing back.
  now_settled := greatest(now_settled, told);
  used := now_settled + now_reserved;
  free := greatest(ceiling - others_hold - used, 0);
  may_reach := used + least(greatest(want, need), greatest(held - used, least(need, free), (free + 7) / 8));
  if may_reach = 0 then
    delete from limit_shares
      where kind = of_kind and stack_id = of_stack and key_id = of_key and day = of_day and holder = by_holder;
    return;
  end if;
  insert into limit_shares
    values (of_kind, of_stack, of_key, of_day, by_holder, now_settled, now_reserved, may_reach,
      at_time + make_interval(secs => lease_ms / 1000.0))
    on conflict (kind, stack_id, key_id, day, holder) do update
      set settled = excluded.settled, reserved = excluded.reserved, granted = excluded.granted,
        lease_until = excluded.lease_until;
end $$;

-- Done by a process that comes to a ceiling: removes what is of no use any more, and sets the tokens of the day from
-- the usage ledger. Not while another process holds some: what it used may be in the one and not yet in the other.
create function open_limit(of_kind text, of_stack text, of_key text, of_day date, at_time timestamptz)
returns void language plpgsql as $$
declare
  told bigint;
begin
  delete from limit_shares where kind = of_kind and stack_id = of_stack
    and (day < of_day - 2 or (settled = 0 and lease_until <= at_time));
  if of_kind <> 'tokens' then return; end if;
  if exists (select from limit_shares where kind = of_kind and stack_id = of_stack and day = of_day
      and holder <> '' and granted > settled and lease_until > at_time) then
    return;
  end if;
  select coalesce(sum(settled), 0) into told from limit_shares
    where kind = of_kind and stack_id = of_stack and day = of_day and holder <> '';
  told := greatest(ledger_tokens(of_stack, of_day) - told, 0);
  insert into limit_shares values (of_kind, of_stack, of_key, of_day, '', told, 0, told, 'infinity')
    on conflict (kind, stack_id, key_id, day, holder) do update
      set settled = excluded.settled, granted = excluded.granted;
end $$;

-- What the usage ledger says that a stack used on a day.
create function ledger_tokens(of_stack text, of_day date) returns bigint language sql stable as $$
  select coalesce(sum(prompt_tokens + completion_tokens), 0)::bigint from usage_days
  where stack_id = of_stack and day = of_day;
$$;
