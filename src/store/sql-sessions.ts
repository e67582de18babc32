import type pg from 'pg';
import { z } from 'zod';
import type {
  FoundSession,
  SessionBounds,
  SessionOwner,
  SessionStore,
  StoredSession,
} from '../people/session-store.ts';
import { orDatabaseAway } from './database-errors.ts';
import { execute, findRow } from './query.ts';
import { prepared, sql } from './sql.ts';

const sessionRow = z.object({
  tokenHash: z.string(),
  person: z.string().nullable(),
  keyId: z.string().nullable(),
  role: z.enum(['operator', 'read-only', 'member']),
  stackId: z.string().nullable(),
  openedAt: z.date(),
  seenAt: z.date(),
});

/** Sessions of the console, in the database. */
export class SqlSessions implements SessionStore {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async open({ tokenHash, owner, openedAt, seenAt }: StoredSession): Promise<void> {
    const { person, stackId, keyId } = columnsOf(owner);
    await orDatabaseAway(
      execute(
        this.#pool,
        sql`insert into console_sessions (token_hash, person, stack_id, key_id, opened_at, seen_at)
          values (${tokenHash}, ${person}, ${stackId}, ${keyId}, ${openedAt}, ${seenAt})`,
      ),
    );
  }

  async find(tokenHash: string): Promise<FoundSession | undefined> {
    const query = prepared(
      'find_console_session',
      sql`select token_hash, person, key_id, coalesce(people.role, 'member') as role,
          coalesce(people.stack_id, console_sessions.stack_id) as stack_id, opened_at, seen_at
        from console_sessions
        left join people on people.name = person
        left join keys on keys.stack_id = console_sessions.stack_id and keys.id = key_id
        left join stacks on stacks.id = console_sessions.stack_id
        where token_hash = ${tokenHash} and (person is not null or (keys.revoked_at is null and keys.disabled_at is null
          and stacks.disabled_at is null and (keys.expires_at is null or keys.expires_at > now())
          and not exists (select from key_secrets where key_secrets.stack_id = console_sessions.stack_id
            and key_secrets.key_id = console_sessions.key_id and key_secrets.expires_at <= now()
            and key_secrets.expires_at > opened_at)))`,
    );
    const row = await orDatabaseAway(findRow(this.#pool, sessionRow, query));
    if (row === undefined) return undefined;
    const { openedAt, seenAt, role } = row;
    const stackId = row.stackId ?? undefined;
    return { tokenHash, owner: ownerOf(row), openedAt, seenAt, standing: { role, stackId } };
  }

  async see(tokenHash: string, at: Date): Promise<void> {
    const query = sql`update console_sessions set seen_at = ${at} where token_hash = ${tokenHash}`;
    await orDatabaseAway(execute(this.#pool, query));
  }

  async end(tokenHash: string): Promise<void> {
    const query = sql`delete from console_sessions where token_hash = ${tokenHash}`;
    await orDatabaseAway(execute(this.#pool, query));
  }

  async removeOver({ openedAfter, seenAfter }: SessionBounds): Promise<void> {
    const query = sql`delete from console_sessions where opened_at <= ${openedAfter} or seen_at <= ${seenAfter}`;
    await orDatabaseAway(execute(this.#pool, query));
  }
}

function columnsOf(owner: SessionOwner) {
  return 'person' in owner
    ? { person: owner.person, stackId: null, keyId: null }
    : { person: null, ...owner.key };
}

function ownerOf({ person, stackId, keyId }: z.infer<typeof sessionRow>): SessionOwner {
  return person === null ? { key: { stackId: stackId ?? '', keyId: keyId ?? '' } } : { person };
}
