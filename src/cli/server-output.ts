import { LineOutput } from '../telemetry/line-output.ts';
import { openStandardOutput } from '../telemetry/output-descriptor.ts';
import { onOneScreen, type ScreenOutput } from './one-screen.ts';
import type { Terminal } from './terminal.ts';

/** What a process that serves writes to; neither its log nor its messages wait for whoever reads them. Disposing writes the rest. */
export interface ServerOutput extends AsyncDisposable {
  readonly log: ScreenOutput;
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
  const isWatched = process.stderr.isTTY === true;
  const isTerminal = process.stdout.isTTY === true;
  const shown = isWatched && isTerminal ? onOneScreen(out, err) : { out, err };
  return {
    log: shown.out,
    terminal: { out: shownOn(shown.out), err: shownOn(shown.err), isWatched, isTerminal },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([out.close(), err.close()]);
      // Node itself waits for the reader of a warning or of a last message; it need not take it.
      setTimeout(() => process.exit(), END_MS).unref();
    },
  };
}

/** A person waits for these lines, so they are not gathered. */
function shownOn(output: Pick<LineOutput, 'write' | 'flush'>): (text: string) => void {
  return (text) => {
    output.write(text);
    output.flush();
  };
}
