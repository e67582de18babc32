import { TooManyWaiting } from '../../../supervision/child-lost.ts';

/** A place taken; giving it back twice does nothing. */
export interface Place {
  giveBack(): void;
}

interface Waiting {
  readonly call: () => void;
}

/** A number of places and a bounded line before them: first come, first served. */
export class Places {
  readonly #maxWaiting: number;
  readonly #line = new Set<Waiting>();
  #free: number;

  constructor({ places, maxWaiting }: { readonly places: number; readonly maxWaiting: number }) {
    this.#free = places;
    this.#maxWaiting = maxWaiting;
  }

  get waiting(): number {
    return this.#line.size;
  }

  /** Waits for a place; throws at once where the line is full. The signal's abort leaves the line. */
  take(signal: AbortSignal): Promise<Place> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      return Promise.resolve(this.#place());
    }
    if (this.#line.size >= this.#maxWaiting) {
      throw new TooManyWaiting(`${this.#maxWaiting} requests are waiting already`);
    }
    return this.#wait(signal);
  }

  #wait(signal: AbortSignal): Promise<Place> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        call: () => {
          signal.removeEventListener('abort', leave);
          this.#line.delete(waiting);
          resolve(this.#place());
        },
      };
      const leave = () => {
        this.#line.delete(waiting);
        reject(signal.reason);
      };
      this.#line.add(waiting);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  #place(): Place {
    let isTaken = true;
    return {
      giveBack: () => {
        if (!isTaken) return;
        isTaken = false;
        this.#next();
      },
    };
  }

  #next(): void {
    const [first] = this.#line;
    if (first === undefined) this.#free += 1;
    else first.call();
  }
}
