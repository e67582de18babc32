import { z } from 'zod';
import type { BudgetLimits, KeyLimits } from '../config/config.ts';
import { keyScopes } from '../config/key-scopes.ts';
import {
  type Connection,
  execute,
  findRow,
  jsonObject,
  jsonOrNull,
  queryRow,
  queryRows,
  wholeNumber,
} from './query.ts';
import { joined, type Sql, sql } from './sql.ts';

/** A row of `keys`. */
export const keyRow = z.object({
  stackId: z.string(),
  id: z.string(),
  prompt: z.string().nullable(),
  retrieval: z.boolean(),
  knowledge: z.enum(['read', 'write']).nullable(),
  expiresAt: z.date().nullable(),
  revokedAt: z.date().nullable(),
  declared: z.boolean(),
  disabledAt: z.date().nullable(),
  createdAt: z.date(),
  secretSetAt: z.date().nullable(),
  limits: jsonObject<KeyLimits>(),
  scopes: z.array(z.enum(keyScopes)).nullable(),
  allowedModels: z.array(z.string()).nullable(),
  allowedIps: z.array(z.string()).nullable(),
  readOnly: z.boolean(),
  ownImagesOnly: z.boolean(),
  budget: jsonObject<BudgetLimits>().nullable(),
});

const keyName = keyRow.pick({ stackId: true, id: true });
const countRow = z.object({ count: wholeNumber });

/** A key as stored, without its secrets. */
export type KeyRecord = z.infer<typeof keyRow>;

/** The values of a key that are written; the database sets the times. */
export type KeyValues = Omit<KeyRecord, 'createdAt' | 'secretSetAt' | 'revokedAt' | 'disabledAt'>;

/** Names a key: ids are unique within a stack. */
export type KeyName = Readonly<z.infer<typeof keyName>>;

export interface KeyQuery {
  readonly limit: number;
  /** The last key of the page before. */
  readonly after?: KeyName | undefined;
  /** Has to be in the id of the key or of its stack. */
  readonly text?: string | undefined;
  readonly stackId?: string | undefined;
}

/** The keys in the database, and the hashes they are found by. */
export class KeyRecords {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  list(stackId?: string): Promise<KeyRecord[]> {
    const condition = stackId === undefined ? sql`true` : sql`stack_id = ${stackId}`;
    return queryRows(
      this.#connection,
      keyRow,
      sql`select * from keys where ${condition} order by stack_id, id`,
    );
  }

  /** A page in the order of stacks and ids. */
  page({ limit, after, text, stackId }: KeyQuery): Promise<KeyRecord[]> {
    const conditions = [
      sql`true`,
      ...(stackId === undefined ? [] : [sql`stack_id = ${stackId}`]),
      ...(after === undefined ? [] : [sql`(stack_id, id) > (${after.stackId}, ${after.id})`]),
      ...(text === undefined
        ? []
        : [sql`(position(${text} in id) > 0 or position(${text} in stack_id) > 0)`]),
    ];
    return queryRows(
      this.#connection,
      keyRow,
      sql`select * from keys where ${joined(conditions, ' and ')} order by stack_id, id limit ${limit}`,
    );
  }

  /** How many keys a stack has. */
  async count(stackId: string): Promise<number> {
    const counted = sql`select count(*) from keys where stack_id = ${stackId}`;
    return (await queryRow(this.#connection, countRow, counted)).count;
  }

  find(name: KeyName): Promise<KeyRecord | undefined> {
    return findRow(this.#connection, keyRow, sql`select * from keys where ${isKey(name)}`);
  }

  /** Inserts or replaces a key and enables it. A revoked one stays revoked. */
  save(key: KeyValues): Promise<KeyRecord> {
    return queryRow(
      this.#connection,
      keyRow,
      sql`insert into keys (stack_id, id, prompt, retrieval, knowledge, expires_at, declared, limits, scopes, allowed_models,
          allowed_ips, read_only, own_images_only, budget)
        values (${key.stackId}, ${key.id}, ${key.prompt}, ${key.retrieval}, ${key.knowledge}, ${key.expiresAt},
          ${key.declared}, ${JSON.stringify(key.limits)}, ${key.scopes}, ${key.allowedModels}, ${key.allowedIps},
          ${key.readOnly}, ${key.ownImagesOnly}, ${jsonOrNull(key.budget)})
        on conflict (stack_id, id) do update set prompt = excluded.prompt, retrieval = excluded.retrieval,
          knowledge = excluded.knowledge, expires_at = excluded.expires_at, declared = excluded.declared,
          limits = excluded.limits, scopes = excluded.scopes, allowed_models = excluded.allowed_models,
          allowed_ips = excluded.allowed_ips, read_only = excluded.read_only,
          own_images_only = excluded.own_images_only, budget = excluded.budget, disabled_at = null
        returning *`,
    );
  }

  /** Ends a key for good. */
  async revoke(name: KeyName): Promise<void> {
    await execute(
      this.#connection,
      sql`update keys set revoked_at = now() where ${isKey(name)} and revoked_at is null`,
    );
  }

  /** Ends a key until it is saved again. */
  async disable(name: KeyName): Promise<void> {
    await execute(this.#connection, sql`update keys set disabled_at = now() where ${isKey(name)}`);
  }

  /** The key whose secret has this hash. */
  ownerOf(secretHash: string): Promise<KeyName | undefined> {
    return findRow(
      this.#connection,
      keyName,
      sql`select stack_id, key_id as id from key_secrets where secret_hash = ${secretHash}`,
    );
  }

  /** Whether the key has a secret that is still accepted. */
  async hasSecret(name: KeyName): Promise<boolean> {
    const secrets = sql`select from key_secrets
      where ${isSecretOf(name)} and (expires_at is null or expires_at > now()) limit 1`;
    return (await execute(this.#connection, secrets)) > 0;
  }

  /** Gives the key a secret. Its other secrets end after the overlap, and with them the sessions of the console that they opened. */
  async setSecret(name: KeyName, secretHash: string, overlapSeconds = 0): Promise<void> {
    await execute(
      this.#connection,
      sql`update keys set secret_set_at = now() where ${isKey(name)} and not exists (
        select from key_secrets where ${isSecretOf(name)} and secret_hash = ${secretHash} and expires_at is null)`,
    );
    const others = sql`${isSecretOf(name)} and secret_hash <> ${secretHash}`;
    await execute(
      this.#connection,
      overlapSeconds === 0
        ? sql`delete from key_secrets where ${others}`
        : sql`update key_secrets set expires_at = least(expires_at, now() + make_interval(secs => ${overlapSeconds}))
            where ${others}`,
    );
    await execute(
      this.#connection,
      sql`insert into key_secrets (secret_hash, stack_id, key_id) values (${secretHash}, ${name.stackId}, ${name.id})
        on conflict (secret_hash) do update set stack_id = excluded.stack_id, key_id = excluded.key_id,
          expires_at = null`,
    );
  }
}

function isKey({ stackId, id }: KeyName): Sql {
  return sql`stack_id = ${stackId} and id = ${id}`;
}

function isSecretOf({ stackId, id }: KeyName): Sql {
  return sql`stack_id = ${stackId} and key_id = ${id}`;
}
