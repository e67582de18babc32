import type pg from 'pg';

// Of this database and this moment: they mean nothing in another one.
const NOT_CARRIED = [
  'schema_migrations',
  'image_submissions',
  'image_places',
  'image_sweeps',
  'limit_shares',
  'usage_writers',
];

/** All tables whose rows a backup carries, each after those it refers to. */
export async function tablesInOrder(client: pg.ClientBase): Promise<readonly string[]> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select relname as name from pg_class
     where relkind = 'r' and relnamespace = current_schema::regnamespace and relname <> all ($1) order by relname`,
    [NOT_CARRIED],
  );
  const { rows: references } = await client.query<{ from: string; to: string }>(
    `select conrelid::regclass::text as "from", confrelid::regclass::text as "to" from pg_constraint
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
