import { hostname, userInfo } from 'node:os';
import type pg from 'pg';
import type { Operator } from '../access/operator.ts';
import type { OperatorWork } from '../admin/operator-storage.ts';

/** Work of the person who runs this command, for the audit. */
export function commandWork(pool: pg.Pool): OperatorWork {
  return { pool, operator: commandOperator() };
}

/** The person who runs this command: the user of the machine. */
export function commandOperator(): Operator {
  return { name: userName(), door: 'cli', role: 'operator', address: hostname() };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container the user often has a number and no name.
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
