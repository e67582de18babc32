import { FairLine } from '../supervision/fair-line.ts';
import type { CallerDirectory } from './caller-directory.ts';

/** How many are served at a time, and how long after the last ones: 200 a second, at one query for all of a time. */
export const SUSPECTS_AT_A_TIME = 20;
const PAUSE_MS = 100;
const MAX_WAITING = 10_000;
/** As many as an address may have connections. */
export const MAX_SUSPECTS_PER_ADDRESS = 1_000;

export interface SuspectLineParts {
  readonly directory: Pick<CallerDirectory, 'existing'>;
  /** What is thrown where too many wait. */
  readonly refusal: () => Error;
  /** Has work done after a pause. */
  readonly afterPause?: ((work: () => void) => void) | undefined;
}

interface Suspect {
  readonly secretHash: string | undefined;
  readonly tell: (isKey: boolean) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Where those wait whose key is probably wrong. Some of them have their turn, in turns among addresses, then there is a pause: so
 * they cost the same however many they are, and one who sends wrong keys waits for all of its own.
 */
export class SuspectLine {
  readonly #directory: Pick<CallerDirectory, 'existing'>;
  readonly #afterPause: (work: () => void) => void;
  readonly #line: FairLine<Suspect>;
  #isServing = false;

  constructor({ directory, refusal, afterPause = afterPauseMs }: SuspectLineParts) {
    this.#directory = directory;
    this.#afterPause = afterPause;
    this.#line = new FairLine({
      maxWaiting: MAX_WAITING,
      maxWaitingPerStack: MAX_SUSPECTS_PER_ADDRESS,
      refusal,
    });
  }

  /** Waits for its turn, then tells whether there is such a key, good or not; a hash that is absent is no key's. */
  isKey(secretHash: string | undefined, address: string, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const leave = () => {
        this.#line.remove(ticket);
        reject(signal.reason);
      };
      const stay = () => signal.removeEventListener('abort', leave);
      const ticket = this.#line.add(address, {
        secretHash,
        tell: (isKey) => {
          stay();
          resolve(isKey);
        },
        fail: (error) => {
          stay();
          reject(error);
        },
      });
      signal.addEventListener('abort', leave, { once: true });
      this.#serveAfterPause();
    });
  }

  #serveAfterPause(): void {
    if (this.#isServing || this.#line.length === 0) return;
    this.#isServing = true;
    this.#afterPause(() => {
      void this.#serve().then(() => {
        this.#isServing = false;
        this.#serveAfterPause();
      });
    });
  }

  async #serve(): Promise<void> {
    const suspects = this.#nextOnes();
    const hashes = suspects.flatMap(({ secretHash }) => (secretHash === undefined ? [] : [secretHash]));
    try {
      const existing = hashes.length === 0 ? undefined : await this.#directory.existing(hashes);
      for (const { secretHash, tell } of suspects) {
        tell(secretHash !== undefined && existing?.has(secretHash) === true);
      }
    } catch (error) {
      for (const { fail } of suspects) fail(error);
    }
  }

  #nextOnes(): readonly Suspect[] {
    const suspects: Suspect[] = [];
    while (suspects.length < SUSPECTS_AT_A_TIME) {
      const ticket = this.#line.next();
      if (ticket === undefined) break;
      suspects.push(ticket.item);
    }
    return suspects;
  }
}

function afterPauseMs(work: () => void): void {
  setTimeout(work, PAUSE_MS);
}
