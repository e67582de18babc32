import { Writable } from 'node:stream';
import { createLog, type Log } from '../src/telemetry/log.ts';

/** A log whose lines a test reads. */
export class LogLines {
  readonly #lines: string[] = [];
  readonly log: Log;

  constructor(level = 'info') {
    const write = (chunk: unknown, _encoding: unknown, done: () => void) => {
      this.#lines.push(String(chunk));
      done();
    };
    this.log = createLog(level, new Writable({ write }));
  }

  /** Everything that was logged so far. */
  get text(): string {
    return this.#lines.join('');
  }
}
