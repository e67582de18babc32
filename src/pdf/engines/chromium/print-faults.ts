import { Fault } from '../../../faults/fault.ts';
import type { PrintJob } from '../../pdf-engine.ts';
import type { PrintOutcome } from '../../pdf-observer.ts';
import {
  BrowserGone,
  BrowserUnavailable,
  PageCrashed,
  PrintTimedOut,
  TooManyPages,
} from './browser-errors.ts';

/** The fault for a document that was not printed. */
export function printFault(error: unknown, { job, timeoutMs }: { job: PrintJob; timeoutMs: number }): Fault {
  if (error instanceof Fault) return error;
  if (error instanceof TooManyPages) {
    return new Fault(
      'pdf-too-long',
      `The PDF would have more than ${job.maxPages} pages, which is the limit. Shorten the HTML or split it.`,
      { cause: error },
    );
  }
  if (error instanceof PrintTimedOut) {
    return unrenderable(`it was not printed within ${timeoutMs / 1000} s. Simplify it`, error);
  }
  if (error instanceof PageCrashed || error instanceof BrowserGone) {
    return unrenderable('the renderer crashed or ran out of memory on it. Simplify it', error);
  }
  if (error instanceof BrowserUnavailable || isSystemError(error)) {
    const details = error instanceof BrowserUnavailable ? error.retryAfterSeconds : undefined;
    return new Fault(
      'model-not-ready',
      'The PDF renderer cannot be started now; the log of the gateway tells why.',
      {
        cause: error,
        ...(details === undefined ? {} : { retryAfterSeconds: details }),
      },
    );
  }
  return unrenderable('the renderer refused it', error);
}

/** The same for the metrics. */
export function printOutcome(error: unknown, signal: AbortSignal): PrintOutcome {
  if (signal.aborted) return 'left';
  if (error instanceof TooManyPages) return 'too-many-pages';
  if (error instanceof PrintTimedOut) return 'timeout';
  if (error instanceof PageCrashed || error instanceof BrowserGone) return 'crashed';
  if (error instanceof BrowserUnavailable || isSystemError(error)) return 'unavailable';
  return 'refused';
}

function unrenderable(why: string, cause: unknown): Fault {
  return new Fault('html-unrenderable', `The HTML could not be rendered: ${why}.`, { cause });
}

/** A full disk, a missing folder, too many processes: not the document's fault. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
