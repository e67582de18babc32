import { and, asc, eq, gt, isNull, ne, or, type SQL, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { keySecrets, keys } from './schema.ts';

/** A key as stored, without its secrets. */
export type KeyRecord = typeof keys.$inferSelect;

/** What is written of a key; times are the database's. */
export type KeyValues = Omit<KeyRecord, 'createdAt' | 'revokedAt' | 'disabledAt'>;

/** Names a key: ids are unique within a stack. */
export interface KeyName {
  readonly stackId: string;
  readonly id: string;
}

/** The keys in the database, and the hashes they are found by. */
export class KeyRecords {
  readonly #database: NodePgDatabase;

  constructor(database: NodePgDatabase) {
    this.#database = database;
  }

  list(stackId?: string): Promise<KeyRecord[]> {
    const all = this.#database.select().from(keys).orderBy(asc(keys.stackId), asc(keys.id));
    return stackId === undefined ? all : all.where(eq(keys.stackId, stackId));
  }

  async find(name: KeyName): Promise<KeyRecord | undefined> {
    const [key] = await this.#database.select().from(keys).where(isKey(name));
    return key;
  }

  /** Inserts or replaces a key and enables it. A revoked one stays revoked. */
  async save(values: KeyValues): Promise<KeyRecord> {
    const { stackId: _stackId, id: _id, ...changed } = values;
    const [key] = await this.#database
      .insert(keys)
      .values(values)
      .onConflictDoUpdate({ target: [keys.stackId, keys.id], set: { ...changed, disabledAt: null } })
      .returning();
    if (key === undefined) throw new Error('saving a key returned no row');
    return key;
  }

  /** Ends a key for good. */
  async revoke(name: KeyName): Promise<void> {
    await this.#database
      .update(keys)
      .set({ revokedAt: sql`now()` })
      .where(and(isKey(name), isNull(keys.revokedAt)));
  }

  /** Ends a key until it is saved again. */
  async disable(name: KeyName): Promise<void> {
    await this.#database.update(keys).set({ disabledAt: sql`now()` }).where(isKey(name));
  }

  /** Whose secret has this hash. */
  async ownerOf(secretHash: string): Promise<KeyName | undefined> {
    const [owner] = await this.#database
      .select({ stackId: keySecrets.stackId, id: keySecrets.keyId })
      .from(keySecrets)
      .where(eq(keySecrets.secretHash, secretHash));
    return owner;
  }

  /** Whether the key has a secret that still opens. */
  async hasSecret(name: KeyName): Promise<boolean> {
    const good = or(isNull(keySecrets.expiresAt), gt(keySecrets.expiresAt, sql`now()`));
    const [secret] = await this.#database
      .select({ secretHash: keySecrets.secretHash })
      .from(keySecrets)
      .where(and(isSecretOf(name), good))
      .limit(1);
    return secret !== undefined;
  }

  /** Gives the key a secret; it then has no other one, or the others end after the overlap. */
  async setSecret(name: KeyName, secretHash: string, overlapSeconds = 0): Promise<void> {
    const others = and(isSecretOf(name), ne(keySecrets.secretHash, secretHash));
    if (overlapSeconds === 0) await this.#database.delete(keySecrets).where(others);
    else await this.#expire(others, overlapSeconds);
    const owner = { stackId: name.stackId, keyId: name.id };
    await this.#database
      .insert(keySecrets)
      .values({ secretHash, ...owner })
      .onConflictDoUpdate({ target: keySecrets.secretHash, set: { ...owner, expiresAt: null } });
  }

  async #expire(secrets: SQL | undefined, afterSeconds: number): Promise<void> {
    const end = sql`least(${keySecrets.expiresAt}, now() + make_interval(secs => ${afterSeconds}))`;
    await this.#database.update(keySecrets).set({ expiresAt: end }).where(secrets);
  }
}

function isKey(name: KeyName): SQL | undefined {
  return and(eq(keys.stackId, name.stackId), eq(keys.id, name.id));
}

function isSecretOf(name: KeyName): SQL | undefined {
  return and(eq(keySecrets.stackId, name.stackId), eq(keySecrets.keyId, name.id));
}
