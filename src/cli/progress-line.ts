import type { ModelProgress } from '../catalogue/model-progress.ts';
import { progressText } from '../catalogue/size-text.ts';
import type { Terminal } from './terminal.ts';

const CLEAR_LINE = '\r\u001b[K';

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

/** The status line of a fetch. */
export function fetchLine(name: string, { source, receivedBytes, totalBytes }: ModelProgress): string {
  return `Fetching ${name} from ${source}: ${progressText(receivedBytes, totalBytes)}`;
}
