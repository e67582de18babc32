import { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { HeldClock } from '../../testing/bad-child/clocks.ts';
import { HeldClock as HeldWallClock } from '../../testing/held-clock.ts';
import { createLog } from '../telemetry/log.ts';
import type { BackupSource } from './backup.ts';
import { ScheduledBackups } from './scheduled-backups.ts';

const HOUR_MS = 3_600_000;

/** The row that replicas share. */
class MemoryRight {
  doneUntil = 0;
  holder: object | undefined;

  ofReplica() {
    const me = {};
    return {
      take: async (dueAt: Date) => {
        if (dueAt.getTime() <= this.doneUntil || this.holder !== undefined) return false;
        this.holder = me;
        return true;
      },
      renew: async () => {},
      finish: async (dueAt: Date) => {
        this.doneUntil = dueAt.getTime();
        this.holder = undefined;
      },
      release: async () => {
        if (this.holder === me) this.holder = undefined;
      },
    };
  }
}

function setUp({ keep = 3, right = new MemoryRight() } = {}) {
  const clock = new HeldClock();
  const wallClock = new HeldWallClock(Date.UTC(2026, 10, 18, 1));
  const made: string[] = ['notes.txt'];
  let isFailing = false;
  const place = {
    write: async (name: string) => {
      if (isFailing) throw new Error('the bucket is away');
      made.push(name);
      return { rows: 1, blobs: 0 };
    },
    withFile: () => Promise.reject(new Error('not used')),
    list: async () => made,
    remove: async (name: string) => void made.splice(made.indexOf(name), 1),
  };
  const scheduled = () =>
    new ScheduledBackups({
      schedule: '03:30',
      keep,
      openPlace: async () => place,
      openSource: async () => ({ readers: undefined }) as unknown as BackupSource,
      lease: right.ofReplica(),
      clock,
      wallClock,
      log: createLog('silent', new Writable()),
    });
  const pass = async (durationMs: number) => {
    for (let passedMs = 0; passedMs < durationMs; passedMs += HOUR_MS / 6) {
      wallClock.advance(HOUR_MS / 6);
      clock.pass(HOUR_MS / 6);
      for (let turn = 0; turn < 4; turn++) await nextTurn();
    }
  };
  return {
    scheduled,
    pass,
    backups: () => made.filter((name) => name !== 'notes.txt'),
    made,
    fail: (fails: boolean) => {
      isFailing = fails;
    },
  };
}

describe('scheduled backups', () => {
  it('are made once a day by one of the replicas, and the newest are kept', async () => {
    const { scheduled, pass, backups, made } = setUp();
    const replicas = [scheduled(), scheduled()];
    for (const replica of replicas) replica.start();
    await pass(5 * 24 * HOUR_MS);
    expect(backups()).toEqual([
      'stackgate-20261120T033000Z.backup',
      'stackgate-20261121T033000Z.backup',
      'stackgate-20261122T033000Z.backup',
    ]);
    expect(made).toContain('notes.txt');
    for (const replica of replicas) await replica.stop();
  });

  it('are made at the start where the last time was missed', async () => {
    const { scheduled, pass, backups } = setUp();
    const backup = scheduled();
    backup.start();
    await pass(1);
    expect(backups()).toEqual(['stackgate-20261117T033000Z.backup']);
    await backup.stop();
  });

  it('are tried again after a failure', async () => {
    const { scheduled, pass, backups, fail } = setUp();
    const backup = scheduled();
    fail(true);
    backup.start();
    await pass(HOUR_MS);
    expect(backups()).toEqual([]);
    fail(false);
    await pass(HOUR_MS);
    expect(backups()).toHaveLength(1);
    await backup.stop();
  });
});
