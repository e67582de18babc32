import { stat } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { DatabaseHealth } from './database-health.ts';
import type { Connection } from './query.ts';

const STEP_MS = 40;
/** Longer than the deadline of the database, which is four steps. */
const HELD_UP_MS = 250;

describe('the health of the database', () => {
  it('is good when only the process itself was blocked', async () => {
    const health = new DatabaseHealth(
      poolThat(async () => {
        await stat('/');
        await stat('/');
      }),
      STEP_MS,
    );
    const asked = health.fault();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, HELD_UP_MS);
    expect(await asked).toBeUndefined();
  });

  it('is bad when the database never answers', async () => {
    const health = new DatabaseHealth(
      poolThat(() => new Promise(() => {})),
      STEP_MS,
    );
    expect(await health.fault()).toMatchObject({ code: 'database-away' });
  });

  it('is bad at once when the database fails', async () => {
    const health = new DatabaseHealth(poolThat(() => Promise.reject(new Error('gone'))));
    expect(await health.fault()).toMatchObject({ code: 'database-away', cause: new Error('gone') });
  });
});

function poolThat(answer: () => Promise<void>): Connection {
  return { query: () => answer().then(() => ({ rows: [], rowCount: 0, fields: [] })) };
}
