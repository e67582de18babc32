import { isDeepStrictEqual } from 'node:util';
import type { Credential } from '../families/family.ts';
import { Fault } from '../faults/fault.ts';
import type { WallClock } from '../lib/wall-clock.ts';
import type { Caller } from './caller.ts';
import type { CallerDirectory, KnownCaller } from './caller-directory.ts';
import { hashSecret } from './key-secret.ts';

// A change made by another process is seen when an entry goes stale, so this stays well under 5 seconds.
const FRESH_MS = 3_000;
const MAX_KNOWN = 10_000;
// Kept apart, so that a flood of wrong keys cannot push out good ones.
const MAX_UNKNOWN = 10_000;
const MAX_CREDENTIAL_CHARACTERS = 200;

interface Remembered {
  readonly known: KnownCaller | undefined;
  readonly sinceMs: number;
}

/** Turns a credential into a Caller, remembering answers for seconds. */
export class Authenticator {
  readonly #directory: CallerDirectory;
  readonly #clock: WallClock;
  readonly #known = new Map<string, Remembered>();
  readonly #unknown = new Map<string, Remembered>();
  readonly #lookups = new Map<string, Promise<KnownCaller | undefined>>();
  #generation = 0;

  constructor(directory: CallerDirectory, clock: WallClock) {
    this.#directory = directory;
    this.#clock = clock;
  }

  /** Answers at once when the key was seen a moment ago; throws one and the same fault for every bad credential. */
  authenticate(credential: Credential): Caller | Promise<Caller> {
    return this.authenticateHash(this.hash(credential));
  }

  /** What a credential is known by; throws for those that can be none. */
  hash(credential: Credential): string {
    if (credential === undefined || credential.length > MAX_CREDENTIAL_CHARACTERS) throw refused();
    return hashSecret(credential);
  }

  /** As `authenticate`, for who has hashed the credential before. */
  authenticateHash(hash: string): Caller | Promise<Caller> {
    const remembered = this.#known.get(hash) ?? this.#unknown.get(hash);
    if (remembered !== undefined && this.#isFresh(remembered)) {
      return this.#admit(remembered.known);
    }
    return this.#lookUp(hash).then((known) => this.#admit(known));
  }

  /** Forgets every answer: called when keys or stacks change in this process. */
  forget(): void {
    this.#generation++;
    this.#known.clear();
    this.#unknown.clear();
    this.#lookups.clear();
  }

  // A clock that was set back makes an answer look newer than now; it must not live the longer for it.
  #isFresh({ sinceMs }: Remembered): boolean {
    const ageMs = this.#clock.nowMs() - sinceMs;
    return ageMs >= 0 && ageMs < FRESH_MS;
  }

  #admit(known: KnownCaller | undefined): Caller {
    if (known === undefined || this.#isExpired(known)) throw refused();
    return known.caller;
  }

  #isExpired({ expiresAt }: KnownCaller): boolean {
    return expiresAt !== undefined && expiresAt.getTime() <= this.#clock.nowMs();
  }

  #lookUp(hash: string): Promise<KnownCaller | undefined> {
    const running = this.#lookups.get(hash);
    if (running !== undefined) return running;
    const generation = this.#generation;
    const lookup = this.#directory.find(hash).then((found) => {
      const known = this.#unchanged(hash, found);
      // An answer read before a change must not outlive it.
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

  /** The object of the last answer where nothing has changed: what is kept by caller, and compiled for its shape, stays good. */
  #unchanged(hash: string, found: KnownCaller | undefined): KnownCaller | undefined {
    const last = this.#known.get(hash)?.known;
    return isDeepStrictEqual(last, found) ? last : found;
  }

  #remember(hash: string, known: KnownCaller | undefined): void {
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

function refused(): Fault {
  return new Fault(
    'credential-refused',
    'The API key is missing or not valid. Send it as "Authorization: Bearer <key>".',
  );
}
