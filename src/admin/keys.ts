import type pg from 'pg';
import { generateSecret, hashSecret } from '../access/key-secret.ts';
import type { KeyLimits } from '../config/config.ts';
import type { KeyName, KeyRecord } from '../store/key-records.ts';
import { changeRecords, type Records, readRecords } from '../store/records.ts';
import { OperatorError } from './operator-error.ts';

export interface NewKey extends KeyName {
  readonly prompt?: string;
  readonly retrieval?: boolean;
  readonly knowledge?: 'read' | 'write';
  readonly expiresAt?: Date;
  readonly requestsPerMinute?: number;
  readonly concurrentRequests?: number;
}

/** A key with its secret, which is shown only once. */
export interface KeyWithSecret {
  readonly key: KeyRecord;
  readonly secret: string;
}

const KEY_ID = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** The keys of one stack, or all. */
export function listKeys(pool: pg.Pool, stackId?: string): Promise<readonly KeyRecord[]> {
  return readRecords(pool).keys.list(stackId);
}

export function createKey(pool: pg.Pool, { stackId, id, ...rest }: NewKey): Promise<KeyWithSecret> {
  if (!KEY_ID.test(id)) {
    throw new OperatorError(
      `a key id is lower-case letters, digits and "-", at most 63 of them; got "${id}"`,
    );
  }
  return changeRecords(pool, async ({ stacks, keys }) => {
    if ((await stacks.find(stackId)) === undefined) {
      throw new OperatorError(`there is no stack "${stackId}"; "stackgate stacks list" shows them`);
    }
    if ((await keys.find({ stackId, id })) !== undefined) {
      throw new OperatorError(
        `stack "${stackId}" has a key "${id}" already; rotate it, or choose another id`,
      );
    }
    const key = await keys.save({
      stackId,
      id,
      prompt: rest.prompt ?? null,
      retrieval: rest.retrieval ?? false,
      knowledge: rest.knowledge ?? null,
      expiresAt: rest.expiresAt ?? null,
      limits: limitsOf(rest),
      declared: false,
    });
    const secret = generateSecret();
    await keys.setSecret(key, hashSecret(secret));
    return { key, secret };
  });
}

/** Gives a key a new secret; the old one stays valid for the overlap. `keepCopy` runs before the change is committed. */
export function rotateKey(
  pool: pg.Pool,
  name: KeyName,
  {
    overlapSeconds,
    keepCopy,
  }: { readonly overlapSeconds: number; readonly keepCopy?: (secret: string) => Promise<void> },
): Promise<KeyWithSecret> {
  return changeRecords(pool, async (records) => {
    const key = await existingKey(records, name);
    if (key.revokedAt !== null)
      throw new OperatorError(`key "${name.id}" of stack "${name.stackId}" is revoked; create a new one`);
    const secret = generateSecret();
    await keepCopy?.(secret);
    await records.keys.setSecret(key, hashSecret(secret), overlapSeconds);
    return { key, secret };
  });
}

/** Revokes a key permanently. */
export function revokeKey(pool: pg.Pool, name: KeyName): Promise<KeyRecord> {
  return changeRecords(pool, async (records) => {
    await existingKey(records, name);
    await records.keys.revoke(name);
    return existingKey(records, name);
  });
}

function limitsOf({ requestsPerMinute, concurrentRequests }: Omit<NewKey, keyof KeyName>): KeyLimits {
  return {
    ...(requestsPerMinute !== undefined && { requestsPerMinute }),
    ...(concurrentRequests !== undefined && { concurrentRequests }),
  };
}

async function existingKey({ keys }: Records, name: KeyName): Promise<KeyRecord> {
  const key = await keys.find(name);
  if (key === undefined) {
    throw new OperatorError(
      `stack "${name.stackId}" has no key "${name.id}"; "stackgate keys list" shows them`,
    );
  }
  return key;
}
