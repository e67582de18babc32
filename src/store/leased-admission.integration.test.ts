import fc from 'fast-check';
import { expect, it } from 'vitest';
import { HeldClock } from '../../testing/bad-child/clocks.ts';
import { describeAdmission } from '../../testing/describe-admission.ts';
import { describeOnDatabase, describeOnDatabases } from '../../testing/describe-on-databases.ts';
import { makeCaller } from '../../testing/fake-callers.ts';
import { type LimitProcess, LimitWorld } from '../../testing/limits/limit-world.ts';
import type { Permit } from '../access/admission.ts';
import { RequestAdmission } from '../access/request-admission.ts';
import { ShareKeeper } from '../access/share-keeper.ts';
import { Fault } from '../faults/fault.ts';
import { execute } from './query.ts';
import { sql } from './sql.ts';
import { SqlShareBook } from './sql-share-book.ts';

const CONTRACT_HISTORIES = 50;
const HISTORIES = 50;
const LEASE_MS = 15_000;
const BEAT_MS = 2_000;
const MINUTE_MS = 60_000;

describeOnDatabase('leased', (database) => {
  describeAdmission(
    'RequestAdmission with leases',
    async () => {
      await execute(database().pool, sql`delete from limit_shares`);
      const clock = new HeldClock();
      const keeper = new ShareKeeper({ book: new SqlShareBook(database().pool), clock });
      return new RequestAdmission({ clock, keeper });
    },
    CONTRACT_HISTORIES,
  );
});

async function admit(process: LimitProcess, caller = makeCaller()): Promise<Permit | undefined> {
  try {
    return await process.admission.admit(caller, { signal: new AbortController().signal });
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

async function admitted(process: LimitProcess, caller: ReturnType<typeof makeCaller>, tries: number) {
  const permits = await Promise.all(Array.from({ length: tries }, () => admit(process, caller)));
  return permits.filter((permit) => permit !== undefined);
}

describeOnDatabases('admission over replicas', (database) => {
  const concurrent = makeCaller({ limits: { concurrentRequests: 20 } });
  const rate = makeCaller({ limits: { requestsPerMinute: 20 } });

  it('lets a replica that is alone use all of a limit, and two of them no more', async () => {
    const world = new LimitWorld(database().pool);
    const [one, other] = [world.start(), world.start()];
    expect(await admitted(one, concurrent, 30)).toHaveLength(20);
    expect(await admitted(other, concurrent, 30)).toHaveLength(0);
    expect((await admitted(one, rate, 12)).length + (await admitted(other, rate, 30)).length).toBe(20);
  });

  it('gives the unused share of one replica to the other after a beat', async () => {
    const world = new LimitWorld(database().pool);
    const [one, other] = [world.start(), world.start()];
    for (const permit of await admitted(one, concurrent, 20)) permit.release();
    await world.pass(2 * BEAT_MS);
    expect(await admitted(other, concurrent, 30)).toHaveLength(20);
  });

  it('frees the permits of a killed replica when its lease ends, and its rate a minute later', async () => {
    const world = new LimitWorld(database().pool);
    const [one, other] = [world.start(), world.start()];
    await admitted(one, concurrent, 20);
    await admitted(one, rate, 20);
    world.kill(one);
    await world.pass(LEASE_MS + BEAT_MS);
    expect(await admitted(other, concurrent, 30)).toHaveLength(20);
    expect(await admitted(other, rate, 30)).toHaveLength(0);
    await world.pass(MINUTE_MS);
    expect(await admitted(other, rate, 30)).toHaveLength(20);
  });

  it('asks the database seldom', async () => {
    const world = new LimitWorld(database().pool);
    const process = world.start();
    const caller = makeCaller({ limits: { requestsPerMinute: 10_000, concurrentRequests: 100 } });
    for (let count = 0; count < 1_000; count++) {
      const permit = await admit(process, caller);
      permit?.release();
    }
    expect(process.book.asked).toBeLessThanOrEqual(5);
  });

  it('serves without the database as long as its lease lasts, and then refuses', async () => {
    const world = new LimitWorld(database().pool);
    const process = world.start();
    const caller = makeCaller({ limits: { concurrentRequests: 100 } });
    await admit(process, caller);
    process.book.failures.push(...Array.from({ length: 20 }, () => 'before' as const));
    expect(await admit(process, caller)).toBeDefined();
    await world.pass(LEASE_MS);
    const away = Promise.resolve(process.admission.admit(caller, { signal: new AbortController().signal }));
    await expect(away).rejects.toMatchObject({ code: 'database-away' });
    process.book.failures.length = 0;
    expect(await admit(process, caller)).toBeDefined();
  });

  it('leaves no row', async () => {
    const world = new LimitWorld(database().pool);
    const process = world.start();
    const permit = await admit(
      process,
      makeCaller({ limits: { concurrentRequests: 2, requestsPerMinute: 2 } }),
    );
    permit?.release();
    await world.pass(MINUTE_MS + 2 * BEAT_MS);
    expect([process.keeper.size, process.clock.pending, process.admission.watched]).toEqual([0, 0, 0]);
    expect(await execute(database().pool, sql`select from limit_shares`)).toBe(0);
  });
});

const number = fc.nat(30);
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('admit' as const), process: number, which: number }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('end' as const), process: number, which: number }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('kill' as const), process: number, which: number }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fail' as const), process: number, which: number }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pass' as const), process: number, which: number }) },
);

