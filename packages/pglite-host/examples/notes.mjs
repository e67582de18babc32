// A database in a folder: written, closed, opened again, and reached by a second client while it is open.
// Takes the folder; without one it is a new one, which is removed at the end.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectToRunningServer, DatabaseInUse, openEmbeddedDatabase } from '@stackgate/pglite-host';

const given = process.argv[2];
const dataDir = given ?? (await mkdtemp(join(tmpdir(), 'notes-')));
const options = { dataDir, log: (event) => console.log(`(${event.message})`) };

const first = await openEmbeddedDatabase(options);
await first.pool.query('CREATE TABLE notes (id serial PRIMARY KEY, text text NOT NULL)');
await first.pool.query('INSERT INTO notes (text) VALUES ($1), ($2)', ['milk', 'bread']);
await first.close();

const second = await openEmbeddedDatabase(options);
const { rows } = await second.pool.query('SELECT text FROM notes ORDER BY id');
console.log('kept:', rows.map(({ text }) => text).join(', '));

await openEmbeddedDatabase(options).catch((error) => {
  console.log('a second owner:', error instanceof DatabaseInUse ? 'refused' : error);
});

const guest = await connectToRunningServer(dataDir);
const counted = await guest.query('SELECT count(*) FROM notes');
console.log('seen through the socket:', counted.rows[0].count);
await guest.end();
await second.close();
if (given === undefined) await rm(dataDir, { recursive: true });
