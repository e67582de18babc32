import type { Caller, CallerKey, CallerStack } from '../src/access/caller.ts';
import { limitsInForce, type PlanLimits } from '../src/access/plan-limits.ts';

interface CallerChanges {
  readonly stack?: Partial<CallerStack>;
  readonly key?: Partial<CallerKey>;
  readonly limits?: Partial<PlanLimits>;
}

/** A caller on plan Max, changed as a test needs it. */
export function caller({ stack, key, limits }: CallerChanges = {}): Caller {
  return {
    stack: {
      id: 'shop',
      account: 'acme',
      imagePlan: true,
      models: ['model-x', 'model-y'],
      textEngines: ['gpu'],
      systemPrompt: undefined,
      temperature: undefined,
      paused: false,
      createdAt: new Date('2026-01-02T03:04:05Z'),
      ...stack,
    },
    key: { id: 'web', retrieval: false, ...key },
    plan: { name: 'max', limits: { ...limitsInForce('max'), ...limits } },
  };
}
