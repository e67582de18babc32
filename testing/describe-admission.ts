import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Admission, Permit } from '../src/access/admission.ts';
import { Fault } from '../src/faults/fault.ts';
import { makeCaller } from './fake-callers.ts';

const HISTORIES = 500;
const PLACES = 3;
const limited = makeCaller({ limits: { concurrentRequests: PLACES } });

/** What every admission promises of permits; `make` gives one in which nothing goes on. */
export function describeAdmission(name: string, make: () => Admission | Promise<Admission>): void {
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
        { numRuns: HISTORIES },
      );
    });
  });
}
