import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { EmbeddedDatabaseEvent } from './embedded-database-event.ts';
import { Maintenance } from './maintenance.ts';

describe('the maintenance of the embedded database', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function start(answer: (sql: string) => Promise<string | undefined>) {
    const statements: string[] = [];
    const events: EmbeddedDatabaseEvent[] = [];
    const maintenance = new Maintenance({
      run: (sql) => {
        if (!sql.startsWith('SELECT')) statements.push(sql);
        return answer(sql);
      },
      log: (event) => events.push(event),
      checkpointIntervalMs: 1_000,
      vacuumIntervalMs: 10_500,
    });
    return { maintenance, statements, events };
  }

  it('writes a checkpoint only when something was written since the last', async () => {
    let position = '0/1';
    const { maintenance, statements } = start(async () => position);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(statements).toEqual(['CHECKPOINT']);
    position = '0/2';
    await vi.advanceTimersByTimeAsync(3_000);
    expect(statements).toEqual(['CHECKPOINT', 'CHECKPOINT']);
    maintenance.stop();
  });

  it('vacuums at its own interval until it is stopped', async () => {
    const { maintenance, statements } = start(async () => '0/1');
    await vi.advanceTimersByTimeAsync(11_000);
    expect(statements).toEqual(['CHECKPOINT', 'VACUUM ANALYZE']);
    maintenance.stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('reports a failure and tries again', async () => {
    const { maintenance, events } = start(() => Promise.reject(new Error('the database is away')));
    await vi.advanceTimersByTimeAsync(2_000);
    expect(events.map((event) => event.type)).toEqual(['maintenance-failed', 'maintenance-failed']);
    maintenance.stop();
  });
});
