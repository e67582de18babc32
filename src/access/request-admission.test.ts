import { beforeEach, describe, expect, it } from 'vitest';
import { HeldClock as TimerClock } from '../../testing/bad-child/clocks.ts';
import { describeAdmission, unaskable } from '../../testing/describe-admission.ts';
import { makeCaller } from '../../testing/fake-callers.ts';
import { HeldClock } from '../../testing/held-clock.ts';
import { MemoryShareBook } from '../../testing/limits/memory-share-book.ts';
import type { Fault } from '../faults/fault.ts';
import type { Caller } from './caller.ts';
import { RequestAdmission } from './request-admission.ts';
import { ShareKeeper } from './share-keeper.ts';

describeAdmission('RequestAdmission', () => new RequestAdmission({ clock: new HeldClock() }));

describe('RequestAdmission', () => {
  const never = new AbortController().signal;
  const twicePerMinute = makeCaller({ limits: { requestsPerMinute: 2 } });
  let clock: HeldClock;
  let admission: RequestAdmission;

  beforeEach(() => {
    clock = new HeldClock();
    admission = new RequestAdmission({ clock });
  });

  const use = async (caller = twicePerMinute): Promise<void> => {
    (await admission.admit(caller, { signal: never })).release();
  };
  const refusal = (caller = twicePerMinute): Fault => {
    try {
      admission.admit(caller, { signal: never });
    } catch (error) {
      return error as Fault;
    }
    throw new Error('it was admitted');
  };

  const isAdmitted = (caller: Caller): boolean => {
    try {
      admission.admit(caller, unaskable);
      return true;
    } catch {
      return false;
    }
  };

  it('counts the requests of the last minute and says when the oldest leaves the window', async () => {
    await use();
    clock.advance(20_000);
    await use();
    expect(refusal()).toMatchObject({ code: 'rate-limited', retryAfterSeconds: 40 });
    clock.advance(39_999);
    expect(refusal()).toMatchObject({ code: 'rate-limited', retryAfterSeconds: 1 });
    clock.advance(1);
    await use();
    expect(refusal()).toMatchObject({ retryAfterSeconds: 20 });
  });

  it('admits synchronously once it holds a share', async () => {
    const beats = new TimerClock();
    const keeper = new ShareKeeper({ book: new MemoryShareBook(), clock: beats });
    admission = new RequestAdmission({ clock: beats, keeper });
    const caller = makeCaller({ limits: { requestsPerMinute: 2, concurrentRequests: 2 } });
    const first = admission.admit(caller, { signal: never });
    expect(first).toBeInstanceOf(Promise);
    await first;
    expect(admission.admit(caller, unaskable)).not.toBeInstanceOf(Promise);
    await keeper.close();
  });

  it('enforces a ceiling that was dropped while another one was asked for', async () => {
    const beats = new TimerClock();
    const keeper = new ShareKeeper({ book: new MemoryShareBook(), clock: beats });
    admission = new RequestAdmission({ clock: beats, keeper });
    const key = { limits: { requestsPerMinute: null, concurrentRequests: 1 } };
    const caller = makeCaller({ key, limits: { concurrentRequests: 5 } });
    const first = admission.admit(caller, { signal: never });
    // The key's ceiling is not in use yet.
    expect(admission.watched).toBe(1);
    await first;
    const second = Promise.resolve(admission.admit(caller, { signal: never }));
    await expect(second).rejects.toMatchObject({ code: 'too-many-in-flight' });
    await keeper.close();
  });

  it('enforces a ceiling that was dropped in between', async () => {
    const caller = makeCaller({ limits: { concurrentRequests: 2 } });
    await use(caller);
    expect(admission.watched).toBe(0);
    // After its key was looked up again, a caller is another object.
    const again = makeCaller({ limits: { concurrentRequests: 2 } });
    expect([caller, again, caller].map(isAdmitted)).toEqual([true, true, false]);
  });

  it('keeps ceilings in use, and only some of the others', async () => {
    const callerOf = (stack: string) =>
      makeCaller({ stack: { id: stack }, limits: { concurrentRequests: 1 } });
    const busy = Array.from({ length: 700 }, (_, index) => callerOf(`busy ${index}`));
    const permits = await Promise.all(busy.map((caller) => admission.admit(caller, unaskable)));
    for (let index = 0; index < 10_000; index++) await use(callerOf(`idle ${index}`));
    expect(admission.kept).toBeLessThan(2_100);
    expect(busy.filter(isAdmitted)).toEqual([]);
    for (const permit of permits) permit.release();
    expect(isAdmitted(callerOf('busy 0'))).toBe(true);
  });

  it('does not count what it refused', async () => {
    await use();
    await use();
    for (let count = 0; count < 50; count++) refusal();
    clock.advance(60_000);
    await use();
    await use();
  });

  it('says which limit of which plan was met, and nothing about others', () => {
    const one = makeCaller({ plan: 'go', limits: { concurrentRequests: 1 } });
    admission.admit(one, { signal: never });
    expect(refusal(one).message).toBe(
      'This stack already has 1 requests in flight, which is its limit (concurrent_requests, plan go).',
    );
    expect(refusal(makeCaller({ limits: { requestsPerMinute: 0 } })).message).toBe(
      'This stack sent 0 requests in the last minute, which is its limit (requests_per_minute, plan max).',
    );
    const key = { limits: { requestsPerMinute: null, concurrentRequests: 0 } };
    expect(refusal(makeCaller({ key })).message).toBe(
      'This key already has 0 requests in flight, which is its limit (concurrent_requests, plan max).',
    );
  });

  it('admits no request at a ceiling of zero', () => {
    const none = makeCaller({ limits: { concurrentRequests: 0 } });
    expect(refusal(none)).toMatchObject({ code: 'too-many-in-flight' });
    const never = makeCaller({ limits: { requestsPerMinute: 0 } });
    expect(refusal(never)).toMatchObject({ code: 'rate-limited', retryAfterSeconds: 5 });
  });

  it('watches no stack when nothing is going on', async () => {
    await use();
    await use(makeCaller({ stack: { id: 'other' }, limits: { concurrentRequests: 1 } }));
    await use(makeCaller({ stack: { id: 'free' } }));
    expect(admission.watched).toBe(1);
    clock.advance(60_000);
    expect(admission.watched).toBe(0);
  });
});
