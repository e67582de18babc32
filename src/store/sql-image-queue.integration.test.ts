import { beforeEach, expect, it } from 'vitest';
import { HeldClock } from '../../testing/bad-child/clocks.ts';
import { describeOnDatabases } from '../../testing/describe-on-databases.ts';
import { makeCaller } from '../../testing/fake-callers.ts';
import { ImageQueueWorld } from '../../testing/images/image-queue-world.ts';
import { limitsInForce } from '../access/plan-limits.ts';
import { Fault } from '../faults/fault.ts';
import { execute } from './query.ts';
import { sql } from './sql.ts';
import { SqlImageQueue } from './sql-image-queue.ts';

const caller = makeCaller();
const never = new AbortController().signal;

describeOnDatabases('SqlImageQueue', (database) => {
  let world: ImageQueueWorld;
  beforeEach(() => {
    world = new ImageQueueWorld(database().pool);
  });

  it('lets the first in at once, the next ones when it leaves, in order, over processes', async () => {
    const [one, other] = [world.start(), world.start()];
    const first = await one.queue.enter(caller, never);
    expect([first.waitedMs, first.lost.aborted]).toEqual([0, false]);
    const second = world.arrive(other, caller);
    await world.settle();
    const third = world.arrive(one, caller);
    await world.pass(3_000);
    expect([second.state, third.state]).toEqual(['waiting', 'waiting']);
    await first[Symbol.asyncDispose]();
    await world.pass(200);
    expect([second.state, third.state]).toEqual(['rendering', 'waiting']);
    expect(second.permit?.waitedMs).toBe(3_200);
    await world.finish(second);
    await world.pass(200);
    expect(third.state).toBe('rendering');
    await world.finish(third);
    expect(await world.slots()).toEqual([]);
  });

  it('wakes the next request of the same process without a look at the database', async () => {
    const one = world.start();
    const first = await one.queue.enter(caller, never);
    const second = world.arrive(one, caller);
    await world.settle();
    await first[Symbol.asyncDispose]();
    await world.settle();
    expect(second.state).toBe('rendering');
    await world.finish(second);
  });

  it('refuses a fourth in flight, and counts it as a submission', async () => {
    const one = world.start();
    const waiting = [1, 2, 3].map(() => world.arrive(one, caller));
    await world.settle();
    const fault = await faultOf(one.queue.enter(caller, never));
    expect([fault.code, fault.status, fault.wireCode, fault.retryAfterSeconds]).toEqual([
      'image-queue-full',
      429,
      'queue_full',
      5,
    ]);
    expect(await world.submissions()).toBe(4);
    for (const each of waiting) await world.leave(each);
    expect(await world.slots()).toEqual([]);
  });

  it('takes ten submissions a minute over all keys, and names the exact wait for the next one', async () => {
    const [one, other] = [world.start(), world.start()];
    const otherKey = makeCaller({ key: { id: 'other' } });
    for (let turn = 0; turn < 10; turn++) {
      const permit = await (turn % 2 ? one : other).queue.enter(turn % 3 ? caller : otherKey, never);
      await permit[Symbol.asyncDispose]();
      if (turn === 0) await world.pass(40_000);
    }
    const fault = await faultOf(one.queue.enter(caller, never));
    expect(fault.code).toBe('image-rate-limited');
    // The database's clock runs on, so the wait is a little shorter than the time passed; it must suffice.
    expect(fault.retryAfterSeconds).toBeLessThanOrEqual(20);
    expect(fault.retryAfterSeconds).toBeGreaterThanOrEqual(await world.secondsUntilOldestLeaves());
    expect(await world.submissions()).toBe(10);
    await world.pass(20_000);
    await (await one.queue.enter(caller, never))[Symbol.asyncDispose]();
    const next = await faultOf(one.queue.enter(caller, never));
    expect(next.retryAfterSeconds).toBeLessThanOrEqual(40);
    expect(next.retryAfterSeconds).toBeGreaterThanOrEqual(await world.secondsUntilOldestLeaves());
  });

  it('names the wait for a submission where the queue is full and no submission is left', async () => {
    const limits = { ...limitsInForce('max').images, submissionsPerMinute: 2, inFlight: 1 };
    const narrow = makeCaller({ limits: { images: limits } });
    const one = world.start();
    const first = await one.queue.enter(narrow, never);
    const fault = await faultOf(one.queue.enter(narrow, never));
    expect(fault.code).toBe('image-queue-full');
    expect(fault.retryAfterSeconds).toBeGreaterThanOrEqual(
      Math.min(59, await world.secondsUntilOldestLeaves()),
    );
    await first[Symbol.asyncDispose]();
  });

  it('takes the limits of the stack, also after a change, and keeps stacks apart', async () => {
    const images = { ...limitsInForce('max').images, rendering: 2, inFlight: 4 };
    const wide = makeCaller({ limits: { images } });
    const [one, other] = [world.start(), world.start()];
    const first = await one.queue.enter(caller, never);
    const second = world.arrive(other, caller);
    await world.settle();
    const third = world.arrive(one, wide);
    await world.pass(200);
    expect([second.state, third.state]).toEqual(['rendering', 'waiting']);
    const elsewhere = await one.queue.enter(makeCaller({ stack: { id: 'elsewhere' } }), never);
    await elsewhere[Symbol.asyncDispose]();
    await first[Symbol.asyncDispose]();
    await world.pass(200);
    expect(third.state).toBe('rendering');
    await world.finish(second);
    await world.finish(third);
  });

  it('ends a wait that is longer than the plan allows', async () => {
    const [one, other] = [world.start(), world.start()];
    const first = await one.queue.enter(caller, never);
    const second = world.arrive(other, caller);
    await world.settle();
    await world.pass(59_000);
    expect(second.state).toBe('waiting');
    await world.pass(1_000);
    expect(second.fault?.code).toBe('image-queue-timeout');
    expect(second.fault?.message).toBe(
      'The image waited 60 seconds for its turn, which is the limit (images.queue_wait_seconds, plan max).',
    );
    expect(await world.slots()).toHaveLength(1);
    expect(first.lost.aborted).toBe(false);
    await first[Symbol.asyncDispose]();
    expect([one.clock.pending, other.clock.pending]).toEqual([0, 0]);
  });

  it('gives the slot of a client that leaves to the next at once, waiting or rendering', async () => {
    const one = world.start();
    const requests = [1, 2, 3].map(() => world.arrive(one, caller));
    await world.settle();
    const [first, second, third] = requests;
    if (!first || !second || !third) throw new Error('three arrived');
    await world.leave(second);
    expect(await world.slots()).toHaveLength(2);
    await world.leave(first);
    expect([first.state, second.state, third.state]).toEqual(['left', 'left', 'rendering']);
    await world.leave(third);
    expect(await world.slots()).toEqual([]);
    expect([one.queue.slotsHeld, one.clock.pending]).toEqual([0, 0]);
  });

  it('takes no slot for a client that left before, or that leaves during the query', async () => {
    const one = world.start();
    await expect(one.queue.enter(caller, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
    const leaving = new AbortController();
    const entering = one.queue.enter(caller, leaving.signal);
    leaving.abort(new Error('left'));
    await expect(entering).rejects.toThrow('left');
    expect([await world.slots(), one.queue.slotsHeld, one.clock.pending]).toEqual([[], 0, 0]);
  });

  it('frees the slots of a killed process within its lease, and not those of one that lives', async () => {
    const [killed, living] = [world.start(), world.start()];
    await killed.queue.enter(caller, never);
    world.arrive(killed, caller);
    await world.settle();
    const next = world.arrive(living, caller);
    await world.settle();
    world.kill(killed);
    await world.pass(9_000);
    expect(next.state).toBe('waiting');
    await world.pass(6_200);
    expect(next.state).toBe('rendering');
    await world.pass(60_000);
    expect([next.state, next.permit?.lost.aborted]).toEqual(['rendering', false]);
    expect(await world.slots()).toHaveLength(1);
    await world.finish(next);
  });

  it('tells a process that its slot is lost', async () => {
    const one = world.start();
    const permit = await one.queue.enter(caller, never);
    const waiting = world.arrive(one, caller);
    await world.settle();
    await execute(database().pool, sql`delete from image_places`);
    await world.pass(6_000);
    expect(permit.lost.aborted).toBe(true);
    expect([waiting.fault?.status, waiting.fault?.code]).toEqual([503, 'model-not-ready']);
    await permit[Symbol.asyncDispose]();
    expect([one.queue.slotsHeld, one.clock.pending]).toEqual([0, 0]);
  });

  it('gives its work up before its lease ends when the database does not answer', async () => {
    const one = world.start();
    const permit = await one.queue.enter(caller, never);
    // Nothing of this pool is answered while the clock goes on.
    one.clock.pass(8_000);
    expect(permit.lost.aborted).toBe(false);
    one.clock.pass(4_000);
    expect(permit.lost.aborted).toBe(true);
    await permit[Symbol.asyncDispose]();
    await world.settle();
  });

  it('releases all slots when it closes', async () => {
    const one = world.start();
    await one.queue.enter(caller, never);
    const waiting = world.arrive(one, caller);
    await world.settle();
    await one.queue.close();
    expect(await world.slots()).toEqual([]);
    expect(one.queue.slotsHeld).toBe(0);
    await world.leave(waiting);
    expect(one.clock.pending).toBe(0);
  });

  it('says that the database is away', async () => {
    const pool = {
      query: () => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })),
    };
    // @ts-expect-error: a pool that can only fail.
    const queue = new SqlImageQueue({ pool, clock: new HeldClock() });
    expect((await faultOf(queue.enter(caller, never))).code).toBe('database-away');
  });
});

async function faultOf(work: Promise<unknown>): Promise<Fault> {
  const thrown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(thrown instanceof Fault)) throw new Error(`a fault was expected, not ${String(thrown)}`);
  return thrown;
}
