import { beforeEach, describe, expect, it } from 'vitest';
import { HeldClock } from '../../../testing/bad-child/clocks.ts';
import type { PassOutcome } from './folder-pass.ts';
import { FolderWatch, LOOK_EVERY_MS } from './folder-watch.ts';

describe('a watched folder', () => {
  let clock: HeldClock;
  let looks: [atMs: number, isForced: boolean][];
  let outcomes: (PassOutcome | Error)[];
  let failures: unknown[];
  let watch: FolderWatch;
  let onLook: () => void;
  let hangs: boolean;
  beforeEach(() => {
    clock = new HeldClock();
    [looks, outcomes, failures, onLook, hangs] = [[], [], [], () => {}, false];
    watch = new FolderWatch({
      look: async ({ unlessWithinMs }) => {
        looks.push([clock.nowMs(), unlessWithinMs === 0]);
        onLook();
        if (hangs) await new Promise(() => {});
        const outcome = outcomes.shift() ?? 'done';
        if (outcome instanceof Error) throw outcome;
        return outcome;
      },
      inTurn: (work) => work(),
      failed: (error) => failures.push(error),
      clock,
    });
    watch.start();
  });

  it('is looked through at once, soon after changes, and from time to time', async () => {
    await pass(0);
    await pass(LOOK_EVERY_MS);
    for (let swarm = 0; swarm < 20; swarm += 1) {
      watch.changed();
      await pass(100);
    }
    expect(looks).toEqual([
      [0, true],
      [LOOK_EVERY_MS, false],
      [LOOK_EVERY_MS + 1_000, true],
      [LOOK_EVERY_MS + 2_000, true],
    ]);
  });

  it('is looked through again for a change during a look', async () => {
    onLook = () => {
      onLook = () => {};
      watch.changed();
    };
    await pass(0);
    await pass(1_000);
    expect(looks).toEqual([
      [0, true],
      [1_000, true],
    ]);
  });

  it('is looked through less and less often for a file that is never complete', async () => {
    outcomes = ['waiting', 'waiting', 'waiting', 'done'];
    await pass(0);
    for (let second = 0; second < 20; second += 1) await pass(1_000);
    expect(looks.map(([atMs]) => atMs)).toEqual([0, 2_000, 6_000, 14_000]);
    expect(looks.every(([, isForced]) => isForced)).toBe(true);
  });

  it('asks again soon while another process has it, and later after a failure', async () => {
    outcomes = ['busy', new Error('away'), 'done'];
    await pass(0);
    await pass(1_000);
    await pass(LOOK_EVERY_MS);
    expect(looks.map(([atMs]) => atMs)).toEqual([0, 1_000, 1_000 + LOOK_EVERY_MS]);
    expect(failures).toHaveLength(1);
  });

  it('is left alone once it is stopped', async () => {
    await pass(0);
    await watch.stop();
    watch.changed();
    await pass(LOOK_EVERY_MS);
    expect([looks.length, clock.pending]).toEqual([1, 0]);
  });

  it('can be stopped while the folder hangs', async () => {
    hangs = true;
    await pass(0);
    await watch.stop();
    expect([looks.length, failures]).toEqual([1, []]);
  });

  /** Lets the time pass, and what then runs end. */
  async function pass(durationMs: number): Promise<void> {
    clock.pass(durationMs);
    await new Promise(setImmediate);
  }
});
