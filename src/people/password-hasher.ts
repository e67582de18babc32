import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { Fault } from '../faults/fault.ts';
import { FairQueue } from '../supervision/fair-queue.ts';

/** The cost of scrypt: N is 2 to the power of `logN`. */
export interface ScryptCost {
  readonly logN: number;
  readonly r: number;
  readonly p: number;
}

/** 32 MiB and about a quarter of a second, as OWASP advises for this much memory. */
export const passwordCost: ScryptCost = { logN: 15, r: 8, p: 3 };

const MAX_MEMORY_BYTES = 128 * 2 ** 20;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
// Each takes a thread of the pool that files and names are read with.
const AT_A_TIME = 1;
const MAX_WAITING = 32;
const MAX_WAITING_PER_ADDRESS = 4;
const STORED = /^scrypt:(\d{1,2}):(\d{1,2}):(\d{1,2}):([\w-]+):([\w-]+)$/;

/** Makes and checks the stored form of passwords, one at a time. */
export class PasswordHasher {
  readonly #cost: ScryptCost;
  readonly #queue = new FairQueue({
    capacity: AT_A_TIME,
    maxWaiting: MAX_WAITING,
    maxWaitingPerStack: MAX_WAITING_PER_ADDRESS,
    refusal: tooManyAtOnce,
  });

  constructor(cost: ScryptCost = passwordCost) {
    this.#cost = cost;
  }

  /** `address` takes turns with others. */
  hash(password: string, address: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    return this.#queue.run(address, undefined, async () => {
      const derived = await derive(password, salt, this.#cost);
      const { logN, r, p } = this.#cost;
      return `scrypt:${logN}:${r}:${p}:${salt.toString('base64url')}:${derived.toString('base64url')}`;
    });
  }

  /** Takes the same time for a person who is not known, or has no password. */
  async matches(password: string, stored: string | undefined, address: string): Promise<boolean> {
    const parts = stored === undefined ? null : STORED.exec(stored);
    if (parts === null) {
      await this.hash(password, address);
      return false;
    }
    const [, logN, r, p, salt = '', expected = ''] = parts;
    const cost = { logN: Number(logN), r: Number(r), p: Number(p) };
    return this.#queue.run(address, undefined, async () => {
      const derived = await derive(password, Buffer.from(salt, 'base64url'), cost);
      return timingSafeEqual(derived, Buffer.from(expected, 'base64url'));
    });
  }
}

function derive(password: string, salt: Buffer, { logN, r, p }: ScryptCost): Promise<Buffer> {
  const N = 2 ** logN;
  // Of a password that can be typed in two ways, both are the same.
  const text = password.normalize('NFKC');
  const options: ScryptOptions = { N, r, p, maxmem: MAX_MEMORY_BYTES };
  return new Promise((resolve, reject) => {
    scrypt(text, salt, HASH_BYTES, options, (error, derived) => (error ? reject(error) : resolve(derived)));
  });
}

function tooManyAtOnce(): Fault {
  return new Fault('too-many-log-ins', 'Too many log-ins are being checked at this moment. Try again.', {
    retryAfterSeconds: 2,
  });
}
