// Opens the embedded database in a folder and inserts numbers until it is killed; prints every acknowledged one.
import { openEmbeddedDatabase } from '@stackgate/pglite-host';

const [dataDir, first] = process.argv.slice(2);

try {
  const log = (event) => console.log(`event ${event.type}`);
  const { pool } = await openEmbeddedDatabase({ dataDir, log, checkpointIntervalMs: 50 });
  console.log('open');
  await pool.query('CREATE TABLE IF NOT EXISTS numbers (value int PRIMARY KEY, filler text)');
  for (let value = Number(first); ; value++) {
    await pool.query("INSERT INTO numbers VALUES ($1, repeat('x', 500))", [value]);
    console.log(`stored ${value}`);
  }
} catch (error) {
  console.log(`${error.name}: ${error.message}`);
  process.exit(1);
}
