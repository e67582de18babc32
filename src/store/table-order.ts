import { z } from 'zod';
import { type Connection, queryRows } from './query.ts';
import { sql } from './sql.ts';

const tableRow = z.object({ name: z.string() });
const referenceRow = z.object({ from: z.string(), to: z.string() });

// They hold the state of this database at this moment, which is of no use in another one.
const NOT_CARRIED = [
  'schema_migrations',
  'set_aside_migrations',
  'image_submissions',
  'image_places',
  'image_sweeps',
  'file_sweeps',
  'limit_shares',
  'usage_writers',
  // Made of the rows of usage_days as these are restored.
  'usage_stack_days',
  'backup_schedule',
  'knowledge_folders',
  // A retry reaches the database that ran the request.
  'idempotent_requests',
  'idempotency_totals',
  // Links made before a backup are over when it is restored, and a reader of the backup must not make others.
  'link_secrets',
  // Neither may a backup log anyone in.
  'console_sessions',
  'setup_links',
];

/** All tables whose rows a backup carries, each after those it refers to. */
export async function tablesInOrder(connection: Connection): Promise<readonly string[]> {
  const tables = await queryRows(
    connection,
    tableRow,
    sql`select relname as name from pg_class where relkind = 'r' and relnamespace = current_schema::regnamespace
      and relname <> all (${NOT_CARRIED}) order by relname`,
  );
  const references = await queryRows(
    connection,
    referenceRow,
    sql`select conrelid::regclass::text as from, confrelid::regclass::text as to from pg_constraint
      where contype = 'f' and conrelid <> confrelid and connamespace = current_schema::regnamespace`,
  );
  const ordered: string[] = [];
  let waiting = tables.map((table) => table.name);
  while (waiting.length > 0) {
    const ready = waiting.filter((name) =>
      references.every((reference) => reference.from !== name || ordered.includes(reference.to)),
    );
    if (ready.length === 0) throw new Error(`tables refer to each other in a circle: ${waiting.join(', ')}`);
    ordered.push(...ready);
    waiting = waiting.filter((name) => !ready.includes(name));
  }
  return ordered;
}
