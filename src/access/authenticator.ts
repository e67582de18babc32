import { isDeepStrictEqual } from 'node:util';
import type { Credential } from '../families/family.ts';
import { Fault } from '../faults/fault.ts';
import { addressGroup } from '../lib/address-group.ts';
import type { WallClock } from '../lib/wall-clock.ts';
import { FairQueue } from '../supervision/fair-queue.ts';
import type { Abortable } from './admission.ts';
import type { Caller } from './caller.ts';
import type { KnownHolder, SecretDirectory } from './caller-directory.ts';
import { hashSecret, isKeySecret } from './key-secret.ts';
import { SuspectQueue } from './suspect-queue.ts';
import { type ManyWrongKeys, WrongKeys } from './wrong-keys.ts';

// An older answer is refreshed in the background and used meanwhile, so that known callers never wait for the database.
const FRESH_MS = 3_000;
// Changes by other processes take effect when a cached answer expires, so this stays below 5 seconds.
const GOOD_MS = 4_500;
const MAX_KNOWN = 10_000;
// Separate, so that a flood of wrong keys cannot evict good ones.
const MAX_UNKNOWN = 10_000;
const MAX_CREDENTIAL_CHARACTERS = 200;
// Unknown keys are looked up a few at a time, in turns among addresses: known callers find the database free, and a flood from
// one address delays only that address.
const NEWCOMERS_AT_A_TIME = 2;
const MAX_WAITING_NEWCOMERS = 2_000;
// With this many waiting from its address, or after too many wrong keys from it, a new key is a suspect.
const MANY_WAITING_PER_ADDRESS = 100;

export interface AuthenticatorOptions {
  /** Whether a text may be a credential of this kind; by default an API key. */
  readonly accepts?: (credential: string) => boolean;
  /** The credential by its name in refusals; by default `API key`. */
  readonly credentialName?: string;
  /** Called with the number of wrong keys of an address that sent too many, when its minute is over. */
  readonly onManyWrong?: (many: ManyWrongKeys) => void;
  /** Runs work after a pause; replaced in tests. */
  readonly afterPause?: (work: () => void) => void;
}

interface Remembered<Holder> {
  readonly known: KnownHolder<Holder> | undefined;
  readonly sinceMs: number;
}

