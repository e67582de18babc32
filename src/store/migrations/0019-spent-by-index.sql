create index usage_days_by_account on usage_days (account_id, day);

-- What the usage ledger says that was spent in a month. A statement for each kind of budget, so that each reads by an index no more
-- than the days of its own stack, or of its account.
create or replace function ledger_micros(of_stack text, of_key text, of_month date) returns bigint language plpgsql stable as $$
declare
  next_month date := of_month + interval '1 month';
  spent double precision;
begin
  if of_stack like '@%' then
    select sum(cost_micros) into spent from usage_days
      where account_id = substr(of_stack, 2) and day >= of_month and day < next_month;
  elsif of_key = '' then
    select sum(cost_micros) into spent from usage_days
      where stack_id = of_stack and day >= of_month and day < next_month;
  else
    select sum(cost_micros) into spent from usage_days
      where stack_id = of_stack and day >= of_month and day < next_month and key_id = of_key;
  end if;
  return floor(coalesce(spent, 0))::bigint;
end $$;
