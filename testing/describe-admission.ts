import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Admission, Permit } from '../src/access/admission.ts';
import { Fault } from '../src/faults/fault.ts';
import { makeCaller } from './fake-callers.ts';

const PLACES = 3;
const limited = makeCaller({ limits: { concurrentRequests: PLACES } });
const unaskable = {
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

    const admit = async (signal = new AbortController().signal, caller = limited): Promise<Permit> =>
      await admission.admit(caller, 'request', { signal });
    const freePlaces = async (): Promise<number> => {
      const permits: Permit[] = [];
      while (permits.length <= PLACES) {
        const permit = await admit().catch(() => undefined);
        if (permit === undefined) break;
        permits.push(permit);
      }
      for (const permit of permits) await permit[Symbol.asyncDispose]();
      return permits.length;
    };

    it('gives as many places as there are, then says no with a delay', async () => {
      for (let count = 0; count < PLACES; count++) await admit();
      const refusal = await admit().catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(Fault);
      expect(refusal).toMatchObject({ status: 429, retryAfterSeconds: expect.any(Number) });
    });

    it('takes a place back when the permit is disposed', async () => {
      const permit = await admit();
      expect(await freePlaces()).toBe(PLACES - 1);
      await permit[Symbol.asyncDispose]();
      expect(await freePlaces()).toBe(PLACES);
    });

    it('takes a place back when the signal aborts', async () => {
      const leaving = new AbortController();
      await admit(leaving.signal);
      leaving.abort();
      expect(await freePlaces()).toBe(PLACES);
    });

    it('takes a place back once, however often it is given back', async () => {
      await admit();
      const leaving = new AbortController();
      const permit = await admit(leaving.signal);
      await permit[Symbol.asyncDispose]();
      leaving.abort();
      await permit[Symbol.asyncDispose]();
      expect(await freePlaces()).toBe(PLACES - 1);
    });

    it('holds nothing for work that it refused', async () => {
      const permits = await Promise.all(Array.from({ length: PLACES }, () => admit()));
      for (let count = 0; count < 10; count++) await expect(admit()).rejects.toBeInstanceOf(Fault);
      for (const permit of permits) await permit[Symbol.asyncDispose]();
      expect(await freePlaces()).toBe(PLACES);
    });

    it('gives no place to one whose signal has aborted', async () => {
      const gone = AbortSignal.abort(new Error('gone'));
      await expect(admit(gone)).rejects.toThrow('gone');
      expect(await freePlaces()).toBe(PLACES);
    });

    it('keeps the stacks apart', async () => {
      for (let count = 0; count < PLACES; count++) await admit();
      const other = makeCaller({ stack: { id: 'other' }, limits: { concurrentRequests: 1 } });
      await expect(admit(undefined, other)).resolves.toBeDefined();
    });

    it('holds the places of a key within those of its stack', async () => {
      const one = { limits: { requestsPerMinute: null, concurrentRequests: 1 } };
      const web = makeCaller({ key: one, limits: { concurrentRequests: 2 } });
      const app = makeCaller({ key: { id: 'app', ...one }, limits: { concurrentRequests: 2 } });
      const batch = makeCaller({ key: { id: 'batch', ...one }, limits: { concurrentRequests: 2 } });
      const permit = await admit(undefined, web);
      await expect(admit(undefined, web)).rejects.toThrow(/^This key already has 1 /);
      await admit(undefined, app);
      await expect(admit(undefined, batch)).rejects.toThrow(/^This stack already has 2 /);
      await permit[Symbol.asyncDispose]();
      await expect(admit(undefined, batch)).resolves.toBeDefined();
    });

    it('counts the requests of a minute for the key and for the stack', async () => {
      const key = (id: string) => ({ id, limits: { requestsPerMinute: 2, concurrentRequests: null } });
      const web = makeCaller({ key: key('web'), limits: { requestsPerMinute: 3 } });
      const app = makeCaller({ key: key('app'), limits: { requestsPerMinute: 3 } });
      for (let count = 0; count < 2; count++) await (await admit(undefined, web))[Symbol.asyncDispose]();
      await expect(admit(undefined, web)).rejects.toThrow(/^This key sent 2 /);
      await admit(undefined, app);
      await expect(admit(undefined, app)).rejects.toThrow(/^This stack sent 3 /);
    });

    it('asks nothing of those who have no ceiling', () => {
      expect(admission.admit(makeCaller(), 'request', unaskable)).not.toBeInstanceOf(Promise);
    });

    it('has every place free again after any history', async () => {
      const step = fc.record({
        what: fc.constantFrom('admit', 'dispose', 'abort'),
        which: fc.nat({ max: 5 }),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
          admission = await make();
          const held = new Map<number, { permit: Permit; leaving: AbortController }>();
          const given: { permit: Permit; leaving: AbortController }[] = [];
          for (const { what, which } of steps) {
            const entry = held.get(which);
            if (what === 'admit' && entry === undefined) {
              const leaving = new AbortController();
              const permit = await admit(leaving.signal).catch(() => undefined);
              expect(permit === undefined).toBe(held.size >= PLACES);
              if (permit) held.set(which, { permit, leaving });
              if (permit) given.push({ permit, leaving });
            } else if (what === 'dispose') {
              await entry?.permit[Symbol.asyncDispose]();
              held.delete(which);
            } else if (what === 'abort') {
              entry?.leaving.abort();
              held.delete(which);
            }
          }
          for (const { permit, leaving } of given) {
            leaving.abort();
            await permit[Symbol.asyncDispose]();
          }
          expect(await freePlaces()).toBe(PLACES);
        }),
        { numRuns: histories },
      );
    });
  });
}
