import type pg from 'pg';
import { generateSecret, hashSecret } from '../access/key-secret.ts';
import type { BudgetLimits, KeyLimits } from '../config/config.ts';
import type { KeyScope } from '../config/key-scopes.ts';
import type { KeyName, KeyRecord, KeyValues } from '../store/key-records.ts';
import { changeRecords, type Records, readRecords } from '../store/records.ts';
import { OperatorError } from './operator-error.ts';

/** Settings of a key; absent: unchanged. `null` restores the default. */
export interface KeySettings {
  readonly prompt?: string | null;
  readonly retrieval?: boolean;
  readonly knowledge?: 'read' | 'write' | null;
  readonly expiresAt?: Date | null;
  readonly requestsPerMinute?: number | null;
  readonly concurrentRequests?: number | null;
  readonly scopes?: readonly KeyScope[] | null;
  readonly models?: readonly string[] | null;
  readonly allowedIps?: readonly string[] | null;
  readonly readOnly?: boolean;
  readonly ownImagesOnly?: boolean;
  readonly budget?: BudgetLimits | null;
}

export interface NewKey extends KeyName, KeySettings {}

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
    const key = await keys.save({ ...blankKey, stackId, id, ...columns(rest, blankKey.limits) });
    const secret = generateSecret();
    await keys.setSecret(key, hashSecret(secret));
    return { key, secret };
  });
}

/** Changes a key that is not declared in the file. */
export function changeKey(pool: pg.Pool, name: KeyName, settings: KeySettings): Promise<KeyRecord> {
  return changeRecords(pool, async (records) => {
    const { createdAt: _c, revokedAt: _r, disabledAt: _d, ...values } = await existingKey(records, name);
    if (values.declared) {
      throw new OperatorError(
        `key "${name.id}" of stack "${name.stackId}" is declared in the configuration file: change it there and send SIGHUP`,
      );
    }
    return await records.keys.save({ ...values, ...columns(settings, values.limits) });
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

const blankKey: Omit<KeyValues, keyof KeyName> = {
  prompt: null,
  retrieval: false,
  knowledge: null,
  expiresAt: null,
  limits: {},
  scopes: null,
  allowedModels: null,
  allowedIps: null,
  readOnly: false,
  ownImagesOnly: false,
  budget: null,
  declared: false,
};

/** The settings as columns; absent ones are omitted, so that they overwrite nothing. */
function columns(settings: KeySettings, existing: KeyLimits) {
  const { requestsPerMinute, concurrentRequests, scopes, models, allowedIps, ...same } = settings;
  return {
    ...same,
    limits: {
      ...existing,
      ...(requestsPerMinute !== undefined && { requestsPerMinute }),
      ...(concurrentRequests !== undefined && { concurrentRequests }),
    },
    ...(scopes !== undefined && { scopes: scopes && [...scopes] }),
    ...(models !== undefined && { allowedModels: models && [...models] }),
    ...(allowedIps !== undefined && { allowedIps: allowedIps && [...allowedIps] }),
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
