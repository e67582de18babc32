import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Admission, Place } from '../src/access/admission.ts';
import { Fault } from '../src/faults/fault.ts';
import { makeCaller } from './fake-callers.ts';

const PLACES = 3;
const never = new AbortController().signal;
const limited = makeCaller({ limits: { concurrentRequests: PLACES } });
/** A request that has nothing to wait for, and so is not asked for its signal. */
export const unaskable = {
  get signal(): AbortSignal {
    throw new Error('the signal was asked for, which costs a tenth of a small request');
  },
};

/** What every admission promises of permits; `make` gives one in which nothing goes on. */
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

    const admit = async (caller = limited): Promise<Place> =>
      await admission.admit(caller, { signal: never });
    const freePlaces = async (): Promise<number> => {
      const places: Place[] = [];
      while (places.length <= PLACES) {
        const place = await admit().catch(() => undefined);
        if (place === undefined) break;
        places.push(place);
      }
      for (const place of places) place.giveBack();
      return places.length;
    };

    it('gives as many places as there are, then says no with a delay', async () => {
      for (let count = 0; count < PLACES; count++) await admit();
      const refusal = await admit().catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(Fault);
      expect(refusal).toMatchObject({ status: 429, retryAfterSeconds: expect.any(Number) });
    });

    it('takes a place back', async () => {
      const place = await admit();
      expect(await freePlaces()).toBe(PLACES - 1);
      place.giveBack();
      expect(await freePlaces()).toBe(PLACES);
    });

    it('takes a place back once, however often it is given back', async () => {
      await admit();
      const place = await admit();
      place.giveBack();
      place.giveBack();
      expect(await freePlaces()).toBe(PLACES - 1);
    });

    it('holds nothing for work that it refused', async () => {
      const places = await Promise.all(Array.from({ length: PLACES }, () => admit()));
      for (let count = 0; count < 10; count++) await expect(admit()).rejects.toBeInstanceOf(Fault);
      for (const place of places) place.giveBack();
      expect(await freePlaces()).toBe(PLACES);
    });

    it('keeps the stacks apart', async () => {
      for (let count = 0; count < PLACES; count++) await admit();
      const other = makeCaller({ stack: { id: 'other' }, limits: { concurrentRequests: 1 } });
      await expect(admit(other)).resolves.toBeDefined();
    });

    it('holds the places of a key within those of its stack', async () => {
      const one = { limits: { requestsPerMinute: null, concurrentRequests: 1 } };
      const web = makeCaller({ key: one, limits: { concurrentRequests: 2 } });
      const app = makeCaller({ key: { id: 'app', ...one }, limits: { concurrentRequests: 2 } });
      const batch = makeCaller({ key: { id: 'batch', ...one }, limits: { concurrentRequests: 2 } });
      const place = await admit(web);
      await expect(admit(web)).rejects.toThrow(/^This key already has 1 /);
      await admit(app);
      await expect(admit(batch)).rejects.toThrow(/^This stack already has 2 /);
      place.giveBack();
      await expect(admit(batch)).resolves.toBeDefined();
    });

    it('counts the requests of a minute for the key and for the stack', async () => {
      const key = (id: string) => ({ id, limits: { requestsPerMinute: 2, concurrentRequests: null } });
      const web = makeCaller({ key: key('web'), limits: { requestsPerMinute: 3 } });
      const app = makeCaller({ key: key('app'), limits: { requestsPerMinute: 3 } });
      for (let count = 0; count < 2; count++) (await admit(web)).giveBack();
      await expect(admit(web)).rejects.toThrow(/^This key sent 2 /);
      await admit(app);
      await expect(admit(app)).rejects.toThrow(/^This stack sent 3 /);
    });

    it('asks nothing of those who have no ceiling', () => {
      expect(admission.admit(makeCaller(), unaskable)).not.toBeInstanceOf(Promise);
    });

    it('has every place free again after any history', async () => {
      const step = fc.record({
        what: fc.constantFrom('admit', 'give back'),
        which: fc.nat({ max: 5 }),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
          admission = await make();
          const held = new Map<number, Place>();
          const given: Place[] = [];
          for (const { what, which } of steps) {
            const entry = held.get(which);
            if (what === 'admit' && entry === undefined) {
              const place = await admit().catch(() => undefined);
              expect(place === undefined).toBe(held.size >= PLACES);
              if (place) held.set(which, place);
              if (place) given.push(place);
            } else if (what === 'give back') {
              entry?.giveBack();
              held.delete(which);
            }
          }
          for (const place of given) place.giveBack();
          expect(await freePlaces()).toBe(PLACES);
        }),
        { numRuns: histories },
      );
    });
  });
}
