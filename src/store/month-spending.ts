import { sql } from './sql.ts';

/**
 * Queries for a `with`: `spent` has every budget and what the usage ledger says that was spent of it in the month that begins on
 * `first_day`. The month is read once for all of them.
 */
export const monthSpending = sql`this_month as (select date_trunc('month', now() at time zone 'utc')::date as first_day),
  budgets as (
    select 'account' as scope, id as account, '' as stack, '' as key, budget from accounts where budget is not null
    union all select 'stack', '', id, '', budget from stacks where budget is not null
    union all select 'key', '', stack_id, id, budget from keys where budget is not null),
  sums as materialized (
    select case when grouping(account_id) = 0 then 'account' when grouping(key_id) = 0 then 'key' else 'stack' end as of_scope,
      coalesce(account_id, '') as of_account, coalesce(stack_id, '') as of_stack, coalesce(key_id, '') as of_key,
      floor(sum(cost_micros))::bigint as micros
    from usage_days cross join this_month
    where day >= first_day and day < first_day + interval '1 month' and exists (select from budgets)
    group by grouping sets ((account_id), (stack_id), (stack_id, key_id))),
  spent as (
    select scope, account, stack, key, budget, first_day, coalesce(micros, 0) as used
    from this_month cross join budgets left join sums
      on of_scope = scope and of_account = account and of_stack = stack and of_key = key)`;
