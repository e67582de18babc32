import { LineOutput } from '../telemetry/line-output.ts';
import type { LogOutput } from '../telemetry/log.ts';
import { openStandardOutput } from '../telemetry/output-descriptor.ts';
import type { Terminal } from './terminal.ts';

/** What a process that serves writes to; neither its log nor its messages wait for whoever reads them. Disposing writes the rest. */
export interface ServerOutput extends AsyncDisposable {
  readonly log: LogOutput & { readonly linesDropped: number };
  readonly terminal: Terminal;
}

/** How long a process that has nothing left to do may take to end by itself. */
const END_MS = 500;

/** Opens standard output and standard error for a process that serves. */
export function openServerOutput(): ServerOutput {
  const out = new LineOutput(openStandardOutput(1));
  const err = new LineOutput(openStandardOutput(2));
  // Also of a process that crashes.
  process.once('exit', () => {
    out.closeNow();
    err.closeNow();
  });
  return {
    log: out,
    terminal: {
      out: shownOn(out),
      err: shownOn(err),
      isWatched: process.stderr.isTTY === true,
      isTerminal: process.stdout.isTTY === true,
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([out.close(), err.close()]);
      // Node itself waits for the reader of a warning or of a last message; it need not take it.
      setTimeout(() => process.exit(), END_MS).unref();
    },
  };
}

/** A person waits for these lines, so they are not gathered. */
function shownOn(output: LineOutput): (text: string) => void {
  return (text) => {
    output.write(text);
    output.flush();
  };
}
