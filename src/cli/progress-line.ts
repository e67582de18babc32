import type { ModelProgress } from '../catalogue/model-progress.ts';
import { progressText } from '../catalogue/size-text.ts';
import type { Terminal } from './terminal.ts';

const CLEAR_LINE = '\r\u001b[K';

/** One line that is written over and over where a person watches; nothing anywhere else. */
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

  /** Takes the line away, so that other lines can follow. */
  clear(): void {
    if (!this.#isShown) return;
    this.#isShown = false;
    this.#terminal.err(CLEAR_LINE);
  }

  [Symbol.dispose](): void {
    this.clear();
  }
}

/** What the line says while a model comes. */
export function fetchLine(name: string, { source, receivedBytes, totalBytes }: ModelProgress): string {
  return `Fetching ${name} from ${source}: ${progressText(receivedBytes, totalBytes)}`;
}