/** Turns a credential into its holder, a Caller or an operator, with a cache of a few seconds. */
export class Authenticator<Holder = Caller> {
  readonly #directory: SecretDirectory<Holder>;
  readonly #clock: WallClock;
  readonly #accepts: (credential: string) => boolean;
  readonly #known = new Map<string, Remembered<Holder>>();
  readonly #unknown = new Map<string, Remembered<Holder>>();
  readonly #lookups = new Map<string, Promise<KnownHolder<Holder> | undefined>>();
  readonly #wrongKeys: WrongKeys;
  readonly #newcomers = new FairQueue({
    capacity: NEWCOMERS_AT_A_TIME,
    maxWaiting: MAX_WAITING_NEWCOMERS,
    refusal: tooManyNewKeys,
  });
  readonly #suspects: SuspectQueue;
  /** Hashes of the callers known when the cache was last cleared. */
  #formerlyKnown: ReadonlySet<string> = new Set();
  #generation = 0;

  constructor(directory: SecretDirectory<Holder>, clock: WallClock, options: AuthenticatorOptions = {}) {
    const { onManyWrong, afterPause, accepts = isKeySecret, credentialName } = options;
    this.#accepts = accepts;
    this.#directory = directory;
    this.#clock = clock;
    this.#wrongKeys = new WrongKeys(clock, onManyWrong, credentialName);
    this.#suspects = new SuspectQueue({ directory, afterPause, refusal: tooManyNewKeys });
  }

  /**
   * Synchronous for cached keys. Throws the same fault for every bad credential, until an address has sent too many. `hash` is
   * the result of `hash()`; the request's signal ends a wait.
   */
  authenticate(hash: string | undefined, address: string, request: Abortable): Holder | Promise<Holder> {
    const known = hash === undefined ? undefined : this.#known.get(hash);
    if (known === undefined && this.#isSuspect(hash, address)) {
      return this.#authenticateSuspect(hash, address, request.signal);
    }
    const found = hash === undefined ? undefined : this.#find(hash, address, known);
    if (found instanceof Promise) return found.then((caller) => caller ?? this.#refuse(address));
    return found ?? this.#refuse(address);
  }

  /** The cache key of a credential; `undefined` if it cannot be a key. */
  hash(credential: Credential): string | undefined {
    if (credential === undefined || credential.length > MAX_CREDENTIAL_CHARACTERS) return undefined;
    return this.#accepts(credential) ? hashSecret(credential) : undefined;
  }

  /** Clears the cache: called when keys or stacks change in this process. */
  forget(): void {
    this.#generation++;
    this.#formerlyKnown = new Set([...this.#known.keys(), ...this.#formerlyKnown].slice(0, MAX_KNOWN));
    this.#known.clear();
    this.#unknown.clear();
    this.#lookups.clear();
  }

  /** Whether an unknown key is probably wrong: it was never known, and its address has too many wrong or new ones. */
  #isSuspect(hash: string | undefined, address: string): boolean {
    if (hash !== undefined && this.#formerlyKnown.has(hash)) return false;
    const group = addressGroup(address);
    return this.#wrongKeys.areTooMany(group) || this.#newcomers.waitingOf(group) >= MANY_WAITING_PER_ADDRESS;
  }

  /** Even an immediate answer is delayed: meanwhile the client sends no other key on that connection. */
  async #authenticateSuspect(
    hash: string | undefined,
    address: string,
    signal: AbortSignal,
  ): Promise<Holder> {
    const isKey = await this.#suspects.isKey(hash, addressGroup(address), signal);
    const caller = hash !== undefined && isKey ? await this.#find(hash, address, undefined) : undefined;
    return caller ?? this.#refuse(address);
  }

  /** The caller with this key hash; `undefined` for unknown keys, which are not counted as wrong here. */
  #find(
    hash: string,
    address: string,
    lastKnown: Remembered<Holder> | undefined,
  ): Holder | undefined | Promise<Holder | undefined> {
    const remembered = lastKnown ?? this.#unknown.get(hash);
    const known = remembered?.known;
    // After the clock was set back, an entry may seem to be from the future; it must not live longer for that.
    const ageMs = remembered === undefined ? -1 : this.#clock.nowMs() - remembered.sinceMs;
    if (ageMs >= 0 && ageMs < FRESH_MS) return this.#good(known);
    const found = this.#lookUp(hash, known === undefined ? address : undefined);
    if (known === undefined || ageMs < 0 || ageMs >= GOOD_MS) return found.then((now) => this.#good(now));
    // If the refresh fails, the first request after expiry reports it.
    found.catch(() => undefined);
    return this.#good(known);
  }

  #refuse(address: string): never {
    throw this.#wrongKeys.refusal(address);
  }

  #good(known: KnownHolder<Holder> | undefined): Holder | undefined {
    return known === undefined || this.#isExpired(known) ? undefined : known.caller;
  }

  #isExpired({ expiresAt }: KnownHolder<Holder>): boolean {
    return expiresAt !== undefined && expiresAt.getTime() <= this.#clock.nowMs();
  }

  /** Looks a key up once for all concurrent requests; an unknown key queues by the client's address. */
  #lookUp(hash: string, newcomer: string | undefined): Promise<KnownHolder<Holder> | undefined> {
    const running = this.#lookups.get(hash);
    if (running !== undefined) return running;
    const generation = this.#generation;
    const find = () => this.#directory.find(hash);
    const finding =
      newcomer === undefined ? find() : this.#newcomers.run(addressGroup(newcomer), undefined, find);
    const lookup = finding.then((found) => {
      const known = this.#unchanged(hash, found);
      // An answer read before a change must not be cached after it.
      if (generation === this.#generation) this.#remember(hash, known);
      return known;
    });
    this.#lookups.set(hash, lookup);
    const done = () => {
      if (this.#lookups.get(hash) === lookup) this.#lookups.delete(hash);
    };
    lookup.then(done, done);
    return lookup;
  }

  /** Reuses the previous object if nothing changed: caches keyed by caller stay valid, and its hidden class stays the same. */
  #unchanged(hash: string, found: KnownHolder<Holder> | undefined): KnownHolder<Holder> | undefined {
    const last = this.#known.get(hash)?.known;
    return isDeepStrictEqual(last, found) ? last : found;
  }

  #remember(hash: string, known: KnownHolder<Holder> | undefined): void {
    this.#known.delete(hash);
    this.#unknown.delete(hash);
    const [map, bound] = known === undefined ? [this.#unknown, MAX_UNKNOWN] : [this.#known, MAX_KNOWN];
    if (map.size >= bound) {
      const oldest = map.keys().next();
      if (!oldest.done) map.delete(oldest.value);
    }
    map.set(hash, { known, sinceMs: this.#clock.nowMs() });
  }
}

function tooManyNewKeys(): Fault {
  return new Fault('too-many-new-keys', 'Too many keys that were not seen for a while are being looked up.');
}
