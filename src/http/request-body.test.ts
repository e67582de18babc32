import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { planTable } from '../access/plan-limits.ts';
import { BodyMemory } from './body-memory.ts';
import { jsonBody } from './body-rules.ts';
import { readBody } from './request-body.ts';
import { UploadSpool } from './upload-spool.ts';

const CHUNK = Buffer.alloc(64 * 1024, ' ');
const CHUNKS = 64;
/** The bytes read in a turn, including those a stream reads ahead. */
const MOST_CHUNKS_PER_TURN = 3;

it('reads a small part of a large body in each turn of the event loop', async () => {
  let given = 0;
  const source = new Readable({
    highWaterMark: CHUNK.length,
    read() {
      given += 1;
      this.push(given > CHUNKS ? null : CHUNK);
    },
  });
  const headers = { 'content-type': 'application/json', 'content-length': `${CHUNKS * CHUNK.length}` };
  const request = Object.assign(source, { headers }) as unknown as IncomingMessage;
  const whole = readBody({ request, response: {} as ServerResponse }, jsonBody, {
    plan: { name: 'max', limits: planTable.max },
    timeouts: { bodyIdleMs: 60_000, lingerMs: 1 },
    memory: new BodyMemory(1_000_000_000).open('shop'),
    spool: new UploadSpool('/dev/null/uploads', async () => {}),
    parseApart: async (bytes) => bytes.length,
  });
  for (let before = given; given <= CHUNKS; before = given) {
    await setImmediate();
    expect(given - before).toBeLessThanOrEqual(MOST_CHUNKS_PER_TURN);
  }
  expect(await whole).toBe(CHUNKS * CHUNK.length);
});
