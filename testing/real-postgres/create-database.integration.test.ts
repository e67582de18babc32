import { Client } from 'pg';
import { describe, expect, inject, it } from 'vitest';
import { createDatabase } from './create-database.ts';
import { realPostgresAvailable } from './postgres-binaries.ts';

describe.skipIf(!realPostgresAvailable)('createDatabase', () => {
  it("creates an empty database on the run's server", async () => {
    const url = await createDatabase();
    expect(new URL(url).port).toBe(new URL(inject('postgresUrl') ?? '').port);
    const client = new Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query("SELECT * FROM pg_tables WHERE schemaname = 'public'");
    await client.end();
    expect(rows).toEqual([]);
  });
});
