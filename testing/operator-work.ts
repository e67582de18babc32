import type pg from 'pg';
import type { Operator } from '../src/access/operator.ts';
import type { OperatorWork } from '../src/admin/operator-storage.ts';

/** An operator who may do everything. */
export const testOperator: Operator = { name: 'ada', door: 'cli', role: 'operator', address: 'desk' };

/** Work of that operator. */
export function operatorWork(pool: pg.Pool): OperatorWork {
  return { pool, operator: testOperator };
}