describeOnDatabase('admission over replicas in random histories', (database) => {
  const limits = { concurrentRequests: 5, requestsPerMinute: 12 };
  const caller = makeCaller({ limits, key: { limits: { concurrentRequests: 4, requestsPerMinute: null } } });
  const app = makeCaller({ limits, key: { id: 'app' } });

  it(`goes over no limit in ${HISTORIES} of them`, () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), async (steps) => {
        await execute(database().pool, sql`delete from limit_shares`);
        const world = new LimitWorld(database().pool);
        const processes = [world.start(), world.start()];
        const held: { readonly process: LimitProcess; readonly key: string; readonly permit: Permit }[] = [];
        const starts: number[] = [];
        const living = () => held.filter(({ process }) => world.isAlive(process));
        for (const { kind, process: number, which } of steps) {
          const process = processes[number % 2] ?? world.start();
          if (kind === 'admit') {
            const by = which % 3 === 0 ? app : caller;
            const permits = await admitted(process, by, 1 + (which % 4));
            held.push(...permits.map((permit) => ({ process, key: by.key.id, permit })));
            starts.push(...permits.map(() => world.wallClock.nowMs()));
          } else if (kind === 'end') {
            const ending = living()[which % Math.max(1, living().length)];
            ending?.permit.release();
            if (ending !== undefined) held.splice(held.indexOf(ending), 1);
          } else if (kind === 'kill') {
            world.kill(process);
            processes[number % 2] = world.start();
          } else if (kind === 'fail') {
            process.book.failures.push(which % 2 === 0 ? 'before' : 'after');
          } else await world.pass([200, 2_000, 20_000][which % 3] ?? 0);
          await world.settle();
          const sinceMs = world.wallClock.nowMs() - MINUTE_MS;
          expect(living().length).toBeLessThanOrEqual(5);
          expect(living().filter(({ key }) => key === 'web').length).toBeLessThanOrEqual(4);
          expect(starts.filter((start) => start > sinceMs).length).toBeLessThanOrEqual(12);
        }
        for (const process of processes) process.book.failures.length = 0;
        for (const { permit } of living()) permit.release();
        await world.pass(MINUTE_MS + LEASE_MS + 2 * BEAT_MS);
        const [last = world.start()] = processes;
        expect(await admitted(last, app, 10)).toHaveLength(5);
      }),
      { numRuns: HISTORIES },
    ));
});
