import { LineOutput } from '../telemetry/line-output.ts';
import type { LogOutput } from '../telemetry/log.ts';
import { openStandardOutput } from '../telemetry/output-descriptor.ts';
import type { Terminal } from './terminal.ts';

/** Output of a serving process; neither log nor messages block on a slow reader. Disposing flushes. */
export interface ServerOutput extends AsyncDisposable {
  readonly log: LogOutput & { readonly linesDropped: number };
  readonly terminal: Terminal;
}

/** How long the process may take to exit by itself. */
const END_MS = 500;

/** Opens stdout and stderr for a serving process. */
export function openServerOutput(): ServerOutput {
  const out = new LineOutput(openStandardOutput(1));
  const err = new LineOutput(openStandardOutput(2));
  // Also runs on a crash.
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
      // Node may block on a reader of its own messages; do not wait for that.
      setTimeout(() => process.exit(), END_MS).unref();
    },
  };
}

/** Read by a person, so flushed at once. */
function shownOn(output: LineOutput): (text: string) => void {
  return (text) => {
    output.write(text);
    output.flush();
  };
}
