import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HeldClock } from '../../testing/bad-child/clocks.ts';
import { makeCaller } from '../../testing/fake-callers.ts';
import { LogLines } from '../../testing/log-lines.ts';
import { endedRequest } from '../../testing/usage/ended-request.ts';
import type { EndedRequest } from '../access/usage-recorder.ts';
import { wallClock } from '../lib/wall-clock.ts';
import { createLog } from '../telemetry/log.ts';
import { JournalRecovery } from './journal-recovery.ts';
import type { LeftUsage } from './left-usage.ts';
import { readSegment } from './read-segment.ts';
import { UsageFlusher } from './usage-flusher.ts';
import { UsageJournal } from './usage-journal.ts';
import type { UsageBatch } from './usage-ledger.ts';
import { UsageTally } from './usage-tally.ts';

const DEAD = '11111111-1111-4111-8111-111111111111';
const ALIVE = '22222222-2222-4222-8222-222222222222';
const observer = { tokensUsed: () => {}, batchFailed: () => {} };

/** The usage of a process with its journal, and a ledger as the database is one. */
function setUp({
  mostBytes = 1_000_000,
  process = DEAD,
  folder = makeFolder(),
  append = undefined as ((file: number, bytes: Buffer, length: number) => number) | undefined,
} = {}) {
  const logged = new LogLines();
  const { log } = logged;
  const clock = new HeldClock();
  const written = append && { write: append };
  const journal = new UsageJournal({ folder, process, log, mostBytes, clock, ...written });
  const tally = new UsageTally({ clock: wallClock, observer, journal });
  const ledger = new MemoryLedger();
  const flusher = new UsageFlusher({
    tally,
    ledger,
    clock,
    log,
    observer,
    process,
    journal,
  });
  /** As a request is whose answer leaves. */
  const record = (request: EndedRequest) => {
    tally.record(request);
    tally.secure();
  };
  const names = () => readdirSync(folder).sort();
  const text = (sequence = 1) => readFileSync(join(folder, `${process}-${sequence}.log`), 'utf8');
  const recovery = () => new JournalRecovery({ folder, process: ALIVE, ledger, log });
  return {
    folder,
    clock,
    journal,
    tally,
    record,
    ledger,
    flusher,
    names,
    text,
    recovery,
    log: () => logged.text,
  };
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'stackgate-journal-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

class MemoryLedger {
  requests = 0;
  isAway = false;
  readonly settled = new Map<string, number>();
  readonly #written = new Map<string, number>();

  async add({ process, sequence, rows }: UsageBatch): Promise<void> {
    if (this.isAway) throw new Error('database away');
    if (sequence <= (this.#written.get(process) ?? 0)) return;
    this.#written.set(process, sequence);
    for (const row of rows) this.requests += row.requests;
  }

  async addLeft({ batches, settled }: LeftUsage): Promise<void> {
    for (const batch of batches) await this.add(batch);
    for (const { day, stack, amount } of settled) this.settled.set(`${day} ${stack}`, amount);
  }
}

/** Requests of several rows, with every quantity and outcome. */
function manyRequests(count: number): readonly EndedRequest[] {
  const outcomes = ['ok', 'client', 'limit', 'server', 'gone'] as const;
  return Array.from({ length: count }, (_, index) =>
    endedRequest({
      caller: makeCaller({ stack: { id: `stack ${index % 3}` } }),
      model: index % 2 === 0 ? `model "${index % 7}" \u00e9` : undefined,
      outcome: outcomes[index % 5] ?? 'ok',
      promptTokens: index,
      completionTokens: 2 * index,
      pages: index % 2,
      images: index % 3,
      pdfPages: index % 4,
      latencyMs: 1 + index * 3.25,
    }),
  );
}

describe('the journal of usage', () => {
  it.each([1_000_000, 500])(
    'adds up to what its process has in memory, also shortened at %i bytes',
    (mostBytes) => {
      const { tally, record, text } = setUp({ mostBytes });
      for (const request of manyRequests(200)) record(request);
      const { batches } = readSegment({ process: DEAD, sequence: 1, text: text() });
      expect(batches.flatMap(({ rows }) => rows)).toEqual(tally.take());
    },
  );

  it('has each request from its append on, whatever byte is the last', () => {
    const { record, text } = setUp();
    for (const request of manyRequests(5)) record(request);
    const whole = text();
    const counts = Array.from({ length: whole.length + 1 }, (_, end) => {
      const { batches } = readSegment({ process: DEAD, sequence: 1, text: whole.slice(0, end) });
      return batches.flatMap(({ rows }) => rows).reduce((sum, { requests }) => sum + requests, 0);
    });
    expect(counts).toEqual(counts.toSorted((one, other) => one - other));
    expect(new Set(counts)).toEqual(new Set([0, 1, 2, 3, 4, 5]));
  });

  it('appends the requests of one turn by one write, when the first of their answers leaves', () => {
    const lengths: number[] = [];
    const append = (file: number, bytes: Buffer, length: number) => {
      lengths.push(length);
      return writeSync(file, bytes, 0, length);
    };
    const { tally, text } = setUp({ append });
    for (let index = 0; index < 3; index++) tally.record(endedRequest());
    const begun = lengths.length;
    tally.secure();
    tally.secure();
    expect(lengths.length - begun).toBe(1);
    const { batches } = readSegment({ process: DEAD, sequence: 1, text: text() });
    expect(batches[0]?.rows).toEqual(tally.take());
  });

  it('appends requests that no answer waits for at the end of their turn', async () => {
    const { tally, text } = setUp();
    tally.record(endedRequest({ promptTokens: 5 }));
    await setImmediate();
    expect(readSegment({ process: DEAD, sequence: 1, text: text() }).batches[0]?.rows).toEqual(tally.take());
  });

  it('has requests of many rows whole that end in one turn, more than it puts together at once', () => {
    const { tally, text } = setUp();
    for (const request of manyRequests(3_000)) tally.record(request);
    tally.secure();
    const { batches } = readSegment({ process: DEAD, sequence: 1, text: text() });
    expect(batches.flatMap(({ rows }) => rows)).toEqual(tally.take());
  });

  it('has requests that ended just before a batch in the segment of that batch', async () => {
    const { tally, flusher, ledger, text } = setUp();
    ledger.isAway = true;
    tally.record(endedRequest());
    await flusher.flush();
    tally.record(endedRequest());
    tally.secure();
    const requests = [1, 2].map((sequence) =>
      readSegment({ process: DEAD, sequence, text: text(sequence) }).batches.flatMap(({ rows }) =>
        rows.map((row) => row.requests),
      ),
    );
    expect(requests).toEqual([[1], [1]]);
  });

  it('is divided as the batches are, so that a part that was written does not count twice', async () => {
    const { record, text, ledger } = setUp();
    for (let index = 0; index < 2_500; index++) record(endedRequest({ model: `model-${index}` }));
    const left = readSegment({ process: DEAD, sequence: 1, text: text() });
    expect(left.batches.map(({ sequence, rows }) => [sequence, rows.length])).toEqual([
      [1, 1_000],
      [2, 1_000],
      [3, 500],
    ]);
    for (const batch of left.batches.slice(0, 2)) await ledger.add(batch);
    await ledger.addLeft(left);
    await ledger.addLeft(left);
    expect(ledger.requests).toBe(2_500);
  });

  it('loses a segment when its batches are written, not before, and is gone after a stop', async () => {
    const { record, flusher, ledger, names } = setUp();
    record(endedRequest());
    ledger.isAway = true;
    await flusher.flush();
    record(endedRequest());
    expect(names()).toEqual([`${DEAD}-1.log`, `${DEAD}-2.log`]);
    ledger.isAway = false;
    await flusher.flush();
    expect(names()).toEqual([]);
    record(endedRequest());
    await flusher.stop(new AbortController().signal);
    expect([names(), ledger.requests]).toEqual([[], 3]);
  });

  it('stays where the process stops without its database, and the log says so', async () => {
    const { record, flusher, ledger, names, log } = setUp();
    record(endedRequest());
    ledger.isAway = true;
    await flusher.stop(AbortSignal.abort());
    expect(names()).toEqual([`${DEAD}-1.log`]);
    expect(log()).toContain('is left to the next start');
  });

  it('carries settled tokens on, because they are reported a little later than usage', async () => {
    const { record, flusher, text } = setUp();
    const day = '2026-01-01';
    record(endedRequest({ settledDay: day, settledTokens: 40 }));
    record(endedRequest({ settledDay: day, settledTokens: 90 }));
    await flusher.flush();
    const { batches, settled } = readSegment({ process: DEAD, sequence: 2, text: text(2) });
    expect(batches).toEqual([]);
    expect(settled).toEqual([{ kind: 'tokens', day, stack: 'shop', key: '', amount: 90 }]);
  });

  it('has what was settled of budgets of money from the same append on, and carries it on', async () => {
    const { record, flusher, text } = setUp();
    const day = '2026-01-01';
    const settled = (micros: number) => [
      { subject: { kind: 'money' as const, stackId: '@acme', day }, micros },
      { subject: { kind: 'money' as const, stackId: 'shop', keyId: 'web', day }, micros: micros + 1 },
    ];
    record(endedRequest({ costMicros: 40, settledMoney: settled(40) }));
    record(endedRequest({ costMicros: 50, settledMoney: settled(90) }));
    const shares = (amount: number) => [
      { kind: 'money', stack: '@acme', key: '', day, amount },
      { kind: 'money', stack: 'shop', key: 'web', day, amount: amount + 1 },
    ];
    const left = readSegment({ process: DEAD, sequence: 1, text: text() });
    expect([left.settled, left.batches[0]?.rows[0]?.costMicros]).toEqual([shares(90), 90]);
    await flusher.flush();
    expect(readSegment({ process: DEAD, sequence: 2, text: text(2) }).settled).toEqual(shares(90));
  });

  it('fails with one warning, and is tried again with the next segment', async () => {
    const { folder, record, flusher, ledger, log, names } = setUp();
    rmSync(folder, { recursive: true });
    record(endedRequest());
    record(endedRequest());
    expect(log().match(/cannot be written/g)).toHaveLength(1);
    await flusher.flush();
    expect(ledger.requests).toBe(2);
    mkdirSync(folder);
    record(endedRequest());
    expect(names()).toEqual([`${DEAD}-2.log`]);
  });

  it('has what it lacked as soon as there is room, also of a segment that waits for the database', async () => {
    const { folder, clock, record, flusher, ledger, recovery, log } = setUp();
    rmSync(folder, { recursive: true });
    record(endedRequest());
    ledger.isAway = true;
    await flusher.flush();
    record(endedRequest());
    mkdirSync(folder);
    clock.pass(1_000);
    record(endedRequest());
    record(endedRequest());
    expect(log().match(/cannot be written|can be written again/g)).toHaveLength(2);
    ledger.isAway = false;
    await recovery().recover();
    expect(ledger.requests).toBe(4);
  });

  it('adds nothing to a part of a line, which is all that a disk took, but writes the segment anew', async () => {
    let room = Number.POSITIVE_INFINITY;
    const append = (file: number, bytes: Buffer, length: number) =>
      writeSync(file, bytes, 0, Math.min(length, room));
    const { record, log, text, ledger, flusher } = setUp({ append });
    const requests = () => {
      const { batches } = readSegment({ process: DEAD, sequence: 1, text: text() });
      return batches.flatMap(({ rows }) => rows.map((row) => row.requests));
    };
    record(endedRequest());
    room = 20;
    record(endedRequest());
    expect([log(), requests()]).toEqual([expect.stringContaining('the disk is full'), [2]]);
    room = Number.POSITIVE_INFINITY;
    record(endedRequest());
    expect(requests()).toEqual([3]);
    await flusher.flush();
    expect(ledger.requests).toBe(3);
  });
});

describe('the recovery of journals', () => {
  it('is tried again where its folder cannot be read', async () => {
    const { folder, recovery, log } = setUp();
    rmSync(folder, { recursive: true });
    expect(await recovery().recover()).toBe(false);
    expect(log()).toContain('it is tried again');
  });

  it('writes what a killed process left once, and tells its settled tokens', async () => {
    const { record, ledger, recovery, names } = setUp();
    for (const request of manyRequests(20)) record(request);
    record(endedRequest({ settledDay: '2026-01-01', settledTokens: 70 }));
    expect(await recovery().recover()).toBe(true);
    expect(await recovery().recover()).toBe(true);
    expect(ledger.requests).toBe(21);
    expect([...ledger.settled]).toEqual([['2026-01-01 shop', 70]]);
    expect(names()).toEqual([]);
  });

  it('counts nothing twice when it is killed itself, or the killed process had written', async () => {
    const { record, flusher, ledger, recovery, folder, text } = setUp();
    for (const request of manyRequests(20)) record(request);
    const before = text();
    await flusher.flush();
    writeFileSync(join(folder, `${DEAD}-1.log`), before);
    await recovery().recover();
    writeFileSync(join(folder, `${DEAD}-1.log`), before);
    await recovery().recover();
    expect(ledger.requests).toBe(20);
  });

  it('leaves the journal of a living process alone', async () => {
    const { folder, ledger, record, names } = setUp();
    const log = createLog('silent', new Writable());
    const living = new JournalRecovery({ folder, process: DEAD, ledger, log });
    await living.open();
    record(endedRequest());
    const other = new JournalRecovery({ folder, process: ALIVE, ledger, log });
    expect(await other.recover()).toBe(true);
    expect(names()).toEqual([`${DEAD}-1.log`, `${DEAD}.lock`]);
    living.close();
    await other.recover();
    expect([names(), ledger.requests]).toEqual([[], 1]);
  });

  it('keeps what the database did not take', async () => {
    const { record, ledger, recovery, names } = setUp();
    record(endedRequest());
    ledger.isAway = true;
    expect(await recovery().recover()).toBe(false);
    expect(names()).toEqual([`${DEAD}-1.log`]);
    ledger.isAway = false;
    expect(await recovery().recover()).toBe(true);
    expect([names(), ledger.requests]).toEqual([[], 1]);
  });
});
