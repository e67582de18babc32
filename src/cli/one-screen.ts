import type { LineOutput } from '../telemetry/line-output.ts';
import { CLEAR_LINE } from './progress-line.ts';

/** Receives the lines that a server prints. */
export type ScreenOutput = Pick<LineOutput, 'write' | 'flush' | 'onDropped' | 'linesDropped'>;

/** Two outputs that lie on one screen: a line of progress on `err` is taken away before lines of `out`, and drawn again by its next step. */
export function onOneScreen(out: ScreenOutput, err: ScreenOutput): Record<'out' | 'err', ScreenOutput> {
  let isLineOpen = false;
  const written = (output: ScreenOutput, write: (text: string) => void): ScreenOutput => ({
    write,
    flush: () => output.flush(),
    onDropped: (tell) => output.onDropped(tell),
    get linesDropped() {
      return output.linesDropped;
    },
  });
  return {
    out: written(out, (text) => {
      out.write(isLineOpen ? `${CLEAR_LINE}${text}` : text);
      isLineOpen = false;
    }),
    err: written(err, (text) => {
      err.write(text);
      isLineOpen = !text.endsWith('\n') && !text.endsWith(CLEAR_LINE);
    }),
  };
}
