import type { DestinationStream } from 'pino';
import type { LineOutput } from './line-output.ts';

const COLOURS: Readonly<Record<string, number>> = { debug: 90, info: 36, warn: 33, error: 31, fatal: 31 };

// Unescaped, these could clear the reader's screen or fake a log line.
const CONTROL = /\p{Cc}/u;

/** Formats JSON log lines for people: time, level, message, then the rest as name=value. Each is flushed at once. */
export function prettyDestination(output: Pick<LineOutput, 'write' | 'flush'>): DestinationStream {
  return {
    write: (line) => {
      output.write(prettyLine(line));
      output.flush();
    },
  };
}

/** Formats one JSON log line. */
export function prettyLine(line: string): string {
  const { time, level, message, error, ...rest }: Record<string, unknown> = JSON.parse(line);
  const pairs = Object.entries(rest).map(([name, value]) => `${name}=${plain(value)}`);
  const head = `${String(time).slice(11, 19)} ${colour(String(level))} ${String(message ?? '')}`;
  return `${[head, ...pairs].join(' ')}${errorLines(error)}\n`;
}

function plain(value: unknown): string {
  return typeof value === 'string' && !CONTROL.test(value) ? value : JSON.stringify(value);
}

function colour(level: string): string {
  return `\u001b[${COLOURS[level] ?? 0}m${level.padEnd(5)}\u001b[0m`;
}

function errorLines(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const stack = 'stack' in error && typeof error.stack === 'string' ? error.stack : JSON.stringify(error);
  const cause = 'cause' in error ? errorLines(error.cause) : '';
  return `\n  ${stack.replaceAll('\n', '\n  ')}${cause}`;
}
