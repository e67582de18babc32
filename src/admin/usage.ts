import type pg from 'pg';
import { SqlUsage } from '../store/sql-usage.ts';
import { type DayRange, dayRange } from '../usage/usage-days.ts';
import type { UsageQuery } from '../usage/usage-ledger.ts';
import type { UsageGroup } from '../usage/usage-row.ts';
import { OperatorError } from './operator-error.ts';

/** More groups are a mistake, or a job for the database itself. */
const MAXIMUM_GROUPS = 1_000_000;

export type UsageSelection = Omit<UsageQuery, keyof DayRange | 'limit'> & Partial<DayRange>;

/** Usage of all or the given stacks. */
export async function readUsage(pool: pg.Pool, asked: UsageSelection): Promise<readonly UsageGroup[]> {
  const range = dayRange(asked, Date.now());
  if (range.since > range.until)
    throw new OperatorError(`--since ${range.since} is after --until ${range.until}`);
  const groups = await new SqlUsage(pool).read({ ...asked, ...range, limit: MAXIMUM_GROUPS + 1 });
  if (groups.length > MAXIMUM_GROUPS)
    throw new OperatorError(`this is more than ${MAXIMUM_GROUPS} groups; ask for fewer days`);
  return groups;
}
