import type { PlanName } from '../config/config.ts';
import type { PlanLimits } from './plan-limits.ts';

/** A stack as a request sees it: what is served, and how. */
export interface CallerStack {
  readonly id: string;
  readonly account: string;
  readonly imagePlan: boolean;
  /** Names that `model` may take; the first is the served one. */
  readonly models: readonly string[];
  readonly createdAt: Date;
}

/** The key that was presented, without its secret. */
interface CallerKey {
  readonly id: string;
}

/** Who is asking: known and allowed in, before any rule of a route runs. */
export interface Caller {
  readonly stack: CallerStack;
  readonly key: CallerKey;
  readonly plan: { readonly name: PlanName; readonly limits: PlanLimits };
}
