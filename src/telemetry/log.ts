import { type DestinationStream, type Logger, pino } from 'pino';
import { prettyDestination } from './pretty-log.ts';

/** What the gateway logs with. Prompts, keys and other texts of tenants never go in. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error' | 'flush' | 'isLevelEnabled'>;

export interface LogOptions {
  readonly level: string;
  readonly format: 'json' | 'pretty';
}

const FLUSH_INTERVAL_MS = 500;
const BUFFER_BYTES = 12 * 1024;
const MAX_CAUSES = 5;

/** Opens the log on standard output. JSON lines are written in batches: one write per request costs more than the rest of logging. */
export function openLog(options: LogOptions): Log {
  if (options.format === 'pretty') return createLog(options.level, prettyDestination(process.stdout));
  const destination = pino.destination({ fd: 1, sync: false, minLength: BUFFER_BYTES });
  const log = createLog(options.level, destination);
  setInterval(() => destination.flush(), FLUSH_INTERVAL_MS).unref();
  process.once('exit', () => {
    try {
      destination.flushSync();
    } catch {
      // Not open yet, or the reader of our output is gone: there is nobody left to tell.
    }
  });
  return log;
}

/** A log that writes to a given stream. */
export function createLog(level: string, destination: DestinationStream): Log {
  return pino(
    {
      level,
      base: null,
      messageKey: 'message',
      timestamp: isoTimes(),
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: (thrown: unknown) => describeError(thrown) },
    },
    destination,
  );
}

/** ISO times, each written once per millisecond: many lines share one, and writing it costs as much as the rest of a line. */
function isoTimes(): () => string {
  let lastMs = 0;
  let last = '';
  return () => {
    const nowMs = Date.now();
    if (nowMs !== lastMs) {
      lastMs = nowMs;
      last = `,"time":"${new Date(nowMs).toISOString()}"`;
    }
    return last;
  };
}

/** Error, causes and all, as data for a log line. */
function describeError(thrown: unknown, causesLeft = MAX_CAUSES): unknown {
  if (!(thrown instanceof Error)) return { message: String(thrown) };
  const code = 'code' in thrown ? thrown.code : undefined;
  return {
    name: thrown.name,
    message: thrown.message,
    ...(code === undefined ? {} : { code }),
    stack: thrown.stack,
    ...(thrown.cause === undefined || causesLeft === 0
      ? {}
      : { cause: describeError(thrown.cause, causesLeft - 1) }),
  };
}
