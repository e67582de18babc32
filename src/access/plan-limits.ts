import type { LimitOverrides, PlanName } from '../config/config.ts';

/** `null` means unlimited. */
export interface RequestLimits {
  readonly requestsPerMinute: number | null;
  readonly concurrentRequests: number | null;
}

/** Every ceiling of a plan. `null` means unlimited. */
export interface PlanLimits extends RequestLimits {
  readonly tokensPerDay: number | null;
  readonly contextWindow: number | null;
  /** Images and documents together. */
  readonly storageBytes: number | null;
  readonly extraction: {
    readonly files: number;
    readonly documentBytes: number;
    readonly pages: number;
    readonly imageBytes: number;
    readonly megapixels: number;
  };
  readonly pdf: { readonly htmlBytes: number; readonly pages: number };
  readonly images: {
    readonly submissionsPerMinute: number;
    readonly inFlight: number;
    readonly rendering: number;
    readonly queueWaitSeconds: number;
  };
}

const MB = 1_000_000;
const unlimited = {
  tokensPerDay: null,
  requestsPerMinute: null,
  concurrentRequests: null,
  contextWindow: null,
  storageBytes: null,
};
const images = { submissionsPerMinute: 10, inFlight: 3, rendering: 1, queueWaitSeconds: 60 };

const max: PlanLimits = {
  ...unlimited,
  extraction: { files: 10, documentBytes: 25 * MB, pages: 50, imageBytes: 15 * MB, megapixels: 20 },
  pdf: { htmlBytes: 8 * MB, pages: 75 },
  images,
};

/** Enterprise is custom: what a stack leaves unset is Max's. */
export const planTable: Readonly<Record<PlanName, PlanLimits>> = {
  go: {
    ...unlimited,
    extraction: { files: 1, documentBytes: 8 * MB, pages: 15, imageBytes: 5 * MB, megapixels: 20 },
    pdf: { htmlBytes: 2 * MB, pages: 20 },
    images,
  },
  pro: {
    ...unlimited,
    extraction: { files: 5, documentBytes: 15 * MB, pages: 30, imageBytes: 10 * MB, megapixels: 20 },
    pdf: { htmlBytes: 5 * MB, pages: 50 },
    images,
  },
  max,
  enterprise: max,
};

/** The limits in force: the table's, overridden by the operator's plan, overridden by the stack. */
export function limitsInForce(
  plan: PlanName,
  ...overrides: readonly (LimitOverrides | undefined)[]
): PlanLimits {
  return overrides.reduce<PlanLimits>(withOverrides, planTable[plan]);
}

/** Written out field by field, so that all limits share one hidden class: they are read for every request. */
function withOverrides(limits: PlanLimits, overrides: LimitOverrides | undefined): PlanLimits {
  if (overrides === undefined) return limits;
  return {
    tokensPerDay: ceilingOf(overrides.tokensPerDay, limits.tokensPerDay),
    requestsPerMinute: ceilingOf(overrides.requestsPerMinute, limits.requestsPerMinute),
    concurrentRequests: ceilingOf(overrides.concurrentRequests, limits.concurrentRequests),
    contextWindow: ceilingOf(overrides.contextWindow, limits.contextWindow),
    storageBytes: ceilingOf(overrides.storageBytes, limits.storageBytes),
    extraction: { ...limits.extraction, ...overrides.extraction },
    pdf: { ...limits.pdf, ...overrides.pdf },
    images: { ...limits.images, ...overrides.images },
  };
}

/** `null` lifts a ceiling. */
function ceilingOf(override: number | null | undefined, planned: number | null): number | null {
  return override === undefined ? planned : override;
}
