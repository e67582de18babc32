import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Admission, Permit } from '../src/access/admission.ts';
import { Fault } from '../src/faults/fault.ts';
import { makeCaller } from './fake-callers.ts';

const CAPACITY = 3;
const never = new AbortController().signal;
const limited = makeCaller({ limits: { concurrentRequests: CAPACITY } });
/** A request whose signal must not be read: there is nothing to wait for. */
export const unaskable = {
  get signal(): AbortSignal {
    throw new Error('the signal was asked for, which costs a tenth of a small request');
  },
};

/** Contract of every admission; `make` gives an idle one. */
export function describeAdmission(
  name: string,
  make: () => Admission | Promise<Admission>,
  histories = 500,
): void {
  describe(`${name} as an admission`, () => {
    let admission: Admission;
    beforeEach(async () => {
      admission = await make();
    });

    const admit = async (caller = limited): Promise<Permit> =>
      await admission.admit(caller, { signal: never });
    const freePlaces = async (): Promise<number> => {
      const permits: Permit[] = [];
      while (permits.length <= CAPACITY) {
        const permit = await admit().catch(() => undefined);
        if (permit === undefined) break;
        permits.push(permit);
      }
      for (const permit of permits) permit.release();
      return permits.length;
    };

    it('gives as many permits as there are, then says no with a delay', async () => {
      for (let count = 0; count < CAPACITY; count++) await admit();
      const refusal = await admit().catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(Fault);
      expect(refusal).toMatchObject({ status: 429, retryAfterSeconds: expect.any(Number) });
    });

    it('takes a permit back', async () => {
      const permit = await admit();
      expect(await freePlaces()).toBe(CAPACITY - 1);
      permit.release();
      expect(await freePlaces()).toBe(CAPACITY);
    });

    it('takes a permit back once, however often it is given back', async () => {
      await admit();
      const permit = await admit();
      permit.release();
      permit.release();
      expect(await freePlaces()).toBe(CAPACITY - 1);
    });

    it('holds nothing for work that it refused', async () => {
      const permits = await Promise.all(Array.from({ length: CAPACITY }, () => admit()));
      for (let count = 0; count < 10; count++) await expect(admit()).rejects.toBeInstanceOf(Fault);
      for (const permit of permits) permit.release();
      expect(await freePlaces()).toBe(CAPACITY);
    });

    it('keeps the stacks apart', async () => {
      for (let count = 0; count < CAPACITY; count++) await admit();
      const other = makeCaller({ stack: { id: 'other' }, limits: { concurrentRequests: 1 } });
      await expect(admit(other)).resolves.toBeDefined();
    });

    it('holds the permits of a key within those of its stack', async () => {
      const one = { limits: { requestsPerMinute: null, concurrentRequests: 1 } };
      const web = makeCaller({ key: one, limits: { concurrentRequests: 2 } });
      const app = makeCaller({ key: { id: 'app', ...one }, limits: { concurrentRequests: 2 } });
      const batch = makeCaller({ key: { id: 'batch', ...one }, limits: { concurrentRequests: 2 } });
      const permit = await admit(web);
      await expect(admit(web)).rejects.toThrow(/^This key already has 1 /);
      await admit(app);
      await expect(admit(batch)).rejects.toThrow(/^This stack already has 2 /);
      permit.release();
      await expect(admit(batch)).resolves.toBeDefined();
    });

    it('counts the requests of a minute for the key and for the stack', async () => {
      const key = (id: string) => ({ id, limits: { requestsPerMinute: 2, concurrentRequests: null } });
      const web = makeCaller({ key: key('web'), limits: { requestsPerMinute: 3 } });
      const app = makeCaller({ key: key('app'), limits: { requestsPerMinute: 3 } });
      for (let count = 0; count < 2; count++) (await admit(web)).release();
      await expect(admit(web)).rejects.toThrow(/^This key sent 2 /);
      await admit(app);
      await expect(admit(app)).rejects.toThrow(/^This stack sent 3 /);
    });

    it('asks nothing of those who have no ceiling', () => {
      expect(admission.admit(makeCaller(), unaskable)).not.toBeInstanceOf(Promise);
    });

    it('has every permit free again after any history', async () => {
      const step = fc.record({
        what: fc.constantFrom('admit', 'give back'),
        which: fc.nat({ max: 5 }),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
          admission = await make();
          const held = new Map<number, Permit>();
          const given: Permit[] = [];
          for (const { what, which } of steps) {
            const entry = held.get(which);
            if (what === 'admit' && entry === undefined) {
              const permit = await admit().catch(() => undefined);
              expect(permit === undefined).toBe(held.size >= CAPACITY);
              if (permit) held.set(which, permit);
              if (permit) given.push(permit);
            } else if (what === 'give back') {
              entry?.release();
              held.delete(which);
            }
          }
          for (const permit of given) permit.release();
          expect(await freePlaces()).toBe(CAPACITY);
        }),
        { numRuns: histories },
      );
    });
  });
}
