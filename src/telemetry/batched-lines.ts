import type { DestinationStream } from 'pino';

/** Where batches go. It writes nothing until it is told to: what it had begun by itself could be lost when the process ends. */
export interface BatchDestination extends DestinationStream {
  flush(callback?: (error?: Error) => void): void;
  flushSync(): void;
}

/**
 * Gathers lines and passes them on together. The stream below could gather too, but joins what it has with every line, and
 * measures all of it each time: more work than writing the line.
 */
export class BatchedLines implements BatchDestination {
  readonly #destination: BatchDestination;
  readonly #batchCharacters: number;
  #lines: string[] = [];
  #characters = 0;

  constructor(destination: BatchDestination, batchCharacters: number) {
    this.#destination = destination;
    this.#batchCharacters = batchCharacters;
  }

  write(line: string): void {
    this.#lines.push(line);
    this.#characters += line.length;
    if (this.#characters >= this.#batchCharacters) this.flush();
  }

  flush(callback?: (error?: Error) => void): void {
    this.#pass();
    this.#destination.flush(callback);
  }

  flushSync(): void {
    this.#pass();
    this.#destination.flushSync();
  }

  #pass(): void {
    if (this.#lines.length === 0) return;
    const batch = this.#lines.join('');
    this.#lines = [];
    this.#characters = 0;
    this.#destination.write(batch);
  }
}
