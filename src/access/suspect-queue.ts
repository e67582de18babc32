import { RoundRobinQueue, type Ticket } from '../supervision/round-robin-queue.ts';
import type { SecretDirectory } from './caller-directory.ts';

/** Wrong keys answered per pause: 200 a second. */
export const SUSPECTS_AT_A_TIME = 20;
const PAUSE_MS = 100;
const MAX_WAITING = 10_000;
/** The connection limit of an address. */
export const MAX_SUSPECTS_PER_ADDRESS = 1_000;

type ExistingSecrets = Pick<SecretDirectory<unknown>, 'existing'>;

export interface SuspectQueueParts {
  readonly directory: ExistingSecrets;
  /** The error if too many wait. */
  readonly refusal: () => Error;
  /** Runs work after a pause; replaced in tests. */
  readonly afterPause?: ((work: () => void) => void) | undefined;
}

interface Suspect {
  readonly secretHash: string | undefined;
  readonly tell: (isKey: boolean) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Queue for keys that are probably wrong. After a pause, one query checks all new ones: real keys go on at once, and a few of
 * the others are refused, in turns among addresses. So the cost does not depend on their number, and a sender of wrong keys
 * waits behind all of its own.
 */
export class SuspectQueue {
  readonly #directory: ExistingSecrets;
  readonly #afterPause: (work: () => void) => void;
  readonly #queue: RoundRobinQueue<Suspect>;
  /** Not looked up yet. */
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

  /** Whether the key exists, valid or not: soon if it does, otherwise in its turn. An absent hash is no key. */
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
    // Answering twice does nothing.
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
