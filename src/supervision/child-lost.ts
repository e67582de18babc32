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

/** How a child ended, and the last lines it wrote; these may hold anything, so they stay out of the message. */
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

/** The bare facts of an end, as the operating system or the thread gives them. */
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

/** The child is gone and the request with it; one that was not `started` can safely be sent again. */
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

/** The child lives, but its handler threw. */
export class ChildFailure extends Error {
  override readonly name = 'ChildFailure';
  readonly thrownName: string;
  readonly code: string | undefined;
  /** The stack inside the child. */
  readonly childStack: string | undefined;

  constructor(report: FailureReport) {
    super(report.message);
    this.thrownName = report.name;
    this.code = report.code;
    this.childStack = report.stack;
  }
}

/** The bound on waiting requests is reached. */
export class TooManyWaiting extends Error {
  override readonly name = 'TooManyWaiting';
}
