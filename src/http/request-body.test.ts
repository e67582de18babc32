import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { planTable } from '../access/plan-limits.ts';
import { systemClock } from '../lib/clock.ts';
import { ParkedBytes, unpark } from '../lib/parked-bytes.ts';
import { BodyMemory } from './body-memory.ts';
import { jsonBody } from './body-rules.ts';
import { BodyTurns } from './body-turns.ts';
import type { SizedRule } from './incoming.ts';
import { LARGE_JSON_BYTES } from './json-sink.ts';
import { readBody } from './request-body.ts';
import { UploadSpool } from './upload-spool.ts';

const CHUNK = Buffer.alloc(64 * 1024, ' ');
const CHUNKS = 64;
const PIECES_PER_TURN = 2;
/** The bytes read in a turn, including those a stream reads ahead. */
const MOST_CHUNKS_PER_TURN = 2 * PIECES_PER_TURN + 1;
const memory = new BodyMemory(1_000_000_000);

/** Bodies that arrive faster than they are read. */
class Arrivals {
  readonly #turns: Pick<BodyTurns, 'take'>;
  given = 0;

  constructor(
    turns: Pick<BodyTurns, 'take'> = new BodyTurns({
      clock: systemClock,
      activity: { hasOthers: () => false },
    }),
  ) {
    this.#turns = turns;
  }

  async read(stackId: string, rule: SizedRule = jsonBody): Promise<unknown> {
    let left = CHUNKS;
    const source = new Readable({
      highWaterMark: CHUNK.length,
      read: () => {
        this.given += 1;
        left -= 1;
        source.push(left < 0 ? null : Buffer.from(CHUNK));
      },
    });
    const headers = { 'content-type': 'application/json', 'content-length': `${CHUNKS * CHUNK.length}` };
    const request = Object.assign(source, { headers }) as unknown as IncomingMessage;
    return await readBody({ request, response: {} as ServerResponse }, rule, {
      plan: { name: 'max', limits: planTable.max },
      timeouts: { bodyIdleMs: 60_000, lingerMs: 1 },
      memory: memory.open(stackId),
      stackId,
      turns: this.#turns,
      spool: new UploadSpool('/dev/null/uploads', async () => {}),
      parseApart: async (bytes) => (bytes instanceof ParkedBytes ? unpark(bytes.port) : bytes).length,
    });
  }
}

describe('large bodies', () => {
  it.each([1, 12])(
    'of one stack are read in small parts in each turn of the event loop: %i',
    async (count) => {
      const arrivals = new Arrivals();
      const bodies = Array.from({ length: count }, () => arrivals.read('shop'));
      // Each begins when it arrives.
      await setImmediate();
      for (let before = arrivals.given; arrivals.given <= count * CHUNKS; before = arrivals.given) {
        await setImmediate();
        expect(arrivals.given - before).toBeLessThanOrEqual(MOST_CHUNKS_PER_TURN);
      }
      expect(await Promise.all(bodies)).toEqual(bodies.map(() => CHUNKS * CHUNK.length));
    },
  );

  it('of one stack do not hold up the body of another', async () => {
    const arrivals = new Arrivals();
    const ended: string[] = [];
    const read = (stackId: string) => arrivals.read(stackId).then(() => void ended.push(stackId));
    const noisy = Array.from({ length: 12 }, () => read('noisy'));
    await Promise.all([read('quiet'), ...noisy]);
    expect(ended[0]).toBe('quiet');
  });

  it('count as what they cost: more where this thread parses them, not where it scans them or another one parses', async () => {
    const costsOf = async (rule: SizedRule) => {
      const costs: number[] = [];
      const arrivals = new Arrivals({ take: (_, cost) => void costs.push(cost / CHUNK.length) });
      await arrivals.read('shop', rule).catch(() => {});
      return costs;
    };
    const parsedHere = LARGE_JSON_BYTES / CHUNK.length;
    expect(await costsOf(jsonBody)).toEqual([
      ...Array(parsedHere).fill(8),
      ...Array(CHUNKS - parsedHere).fill(1),
    ]);
    expect(await costsOf({ ...jsonBody, scan: () => undefined })).toEqual(Array(CHUNKS).fill(1));
    expect(await costsOf({ ...jsonBody, kind: 'bytes' })).toEqual(Array(CHUNKS).fill(1));
  });
});
