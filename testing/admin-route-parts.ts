import pg from 'pg';
import { Authenticator } from '../src/access/authenticator.ts';
import type { SecretDirectory } from '../src/access/caller-directory.ts';
import { hashSecret, isOperatorSecret } from '../src/access/key-secret.ts';
import type { Operator } from '../src/access/operator.ts';
import type { AdminSources } from '../src/http/admin/admin-sources.ts';
import { TokenDoor } from '../src/http/operator-door.ts';
import { wallClock } from '../src/lib/wall-clock.ts';
import { parseTestConfig } from './parse-test-config.ts';

/** Operators by their tokens. */
export type TestOperators = Readonly<Record<string, Operator>>;

/** The admin API for routes: without a database unless one is given. */
export function adminRouteParts(operators: TestOperators = {}, sources: Partial<AdminSources> = {}) {
  const holders = new Map(
    Object.entries(operators).map(([token, operator]) => [hashSecret(token), operator]),
  );
  const directory: SecretDirectory<Operator> = {
    find: async (hash) => {
      const caller = holders.get(hash);
      return caller && { caller, expiresAt: undefined };
    },
    existing: async (hashes) => new Set(hashes.filter((hash) => holders.has(hash))),
  };
  const authenticator = new Authenticator(directory, wallClock, {
    accepts: isOperatorSecret,
    credentialName: 'operator token',
    afterPause: setImmediate,
  });
  const config = parseTestConfig('');
  return {
    // It connects when it is first used.
    admin: { pool: new pg.Pool(), config: () => config, changed: () => {}, ...sources },
    tokenDoor: new TokenDoor(authenticator),
  };
}
