import { parentPort, workerData } from 'node:worker_threads';
import pg from 'pg';
import { fillPassages } from './fill-tables.mjs';
import { openCorpus } from './varied-passages.mjs';

// Worker thread that writes a part of the documents.
const { url, folder, ...part } = workerData;
const client = new pg.Client({ connectionString: url });
await client.connect();
parentPort.postMessage(await fillPassages(client, { corpus: await openCorpus(folder), ...part }));
await client.end();
