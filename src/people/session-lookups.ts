import { Fault } from '../faults/fault.ts';
import { addressGroup } from '../lib/address-group.ts';
import { FairQueue } from '../supervision/fair-queue.ts';
import type { Session, Sessions } from './sessions.ts';
import { hashToken } from './token.ts';

const AT_A_TIME = 4;
const MAX_WAITING = 500;
/** Lookups that may wait of one session, or from one address. */
export const MAX_WAITING_LOOKUPS = 32;
const MAX_KNOWN = 1_000;

/**
 * Looks sessions up, a few at a time. Sessions that were found before take turns with each other and with addresses, so that a
 * flood of made-up cookies delays only those at the same address who are not logged in.
 */
export class SessionLookups {
  readonly #sessions: Pick<Sessions, 'find'>;
  readonly #queue = new FairQueue({
    capacity: AT_A_TIME,
    maxWaiting: MAX_WAITING,
    maxWaitingPerStack: MAX_WAITING_LOOKUPS,
    refusal: tooManyAtOnce,
  });
  /** Hashes of the tokens that were found, the one used last at the end. */
  readonly #known = new Set<string>();

  constructor(sessions: Pick<Sessions, 'find'>) {
    this.#sessions = sessions;
  }

  /** `undefined` if the token is unknown, or its session is over. */
  async find(token: string, address: string): Promise<Session | undefined> {
    const tokenHash = hashToken(token);
    if (tokenHash === undefined) return undefined;
    const turn = this.#known.has(tokenHash) ? tokenHash : addressGroup(address);
    const session = await this.#queue.run(turn, undefined, () => this.#sessions.find(token));
    this.#known.delete(tokenHash);
    if (session !== undefined) this.#remember(tokenHash);
    return session;
  }

  /** Asks something else for a visitor, in the turn of the address. */
  ask<Result>(address: string, question: () => Promise<Result>): Promise<Result> {
    return this.#queue.run(addressGroup(address), undefined, question);
  }

  #remember(tokenHash: string): void {
    const oldest = this.#known.values().next();
    if (this.#known.size >= MAX_KNOWN && !oldest.done) this.#known.delete(oldest.value);
    this.#known.add(tokenHash);
  }
}

function tooManyAtOnce(): Fault {
  return new Fault('too-many-log-ins', 'Too many sessions are being looked up at this moment. Try again.', {
    retryAfterSeconds: 2,
  });
}
