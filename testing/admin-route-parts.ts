import pg from 'pg';
import { Authenticator } from '../src/access/authenticator.ts';
import type { SecretDirectory } from '../src/access/caller-directory.ts';
import { hashSecret, isOperatorSecret } from '../src/access/key-secret.ts';
import type { Operator } from '../src/access/operator.ts';
import type { AdminSources } from '../src/http/admin/admin-sources.ts';
import { DrainGate } from '../src/http/drain-gate.ts';
import { TokenDoor } from '../src/http/operator-door.ts';
import { RequestRing } from '../src/http/request-ring.ts';
import { defaultStreamTimes, StreamWatch } from '../src/http/stream-watch.ts';
import { wallClock } from '../src/lib/wall-clock.ts';
import { imageService } from './images/image-service.ts';
import { memoryLimits } from './limits/memory-limits.ts';
import { MemoryBlobStore } from './memory-blob-store.ts';
import { parseTestConfig } from './parse-test-config.ts';
import { storageRoom } from './storage-room.ts';

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
    admin: {
      pool: new pg.Pool(),
      blobs: new MemoryBlobStore(),
      config: () => config,
      changed: () => {},
      ring: new RequestRing(),
      watch: new StreamWatch(defaultStreamTimes),
      drainGate: new DrainGate(),
      replica: { name: 'test:1', version: '0.0.0', startedAt: new Date('2026-01-02T03:04:05Z') },
      engines: () => [],
      queues: () => [],
      pictures: {
        preview: async () => {
          throw new Error('there is no picture process');
        },
      },
      limits: { callerLimits: memoryLimits().callerLimits, images: imageService([]), storage: storageRoom() },
      stackCaller: async () => undefined,
      ...sources,
    } satisfies AdminSources,
    tokenDoor: new TokenDoor(authenticator),
  };
}
