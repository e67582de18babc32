import { type DestinationStream, type Logger, pino } from 'pino';
import { quotedJson } from '../lib/quoted-json.ts';
import { BatchedLines } from './batched-lines.ts';
import { prettyDestination } from './pretty-log.ts';

/** What the gateway logs with. Prompts, keys and other texts of tenants never go in. */
export interface Log extends Pick<Logger, 'debug' | 'info' | 'warn' | 'error' | 'flush'> {
  /** The line of a request that is over. */
  request(ended: LoggedRequest): void;
}

/** What is logged of every request. */
export interface LoggedRequest {
  readonly requestId: string;
  readonly method: string | undefined;
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
  readonly client: string;
  /** The ids of who asked; absent where no key was known. */
  readonly stack?: string | undefined;
  readonly key?: string | undefined;
}

export interface LogOptions {
  readonly level: string;
  readonly format: 'json' | 'pretty';
}

const FLUSH_INTERVAL_MS = 500;
const BATCH_CHARACTERS = 5 * 1024;
/** The most that the stream keeps to itself. A character is three bytes at most. */
const MORE_THAN_A_BATCH_BYTES = 16 * 1024 - 1;
const MAX_CAUSES = 5;

/** Opens the log on standard output. JSON lines are written in batches: one write per request costs more than the rest of logging. */
export function openLog(options: LogOptions): Log {
  if (options.format === 'pretty') return createLog(options.level, prettyDestination(process.stdout));
  const output = pino.destination({ fd: 1, sync: false, minLength: MORE_THAN_A_BATCH_BYTES });
  const destination = new BatchedLines(output, BATCH_CHARACTERS);
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
  const timestamp = isoTimes();
  const log = pino(
    {
      level,
      base: null,
      messageKey: 'message',
      timestamp,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: (thrown: unknown) => describeError(thrown) },
    },
    destination,
  );
  return Object.assign(log, {
    request: (ended: LoggedRequest) => {
      if (log.isLevelEnabled('info')) destination.write(requestLine(timestamp(), ended));
    },
  });
}

/** The line as the logger itself would write it, which takes twice as long: there is one for every request. */
function requestLine(time: string, ended: LoggedRequest): string {
  const { requestId, method, route, status, durationMs, client, stack, key } = ended;
  const methodPart = method === undefined ? '' : `"method":${quotedJson(method)},`;
  const stackPart = stack === undefined ? '' : `"stack":${quotedJson(stack)},`;
  const keyPart = key === undefined ? '' : `"key":${quotedJson(key)},`;
  const duration = Math.round(durationMs * 10) / 10;
  return `{"level":"info"${time},"requestId":"${requestId}",${methodPart}"route":${quotedJson(route)},"status":${status},"durationMs":${duration},"client":${quotedJson(client)},${stackPart}${keyPart}"message":"request"}\n`;
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
