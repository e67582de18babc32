import type { ModelProgress } from '../catalogue/model-progress.ts';
import { progressText } from '../catalogue/size-text.ts';
import type { Terminal } from './terminal.ts';

/** Takes away the line that the cursor is in. */
export const CLEAR_LINE = '\r\u001b[K';

const BAR_CELLS = 20;

/** A status line that is overwritten in place; silent unless `err` is a terminal. */
export class ProgressLine implements Disposable {
  readonly #terminal: Terminal;
  #isShown = false;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  show(text: string): void {
    if (!this.#terminal.isWatched) return;
    this.#isShown = true;
    this.#terminal.err(`${CLEAR_LINE}${text}`);
  }

  /** Removes the line, so that others can follow. */
  clear(): void {
    if (!this.#isShown) return;
    this.#isShown = false;
    this.#terminal.err(CLEAR_LINE);
  }

  [Symbol.dispose](): void {
    this.clear();
  }
}

/** The status line of a fetch; fits a terminal of 80 columns, where a longer one would wrap. */
export function fetchLine(name: string, { receivedBytes, totalBytes }: ModelProgress): string {
  const fraction = totalBytes > 0 ? Math.min(1, receivedBytes / totalBytes) : 0;
  const percent = `${Math.floor(fraction * 100)}`.padStart(3);
  return `Fetching ${name}  [${bar(fraction)}] ${percent} %  ${progressText(receivedBytes, totalBytes)}`;
}

function bar(fraction: number): string {
  return '#'.repeat(Math.floor(fraction * BAR_CELLS)).padEnd(BAR_CELLS, '.');
}
