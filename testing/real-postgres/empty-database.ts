import { randomUUID } from 'node:crypto';
import { Client } from 'pg';

/** Creates a database with nothing in it beside the one the address names, and returns its own address. */
export async function createEmptyDatabase(url: string): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await runStatement(url, `CREATE DATABASE ${name} TEMPLATE template0`);
  const created = new URL(url);
  created.pathname = `/${name}`;
  return created.href;
}

async function runStatement(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  // A server that is stopped meanwhile also fails the query; without a listener it would end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
