import type { FailureReport } from './messages.ts';

/**
 * Why a child is gone.
 * - `crashed`: it ended by itself, whatever its exit code.
 * - `start-timeout`: it never said that it was ready.
 * - `misbehaved`: it broke the protocol, and was killed.
 * - `deadline`, `cancel-ignored`: it was killed for the sake of one request.
 * - `stopped`: it was asked to end.
 */
export type LossReason =
  | 'crashed'
  | 'start-timeout'
  | 'misbehaved'
  | 'deadline'
  | 'cancel-ignored'
  | 'stopped';

/** How a child ended, and its last output lines; they may contain anything, so they are not in the message. */
export class ChildExit extends Error {
  override readonly name = 'ChildExit';
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly lastLines: readonly string[];

  constructor(end: ChildEnd, lastLines: readonly string[]) {
    super(describeEnd(end), { cause: end.error });
    this.exitCode = end.exitCode;
    this.signal = end.signal;
    this.lastLines = lastLines;
  }
}

/** Exit facts from the operating system or thread. */
export interface ChildEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly error?: unknown;
}

function describeEnd({ exitCode, signal, error }: ChildEnd): string {
  if (signal !== null) return `ended by ${signal}`;
  if (exitCode !== null) return `exited with code ${exitCode}`;
  return error === undefined ? 'ended' : 'could not be run';
}

/** The child died with the request; if it was not `started`, it can safely be sent again. */
export class ChildLost extends Error {
  override readonly name = 'ChildLost';
  readonly reason: LossReason;
  readonly started: boolean;

  constructor(details: { child: string; reason: LossReason; started: boolean; cause?: unknown }) {
    super(`the child "${details.child}" was lost: ${details.reason}`, { cause: details.cause });
    this.reason = details.reason;
    this.started = details.started;
  }
}

/** The handler in the child threw; the child lives. */
export class ChildFailure extends Error {
  override readonly name = 'ChildFailure';
  readonly thrownName: string;
  readonly code: string | undefined;
  /** The stack trace in the child. */
  readonly childStack: string | undefined;

  constructor(report: FailureReport) {
    super(report.message);
    this.thrownName = report.name;
    this.code = report.code;
    this.childStack = report.stack;
  }
}

/** Too many requests are waiting. */
export class TooManyWaiting extends Error {
  override readonly name = 'TooManyWaiting';
}
