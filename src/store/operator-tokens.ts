import type pg from 'pg';
import { z } from 'zod';
import type { KnownHolder, SecretDirectory } from '../access/caller-directory.ts';
import type { Operator } from '../access/operator.ts';
import { orDatabaseAway } from './database-errors.ts';
import { type Connection, execute, findRow, queryRow, queryRows } from './query.ts';
import { prepared, sql } from './sql.ts';

/** A row of `operator_tokens`, without its hash. */
export const operatorTokenRow = z.object({
  name: z.string(),
  readOnly: z.boolean(),
  stackId: z.string().nullable(),
  createdAt: z.date(),
  revokedAt: z.date().nullable(),
  lastUsedAt: z.date().nullable(),
});

const secretRow = z.object({ secretHash: z.string() });

/** An operator token as stored. */
export type OperatorToken = Readonly<z.infer<typeof operatorTokenRow>>;

const TOKEN = sql`name, read_only, stack_id, created_at, revoked_at, last_used_at`;

/** The operator tokens in the database. */
export class OperatorTokens {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  list(): Promise<readonly OperatorToken[]> {
    return queryRows(
      this.#connection,
      operatorTokenRow,
      sql`select ${TOKEN} from operator_tokens order by name`,
    );
  }

  find(name: string): Promise<OperatorToken | undefined> {
    return findRow(
      this.#connection,
      operatorTokenRow,
      sql`select ${TOKEN} from operator_tokens where name = ${name}`,
    );
  }

  insert(
    { name, readOnly, stackId }: Pick<OperatorToken, 'name' | 'readOnly' | 'stackId'>,
    secretHash: string,
  ): Promise<OperatorToken> {
    return queryRow(
      this.#connection,
      operatorTokenRow,
      sql`insert into operator_tokens (name, secret_hash, read_only, stack_id)
        values (${name}, ${secretHash}, ${readOnly}, ${stackId}) returning ${TOKEN}`,
    );
  }

  /** Ends a token for good. */
  async revoke(name: string): Promise<void> {
    await execute(
      this.#connection,
      sql`update operator_tokens set revoked_at = now() where name = ${name} and revoked_at is null`,
    );
  }
}

/** Looks operators up by the hash of their tokens. */
export class SqlOperatorDirectory implements SecretDirectory<Operator> {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async find(secretHash: string): Promise<KnownHolder<Operator> | undefined> {
    const query = prepared(
      'find_operator',
      sql`select ${TOKEN} from operator_tokens where secret_hash = ${secretHash} and revoked_at is null`,
    );
    const token = await orDatabaseAway(findRow(this.#pool, operatorTokenRow, query));
    if (token === undefined) return undefined;
    await orDatabaseAway(this.#noteUse(token.name));
    return { caller: operatorOf(token), expiresAt: undefined };
  }

  async existing(secretHashes: readonly string[]): Promise<ReadonlySet<string>> {
    const query = sql`select secret_hash from operator_tokens where secret_hash = any(${secretHashes}::text[])`;
    const rows = await orDatabaseAway(queryRows(this.#pool, secretRow, query));
    return new Set(rows.map(({ secretHash }) => secretHash));
  }

  /** At most one write per minute and token. */
  #noteUse(name: string): Promise<number> {
    return execute(
      this.#pool,
      sql`update operator_tokens set last_used_at = now()
        where name = ${name} and (last_used_at is null or last_used_at < now() - interval '1 minute')`,
    );
  }
}

function operatorOf({ name, readOnly, stackId }: OperatorToken): Operator {
  return {
    name,
    door: 'token',
    role: readOnly ? 'read-only' : 'operator',
    ...(stackId !== null && { stackId }),
  };
}
