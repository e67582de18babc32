import { randomUUID } from 'node:crypto';
import { Client } from 'pg';

/** Creates an empty database next to the one in the address, and returns its address. */
export async function createEmptyDatabase(url: string): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await runStatement(url, `CREATE DATABASE ${name} TEMPLATE template0`);
  const created = new URL(url);
  created.pathname = `/${name}`;
  return created.href;
}

async function runStatement(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  // If the server is stopped meanwhile the query fails too; without a listener the process would crash.
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
