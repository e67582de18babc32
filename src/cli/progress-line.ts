import type { ModelProgress } from '../catalogue/model-progress.ts';
import { progressText } from '../catalogue/size-text.ts';
import type { Terminal } from './terminal.ts';

/** Takes away the line that the cursor is in. */
export const CLEAR_LINE = '\r\u001b[K';

const BAR_CELLS = 20;

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

/** What the line says while a model comes; short enough for a terminal of 80 columns, where it would else break in two. */
export function fetchLine(name: string, { receivedBytes, totalBytes }: ModelProgress): string {
  const share = totalBytes > 0 ? Math.min(1, receivedBytes / totalBytes) : 0;
  const percent = `${Math.floor(share * 100)}`.padStart(3);
  return `Fetching ${name}  [${bar(share)}] ${percent} %  ${progressText(receivedBytes, totalBytes)}`;
}

function bar(share: number): string {
  return '#'.repeat(Math.floor(share * BAR_CELLS)).padEnd(BAR_CELLS, '.');
}
