import { Fault } from '../faults/fault.ts';
import { errorCode } from '../lib/error-code.ts';

const AWAY_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now: starting up
  '57014', // query_canceled by statement_timeout
]);
// 08: connection exception; 53: out of connections, memory or disk; 58: system error such as a failed write.
const AWAY_CLASSES: ReadonlySet<string> = new Set(['08', '53', '58']);
// node-postgres gives these no code.
const AWAY_MESSAGE =
  /connection terminated|timeout exceeded when trying to connect|connection error|not queryable|query read timeout/i;

/** The database could not be reached in time; the message says why. */
export class DatabaseUnreachable extends Error {
  override readonly name = 'DatabaseUnreachable';
}

/** Whether an error means that the database is unavailable, as opposed to a mistake in a query. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof DatabaseUnreachable) return true;
  if (error instanceof Fault) return error.code === 'database-away';
  const code = errorCode(error) ?? '';
  return AWAY_CODES.has(code) || AWAY_CLASSES.has(code.slice(0, 2)) || AWAY_MESSAGE.test(error.message);
}

/** Runs a query for a request: an unreachable database becomes 503, other errors are thrown on. */
export async function orDatabaseAway<Result>(query: Promise<Result>): Promise<Result> {
  try {
    return await query;
  } catch (error) {
    if (!isDatabaseAway(error)) throw error;
    throw new Fault('database-away', 'The gateway cannot reach its database at the moment.', {
      cause: error,
    });
  }
}
