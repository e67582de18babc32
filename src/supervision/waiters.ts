/** Promises waiting for the same event; each can be aborted by its signal. */
export class Waiters {
  readonly #waiting = new Set<{ resolve: () => void; reject: (error: unknown) => void }>();

  get size(): number {
    return this.#waiting.size;
  }

  wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        signal.removeEventListener('abort', abort);
        this.#waiting.delete(waiter);
      };
      const waiter = {
        resolve() {
          leave();
          resolve();
        },
        reject(error: unknown) {
          leave();
          reject(error);
        },
      };
      const abort = () => waiter.reject(signal.reason);
      signal.addEventListener('abort', abort);
      this.#waiting.add(waiter);
    });
  }

  resolveAll(): void {
    for (const waiter of [...this.#waiting]) waiter.resolve();
  }

  rejectAll(error: unknown): void {
    for (const waiter of [...this.#waiting]) waiter.reject(error);
  }
}
