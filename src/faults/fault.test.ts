import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fault, toFault } from './fault.ts';
import { type FaultCode, faultRow, faultTable } from './fault-table.ts';

const codes = Object.keys(faultTable) as FaultCode[];

describe('the fault table', () => {
  it.each(codes)('says of %s what it means and what to do', (code) => {
    const { meaning, remedy } = faultRow(code);
    expect(meaning).toMatch(/^[A-Z`].*\.$/);
    expect(remedy).toMatch(/^[A-Z`].*\.$/);
  });

  it('names a delay for every fault that must have one', () => {
    const retried = codes.filter((code) => [429, 503, 504].includes(faultRow(code).status));
    expect(retried.filter((code) => faultRow(code).retryAfterSeconds === undefined)).toEqual([]);
  });

  it('has only statuses of errors', () => {
    for (const code of codes) {
      expect(faultRow(code).status).toBeGreaterThanOrEqual(400);
      expect(faultRow(code).status).toBeLessThan(600);
    }
  });

  it('uses a wire code with one status only', () => {
    const statuses = new Map<string, number>();
    for (const { wireCode, status } of codes.map(faultRow)) {
      if (wireCode === undefined) continue;
      expect([wireCode, statuses.get(wireCode) ?? status]).toEqual([wireCode, status]);
      statuses.set(wireCode, status);
    }
  });
});

describe('Fault', () => {
  it('asks for a wait of 1 to 59 whole seconds, whatever it was given', () => {
    fc.assert(
      fc.property(fc.constantFrom(...codes), fc.double({ noNaN: true }), (code, retryAfterSeconds) => {
        const seconds = new Fault(code, 'No.', { retryAfterSeconds }).retryAfterSeconds;
        expect(Number.isInteger(seconds)).toBe(true);
        expect(seconds).toBeGreaterThanOrEqual(1);
        expect(seconds).toBeLessThanOrEqual(59);
      }),
    );
  });

  it('takes the wait of the table when it knows no better', () => {
    expect(new Fault('model-not-ready', 'No.').retryAfterSeconds).toBe(10);
    expect(new Fault('model-not-ready', 'No.', { retryAfterSeconds: 2.1 }).retryAfterSeconds).toBe(3);
    expect(new Fault('internal', 'No.').retryAfterSeconds).toBeUndefined();
  });

  it('takes status and wire code from the table', () => {
    const fault = new Fault('model-not-found', 'No.', { param: 'model' });
    expect([fault.status, fault.wireCode, fault.param]).toEqual([404, 'model_not_found', 'model']);
  });
});

describe('toFault', () => {
  it('leaves a fault as it is', () => {
    const fault = new Fault('draining', 'Going.');
    expect(toFault(fault)).toBe(fault);
  });

  it.each([new Error('select * from secrets'), 'a string', null, undefined, { status: 200 }])(
    'turns %s into a fault that says nothing of it',
    (thrown) => {
      const fault = toFault(thrown);
      expect([fault.code, fault.message]).toEqual(['internal', 'The gateway met an internal error.']);
      expect(fault.cause).toBe(thrown);
    },
  );
});
