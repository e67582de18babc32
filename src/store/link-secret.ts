import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { z } from 'zod';
import { orDatabaseAway } from './database-errors.ts';
import { execute, queryRow } from './query.ts';
import { sql } from './sql.ts';

const SECRET_BYTES = 32;
const secretRow = z.object({ secret: z.instanceof(Uint8Array) });

/** The secret that signs links, made once for all replicas. */
export class LinkSecret {
  readonly #pool: pg.Pool;
  #known: Promise<Uint8Array> | undefined;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Asks the database once. */
  read(): Promise<Uint8Array> {
    this.#known ??= orDatabaseAway(this.#findOrMake()).catch((error: unknown) => {
      this.#known = undefined;
      throw error;
    });
    return this.#known;
  }

  async #findOrMake(): Promise<Uint8Array> {
    await execute(
      this.#pool,
      sql`insert into link_secrets (secret) values (${randomBytes(SECRET_BYTES)}) on conflict do nothing`,
    );
    const { secret } = await queryRow(this.#pool, secretRow, sql`select secret from link_secrets`);
    return secret;
  }
}
