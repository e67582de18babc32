import { stat } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { DatabaseHealth, type DatabaseQueries } from './database-health.ts';

/** Longer than the database is given. */
const HELD_UP_MS = 1_500;

describe('the health of the database', () => {
  it('does not suffer from a process that was itself held up', async () => {
    const health = new DatabaseHealth(
      poolThat(async () => {
        await stat('/');
        await stat('/');
      }),
    );
    const asked = health.fault();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, HELD_UP_MS);
    expect(await asked).toBeUndefined();
  });

  it('is bad when the database never answers', async () => {
    const health = new DatabaseHealth(poolThat(() => new Promise(() => {})));
    expect(await health.fault()).toMatchObject({ code: 'database-away' });
  });

  it('is bad at once when the database fails', async () => {
    const health = new DatabaseHealth(poolThat(() => Promise.reject(new Error('gone'))));
    expect(await health.fault()).toMatchObject({ code: 'database-away', cause: new Error('gone') });
  });
});

function poolThat(query: () => Promise<void>): DatabaseQueries {
  return { query };
}
