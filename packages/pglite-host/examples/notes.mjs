import { connectToRunningServer, DatabaseInUse, openEmbeddedDatabase } from '@stackgate/pglite-host';

const dataDir = process.argv[2] ?? './data';
const options = { dataDir, log: (event) => console.log(event.message) };

const first = await openEmbeddedDatabase(options);
await first.pool.query('CREATE TABLE notes (id serial PRIMARY KEY, text text NOT NULL)');
await first.pool.query('INSERT INTO notes (text) VALUES ($1), ($2)', ['milk', 'bread']);
await first.close();

const second = await openEmbeddedDatabase(options);
const { rows } = await second.pool.query('SELECT text FROM notes ORDER BY id');
console.log('kept:', rows.map(({ text }) => text).join(', '));

// A folder can be open only once.
await openEmbeddedDatabase(options).catch((error) => {
  console.log('second owner:', error instanceof DatabaseInUse ? 'refused' : error);
});

// Another process connects through the socket in the folder.
const guest = await connectToRunningServer(dataDir);
const counted = await guest.query('SELECT count(*) FROM notes');
console.log('seen through the socket:', counted.rows[0].count);
await guest.end();
await second.close();
