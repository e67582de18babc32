import { RoundRobinQueue, type Ticket } from '../supervision/round-robin-queue.ts';
import type { CallerDirectory } from './caller-directory.ts';

/** How many wrong keys are answered at a time, and how long after the last ones: 200 a second. */
export const SUSPECTS_AT_A_TIME = 20;
const PAUSE_MS = 100;
const MAX_WAITING = 10_000;
/** As many as an address may have connections. */
export const MAX_SUSPECTS_PER_ADDRESS = 1_000;

export interface SuspectQueueParts {
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
 * Where those wait whose key is probably wrong. After a pause all new ones are looked up by one query, and those who have a key go on
 * at once; of the others some are answered, in turns among addresses. So they cost the same however many they are, and one who
 * sends wrong keys waits for all of its own.
 */
export class SuspectQueue {
  readonly #directory: Pick<CallerDirectory, 'existing'>;
  readonly #afterPause: (work: () => void) => void;
  readonly #queue: RoundRobinQueue<Suspect>;
  /** Those who were not looked up yet. */
  #fresh: Ticket<Suspect>[] = [];
  #isServing = false;

  constructor({ directory, refusal, afterPause = afterPauseMs }: SuspectQueueParts) {
    this.#directory = directory;
    this.#afterPause = afterPause;
    this.#queue = new RoundRobinQueue({
      maxWaiting: MAX_WAITING,
      maxWaitingPerStack: MAX_SUSPECTS_PER_ADDRESS,
      refusal,
    });
  }

  /** Tells whether there is such a key, good or not: soon where there is, else when its turn comes. A hash that is absent is no key's. */
  isKey(secretHash: string | undefined, address: string, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const leave = () => {
        this.#queue.remove(ticket);
        reject(signal.reason);
      };
      const stay = () => signal.removeEventListener('abort', leave);
      const ticket = this.#queue.add(address, {
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
      if (secretHash !== undefined) this.#fresh.push(ticket);
      this.#serveAfterPause();
    });
  }

  #serveAfterPause(): void {
    if (this.#isServing || this.#queue.length === 0) return;
    this.#isServing = true;
    this.#afterPause(() => {
      void this.#serve().then(() => {
        this.#isServing = false;
        this.#serveAfterPause();
      });
    });
  }

  async #serve(): Promise<void> {
    const fresh = this.#fresh;
    this.#fresh = [];
    const wrong = this.#nextOnes();
    try {
      await this.#tellKeys(fresh);
    } catch (error) {
      for (const ticket of fresh) {
        this.#queue.remove(ticket);
        ticket.item.fail(error);
      }
    }
    // Telling twice does nothing.
    for (const { tell } of wrong) tell(false);
  }

  async #tellKeys(fresh: readonly Ticket<Suspect>[]): Promise<void> {
    const hashes = fresh.flatMap(({ item }) => item.secretHash ?? []);
    if (hashes.length === 0) return;
    const existing = await this.#directory.existing(hashes);
    for (const ticket of fresh) {
      if (!existing.has(ticket.item.secretHash ?? '')) continue;
      this.#queue.remove(ticket);
      ticket.item.tell(true);
    }
  }

  #nextOnes(): readonly Suspect[] {
    const suspects: Suspect[] = [];
    while (suspects.length < SUSPECTS_AT_A_TIME) {
      const ticket = this.#queue.next();
      if (ticket === undefined) break;
      suspects.push(ticket.item);
    }
    return suspects;
  }
}

function afterPauseMs(work: () => void): void {
  setTimeout(work, PAUSE_MS);
}
