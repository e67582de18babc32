import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { HeldClock } from '../../testing/bad-child/clocks.ts';
import { LogLines } from '../../testing/log-lines.ts';
import { hold } from '../../testing/text/held.ts';
import { endedRequest } from '../../testing/usage/ended-request.ts';
import { wallClock } from '../lib/wall-clock.ts';
import { UsageFlusher } from './usage-flusher.ts';
import type { UsageBatch } from './usage-ledger.ts';
import { UsageTally } from './usage-tally.ts';

const PROMISED_MS = 5_000;
const patient = new AbortController().signal;

describe('UsageFlusher', () => {
  let logged: LogLines;
  let failures: number;
  let clock: HeldClock;
  let sent: UsageBatch[];
  let add: (batch: UsageBatch) => Promise<void>;
  let tally: UsageTally;
  let flusher: UsageFlusher;
  const away = new Error('database away');

  beforeEach(() => {
    logged = new LogLines();
    failures = 0;
    sent = [];
    clock = new HeldClock();
    add = async () => {};
    const observer = {
      tokensUsed: () => {},
      batchFailed: () => {
        failures++;
      },
    };
    tally = new UsageTally({ clock: wallClock, observer });
    const ledger = {
      add: (batch: UsageBatch) => {
        sent.push(batch);
        return add(batch);
      },
    };
    flusher = new UsageFlusher({ tally, ledger, clock, log: logged.log, observer });
  });

  const requestsSent = () =>
    sent.flatMap(({ rows }) => rows).reduce((sum, { requests }) => sum + requests, 0);

  it('writes what was tallied within the time that is promised, again and again', async () => {
    flusher.start();
    for (let round = 1; round <= 3; round++) {
      tally.record(endedRequest());
      expect(flusher.waiting).toBe(1);
      clock.pass(PROMISED_MS);
      await nextTurn();
      expect([requestsSent(), flusher.waiting]).toEqual([round, 0]);
    }
    expect(sent.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    expect(new Set(sent.map(({ process }) => process)).size).toBe(1);
  });

  it('writes nothing where there is nothing', async () => {
    flusher.start();
    clock.pass(PROMISED_MS);
    await nextTurn();
    await flusher.stop(patient);
    expect(sent).toEqual([]);
  });

  it('sends a batch that failed again as it was, and what came meanwhile after it', async () => {
    tally.record(endedRequest());
    add = () => Promise.reject(away);
    expect(await flusher.flush()).toBe(false);
    tally.record(endedRequest());
    expect(await flusher.flush()).toBe(false);
    expect([failures, flusher.waiting]).toEqual([2, 2]);
    add = async () => {};
    expect(await flusher.flush()).toBe(true);
    expect(sent.map(({ sequence, rows }) => [sequence, rows[0]?.requests])).toEqual([
      [1, 1],
      [1, 1],
      [1, 1],
      [2, 1],
    ]);
    expect(new Set(sent.slice(0, 3)).size).toBe(1);
    expect(logged.text.match(/could not be written/g)).toHaveLength(1);
  });

  it('writes much in several batches', async () => {
    for (let index = 0; index < 2_500; index++) tally.record(endedRequest({ model: `model-${index}` }));
    await flusher.flush();
    expect(sent.map(({ rows }) => rows.length)).toEqual([1_000, 1_000, 500]);
  });

  it('waits for a batch on its way before it sends the next', async () => {
    const held = hold();
    add = () => held.until;
    tally.record(endedRequest());
    const first = flusher.flush();
    await nextTurn();
    tally.record(endedRequest());
    const second = flusher.flush();
    await nextTurn();
    expect(sent).toHaveLength(1);
    held.release();
    expect(await Promise.all([first, second])).toEqual([true, true]);
    expect(requestsSent()).toBe(2);
  });

  it('writes what is left when it is stopped, and nothing later', async () => {
    flusher.start();
    tally.record(endedRequest());
    await flusher.stop(patient);
    expect([requestsSent(), clock.pending]).toEqual([1, 0]);
  });

  it('tries again while it is stopped, until it is written', async () => {
    tally.record(endedRequest());
    add = async () => {
      if (sent.length < 3) throw away;
    };
    await flusher.stop(patient);
    expect([sent.length, flusher.waiting]).toEqual([3, 0]);
  });

  it('gives up when there is no time left, after one try, and says what is lost', async () => {
    tally.record(endedRequest());
    add = () => Promise.reject(away);
    await flusher.stop(AbortSignal.abort());
    expect(sent).toHaveLength(1);
    expect(logged.text).toContain('is lost');
  });
});
