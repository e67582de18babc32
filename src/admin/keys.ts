import type pg from 'pg';
import { generateSecret, hashSecret } from '../access/key-secret.ts';
import type { BudgetLimits, Config, KeyLimits } from '../config/config.ts';
import { DEFAULT_KEY_ID, defaultStack } from '../config/default-stack.ts';
import type { KeyScope } from '../config/key-scopes.ts';
import { PLAYGROUND_KEY } from '../config/playground-key.ts';
import { recordAudit } from '../store/audit-trail.ts';
import type { KeyName, KeyRecord, KeyValues } from '../store/key-records.ts';
import { changeRecords, type Records, readRecords } from '../store/records.ts';
import { auditedKey } from './key-view.ts';
import { OperatorError } from './operator-error.ts';
import type { OperatorWork } from './operator-storage.ts';
import type { Expectation } from './stacks.ts';

export interface NewKey extends KeyName, KeyChanges {}

/** Changes to a key; absent: unchanged. `null` restores the default. */
export interface KeyChanges {
  readonly prompt?: string | null;
  readonly retrieval?: boolean;
  readonly knowledge?: 'read' | 'write' | null;
  readonly expiresAt?: Date | null;
  /** All limits of the key; those that are absent are lifted. */
  readonly limits?: KeyLimits;
  readonly scopes?: readonly KeyScope[] | null;
  readonly models?: readonly string[] | null;
  readonly allowedIps?: readonly string[] | null;
  readonly readOnly?: boolean;
  readonly ownImagesOnly?: boolean;
  readonly budget?: BudgetLimits | null;
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

export function showKey(pool: pg.Pool, name: KeyName): Promise<KeyRecord> {
  return existingKey(readRecords(pool), name);
}

export function createKey(
  { pool, operator }: OperatorWork,
  { stackId, id, ...rest }: NewKey,
): Promise<KeyWithSecret> {
  if (!KEY_ID.test(id)) {
    throw new OperatorError(
      `a key id is lower-case letters, digits and "-", at most 63 of them; got "${id}"`,
    );
  }
  if (id === PLAYGROUND_KEY)
    throw new OperatorError(`"${id}" is the key of the playground: choose another id`);
  return changeRecords(pool, async ({ stacks, keys, connection }) => {
    if ((await stacks.find(stackId)) === undefined) {
      throw new OperatorError(`there is no stack "${stackId}"`, {
        kind: 'missing',
        hint: '"stackgate stacks list" shows them',
      });
    }
    if ((await keys.find({ stackId, id })) !== undefined) {
      const message = `stack "${stackId}" has a key "${id}" already; rotate it, or choose another id`;
      throw new OperatorError(message, { kind: 'conflict' });
    }
    const saved = await keys.save({ ...blankKey, stackId, id, ...columns(rest) });
    const secret = generateSecret();
    await keys.setSecret(saved, hashSecret(secret));
    const key = await existingKey({ keys }, saved);
    const after = auditedKey(key);
    await recordAudit(connection, operator, { action: 'key.create', ...subjectOf(key), after });
    return { key, secret };
  });
}

export interface KeyChange {
  readonly changes: KeyChanges;
  readonly expect?: Expectation<KeyRecord>;
}

/** Changes a key that is not declared in the file. */
export function changeKey(
  { pool, operator }: OperatorWork,
  name: KeyName,
  { changes, expect }: KeyChange,
): Promise<KeyRecord> {
  return changeRecords(pool, async (records) => {
    const key = await existingKey(records, name);
    const reason = notEditableKey(key);
    if (reason !== undefined) throw new OperatorError(reason, { kind: 'conflict' });
    expect?.(key);
    const { createdAt: _c, secretSetAt: _s, revokedAt: _r, disabledAt: _d, ...values } = key;
    const changed = await records.keys.save({ ...values, ...columns(changes) });
    const views = { before: auditedKey(key), after: auditedKey(changed) };
    await recordAudit(records.connection, operator, { action: 'key.change', ...subjectOf(key), ...views });
    return changed;
  });
}

export interface KeyRotation {
  readonly overlapSeconds: number;
  /** Runs before the change is committed. */
  readonly keepCopy?: ((secret: string) => Promise<void>) | undefined;
  readonly expect?: Expectation<KeyRecord>;
}

/** Gives a key a new secret; the old one stays valid for the overlap. */
export function rotateKey(
  { pool, operator }: OperatorWork,
  name: KeyName,
  { overlapSeconds, keepCopy, expect }: KeyRotation,
): Promise<KeyWithSecret> {
  return changeRecords(pool, async (records) => {
    const key = await existingKey(records, name);
    if (key.revokedAt !== null) {
      const message = `key "${name.id}" of stack "${name.stackId}" is revoked; create a new one`;
      throw new OperatorError(message, { kind: 'conflict' });
    }
    expect?.(key);
    if (name.id === PLAYGROUND_KEY) {
      const message = `"${name.id}" is the key of the playground, which has no secret`;
      throw new OperatorError(message, { kind: 'conflict' });
    }
    const secret = generateSecret();
    await keepCopy?.(secret);
    await records.keys.setSecret(key, hashSecret(secret), overlapSeconds);
    const rotated = await existingKey(records, name);
    const after = { overlap_seconds: overlapSeconds };
    await recordAudit(records.connection, operator, { action: 'key.rotate', ...subjectOf(key), after });
    return { key: rotated, secret };
  });
}

/** Revokes a key permanently. */
export function revokeKey(
  { pool, operator }: OperatorWork,
  name: KeyName,
  expect?: Expectation<KeyRecord>,
): Promise<KeyRecord> {
  return changeRecords(pool, async (records) => {
    const key = await existingKey(records, name);
    expect?.(key);
    if (key.revokedAt !== null) return key;
    await records.keys.revoke(name);
    const revoked = await existingKey(records, name);
    const views = { before: auditedKey(key), after: auditedKey(revoked) };
    await recordAudit(records.connection, operator, { action: 'key.revoke', ...subjectOf(key), ...views });
    return revoked;
  });
}

/** A key with nothing set. */
export const blankKey: Omit<KeyValues, keyof KeyName> = {
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

/** The changes as columns; absent ones are omitted, so that they overwrite nothing. */
function columns({ scopes, models, allowedIps, ...same }: KeyChanges) {
  return {
    ...same,
    ...(scopes !== undefined && { scopes: scopes && [...scopes] }),
    ...(models !== undefined && { allowedModels: models && [...models] }),
    ...(allowedIps !== undefined && { allowedIps: allowedIps && [...allowedIps] }),
  };
}

/** The reason why a key cannot be changed here; `undefined` if it can. It can be revoked in any case. */
export function notEditableKey({ stackId, id, declared }: KeyRecord): string | undefined {
  if (!declared) return undefined;
  const key = `key "${id}" of stack "${stackId}"`;
  // Without a file there is none to change: the gateway made this key with the built-in stack.
  return stackId === defaultStack.id && id === DEFAULT_KEY_ID
    ? `${key} comes with the built-in stack, or with the configuration file that declares it: make another key, or change it in that file and send SIGHUP`
    : `${key} is declared in the configuration file: change it there and send SIGHUP`;
}

/** A secret from the file would come back at the next start. */
export function refuseDeclaredSecret(config: Pick<Config, 'stacks'>, { stackId, id }: KeyName): void {
  const declared = config.stacks.find((stack) => stack.id === stackId)?.keys.find((key) => key.id === id);
  if (declared?.secret === undefined) return;
  throw new OperatorError(
    `the configuration file gives the secret of key "${id}": change it there and send SIGHUP`,
    { kind: 'conflict' },
  );
}

function subjectOf({ stackId, id }: KeyName) {
  return { target: `${stackId}/${id}`, stackId };
}

async function existingKey({ keys }: Pick<Records, 'keys'>, name: KeyName): Promise<KeyRecord> {
  const key = await keys.find(name);
  if (key !== undefined) return key;
  throw new OperatorError(`stack "${name.stackId}" has no key "${name.id}"`, {
    kind: 'missing',
    hint: '"stackgate keys list" shows them',
  });
}
