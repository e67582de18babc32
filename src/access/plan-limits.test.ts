import { describe, expect, it } from 'vitest';
import type { LimitOverrides, PlanName } from '../config/config.ts';
import { limitsInForce, planTable } from './plan-limits.ts';

const nothing: LimitOverrides = { extraction: {}, pdf: {}, images: {} };

describe('the plan table', () => {
  // In the order files, MB, pages, MB, megapixels; MB, pages.
  it.each<[PlanName, readonly number[]]>([
    ['go', [1, 8e6, 15, 5e6, 20, 2e6, 20]],
    ['pro', [5, 15e6, 30, 10e6, 20, 5e6, 50]],
    ['max', [10, 25e6, 50, 15e6, 20, 8e6, 75]],
    ['enterprise', [10, 25e6, 50, 15e6, 20, 8e6, 75]],
  ])('has the numbers of plan %s', (plan, numbers) => {
    const { extraction, pdf } = planTable[plan];
    expect([
      extraction.files,
      extraction.documentBytes,
      extraction.pages,
      extraction.imageBytes,
      extraction.megapixels,
      pdf.htmlBytes,
      pdf.pages,
    ]).toEqual(numbers);
  });

  it.each(Object.values(planTable))(
    'has the same image limits and no other ceilings in every plan',
    (plan) => {
      expect(plan.images).toEqual({
        submissionsPerMinute: 10,
        inFlight: 3,
        rendering: 1,
        queueWaitSeconds: 60,
      });
      expect([
        plan.tokensPerDay,
        plan.requestsPerMinute,
        plan.concurrentRequests,
        plan.contextWindow,
      ]).toEqual([null, null, null, null]);
    },
  );
});

describe('limitsInForce', () => {
  it('is the table without overrides', () => {
    expect(limitsInForce('pro')).toEqual(planTable.pro);
    expect(limitsInForce('pro', undefined, nothing)).toEqual(planTable.pro);
  });

  it('lets the stack win over the plan, and the plan over the table', () => {
    const plan: LimitOverrides = {
      requestsPerMinute: 100,
      extraction: { files: 2, pages: 99 },
      pdf: {},
      images: {},
    };
    const stack: LimitOverrides = { extraction: { files: 3 }, pdf: { pages: 1 }, images: { inFlight: 9 } };
    const limits = limitsInForce('go', plan, stack);
    expect(limits.extraction).toEqual({ ...planTable.go.extraction, files: 3, pages: 99 });
    expect(limits.pdf).toEqual({ htmlBytes: 2e6, pages: 1 });
    expect(limits.images).toEqual({ ...planTable.go.images, inFlight: 9 });
    expect(limits.requestsPerMinute).toBe(100);
  });

  it('lets a stack lift a ceiling that its plan has', () => {
    const limits = limitsInForce(
      'go',
      { ...nothing, concurrentRequests: 4 },
      { ...nothing, concurrentRequests: null },
    );
    expect(limits.concurrentRequests).toBeNull();
  });

  it('leaves the table alone', () => {
    limitsInForce('go', { ...nothing, extraction: { files: 100 } });
    expect(planTable.go.extraction.files).toBe(1);
  });
});
