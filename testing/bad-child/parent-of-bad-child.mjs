// A parent that starts a bad child, prints its process id, gives it work, and waits to be killed.
import { fileURLToPath } from 'node:url';
import { forkedChild } from '../../dist/supervision/forked-child.js';
import { Supervised } from '../../dist/supervision/supervised.js';

const child = new Supervised({
  name: 'bad child',
  launch: forkedChild({ entry: fileURLToPath(new URL('./bad-child.mjs', import.meta.url)), env: {} }),
  patience: { startTimeoutMs: 60_000, cancelGraceMs: 1_000, stopGraceMs: 1_000 },
  concurrency: 1,
  maxWaiting: 10,
  streamWindow: 4,
});
const options = { signal: new AbortController().signal, deadlineMs: 600_000 };
const who = await child.ask({ operation: 'who' }, options);
console.log(who.split('/')[0]);
await child.ask({ operation: process.argv[2] }, options);
