import { LineOutput } from '../telemetry/line-output.ts';
import { openStandardOutput } from '../telemetry/output-descriptor.ts';
import { onOneScreen, type ScreenOutput } from './one-screen.ts';
import type { Terminal } from './terminal.ts';

/** Output of a serving process; neither log nor messages block on a slow reader. Disposing flushes. */
export interface ServerOutput extends AsyncDisposable {
  readonly log: ScreenOutput;
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
  const isWatched = process.stderr.isTTY === true;
  const isTerminal = process.stdout.isTTY === true;
  const shown = isWatched && isTerminal ? onOneScreen(out, err) : { out, err };
  return {
    log: shown.out,
    terminal: { out: shownOn(shown.out), err: shownOn(shown.err), isWatched, isTerminal },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([out.close(), err.close()]);
      // Node may block on a reader of its own messages; do not wait for that.
      setTimeout(() => process.exit(), END_MS).unref();
    },
  };
}

/** Read by a person, so flushed at once. */
function shownOn(output: Pick<LineOutput, 'write' | 'flush'>): (text: string) => void {
  return (text) => {
    output.write(text);
    output.flush();
  };
}
