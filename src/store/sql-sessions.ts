import type pg from 'pg';
import { z } from 'zod';
import { Fault } from '../faults/fault.ts';
import type { LogInNote } from '../people/log-in-note.ts';
import {
  type FoundSession,
  MAX_SESSIONS_PER_KEY,
  type PastedSecret,
  type SessionOpening,
  type SessionOwner,
  type SessionStore,
  type StoredSession,
} from '../people/session-store.ts';
import { orDatabaseAway } from './database-errors.ts';
import { keyRow } from './key-records.ts';
import { recordLogIn } from './log-in-audit.ts';
import { type Connection, execute, findRow } from './query.ts';
import { prepared, sql } from './sql.ts';
import { inTransaction } from './transaction.ts';

const sessionRow = z.object({
  tokenHash: z.string(),
  person: z.string().nullable(),
  keyId: z.string().nullable(),
  role: z.enum(['operator', 'read-only', 'member']),
  stackId: z.string().nullable(),
  secretHash: z.string().nullable(),
  openedAt: z.date(),
  seenAt: z.date(),
  ...keyRow.pick({ knowledge: true, allowedIps: true }).shape,
});

/** Sessions of the console, in the database. */
export class SqlSessions implements SessionStore {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async open(opening: SessionOpening): Promise<void> {
    await orDatabaseAway(inTransaction(this.#pool, (client) => open(client, opening)));
  }

  async find(tokenHash: string): Promise<FoundSession | undefined> {
    const query = prepared(
      'find_console_session',
      sql`select token_hash, person, console_sessions.key_id, console_sessions.secret_hash,
          coalesce(people.role, 'member') as role, coalesce(people.stack_id, console_sessions.stack_id) as stack_id,
          opened_at, seen_at, knowledge, allowed_ips
        from console_sessions
        left join people on people.name = person
        left join key_secrets on key_secrets.secret_hash = console_sessions.secret_hash
          and key_secrets.stack_id = console_sessions.stack_id and key_secrets.key_id = console_sessions.key_id
          and (key_secrets.expires_at is null or key_secrets.expires_at > now())
        left join keys on keys.stack_id = key_secrets.stack_id and keys.id = key_secrets.key_id
        left join stacks on stacks.id = keys.stack_id
        where token_hash = ${tokenHash} and (person is not null or (stacks.id is not null and stacks.disabled_at is null
          and keys.revoked_at is null and keys.disabled_at is null
          and (keys.expires_at is null or keys.expires_at > now())
          and keys.scopes is null and not keys.own_images_only))`,
    );
    const row = await orDatabaseAway(findRow(this.#pool, sessionRow, query));
    if (row === undefined) return undefined;
    const { openedAt, seenAt, role } = row;
    const stackId = row.stackId ?? undefined;
    const found = { tokenHash, owner: ownerOf(row), openedAt, seenAt, standing: { role, stackId } };
    if (row.person !== null) return found;
    const rights = { knowledge: row.knowledge ?? undefined, allowedIps: row.allowedIps ?? undefined };
    return { ...found, rights };
  }

  async see(tokenHash: string, at: Date): Promise<void> {
    const query = sql`update console_sessions set seen_at = ${at} where token_hash = ${tokenHash}`;
    await orDatabaseAway(execute(this.#pool, query));
  }

  async end(tokenHash: string, note?: LogInNote): Promise<void> {
    await orDatabaseAway(
      inTransaction(this.#pool, async (client) => {
        await execute(client, sql`delete from console_sessions where token_hash = ${tokenHash}`);
        if (note !== undefined) await recordLogIn(client, note);
      }),
    );
  }
}

async function open(
  client: Connection,
  { session, former, bounds, outside, note }: SessionOpening,
): Promise<void> {
  const { owner, openedAt } = session;
  await execute(
    client,
    sql`delete from console_sessions where token_hash = ${former ?? null}
      or opened_at <= ${bounds.openedAfter} or seen_at <= ${bounds.seenAfter}`,
  );
  if ('key' in owner) await endOldest(client, owner.key);
  else if (outside !== undefined)
    await execute(
      client,
      sql`insert into people (name, role, stack_id, created_at)
        values (${owner.person}, ${outside.role}, ${outside.stackId ?? null}, ${openedAt})
        on conflict (name) do update set role = excluded.role, stack_id = excluded.stack_id`,
    );
  await addSession(client, session);
  if (note === undefined) return;
  if ('person' in owner)
    await execute(client, sql`update people set last_log_in_at = ${openedAt} where name = ${owner.person}`);
  await recordLogIn(client, note);
}

/** Leaves room for one more session of the key. */
async function endOldest(client: Connection, { stackId, keyId }: PastedSecret): Promise<void> {
  await execute(
    client,
    sql`delete from console_sessions where token_hash in (
      select token_hash from console_sessions where stack_id = ${stackId} and key_id = ${keyId}
      order by opened_at desc offset ${MAX_SESSIONS_PER_KEY - 1})`,
  );
}

async function addSession(
  client: Connection,
  { tokenHash, owner, openedAt, seenAt }: StoredSession,
): Promise<void> {
  const { person, stackId, keyId, secretHash } = columnsOf(owner);
  const added = await execute(
    client,
    sql`insert into console_sessions (token_hash, person, stack_id, key_id, secret_hash, opened_at, seen_at)
      select ${tokenHash}::text, ${person}::text, ${stackId}::text, ${keyId}::text, ${secretHash}::text,
        ${openedAt}::timestamptz, ${seenAt}::timestamptz
      where ${secretHash}::text is null or exists (select from key_secrets where secret_hash = ${secretHash})`,
  );
  if (added === 0) throw new Fault('session-required', 'This key is not valid any more.');
}

function columnsOf(owner: SessionOwner) {
  return 'person' in owner
    ? { person: owner.person, stackId: null, keyId: null, secretHash: null }
    : { person: null, ...owner.key };
}

function ownerOf({ person, stackId, keyId, secretHash }: z.infer<typeof sessionRow>): SessionOwner {
  if (person !== null) return { person };
  return { key: { stackId: stackId ?? '', keyId: keyId ?? '', secretHash: secretHash ?? '' } };
}
