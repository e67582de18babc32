import type { PlanName } from '../config/config.ts';
import type { KeyRestrictions } from './key-guard.ts';
import type { CallerBudget } from './money-budget.ts';
import type { PlanLimits, RequestLimits } from './plan-limits.ts';

/** A stack as a request sees it. */
export interface CallerStack {
  readonly id: string;
  readonly account: string;
  /** Isolates prompt caches between stacks; see `cacheScopeOf`. */
  readonly cacheScope: string;
  readonly imagePlan: boolean;
  /** Accepted values of `model`; the first is the default. */
  readonly models: readonly string[];
  /** Text engines: the first serves, the others are fallbacks. */
  readonly textEngines: readonly string[];
  /** Name of the image engine. */
  readonly imageEngine: string | undefined;
  readonly systemPrompt: string | undefined;
  /** Used in chats if no system prompt is set; extraction and PDF never use it. */
  readonly chatPrompt: string | undefined;
  /** Absent: the engine's default. */
  readonly temperature: number | undefined;
  /** Whether responses and conversations may be stored. */
  readonly storesResponses: boolean;
  /** Paused for inactivity when the process started. */
  readonly paused: boolean;
  readonly createdAt: Date;
}

/** The presented key, without its secret. */
export interface CallerKey {
  readonly id: string;
  /** Whether chats get excerpts of the knowledge base. */
  readonly retrieval: boolean;
  /** Whether the key may list, or also change, the stack's documents. */
  readonly knowledge: 'read' | 'write' | undefined;
  /** The default prompt of image requests. */
  readonly prompt: string | undefined;
  /** Absent if the key may do everything that its stack may. */
  readonly restrictions: KeyRestrictions | undefined;
  /** Whether it sees only images that were made with it. */
  readonly ownImagesOnly: boolean;
  /** Ceilings of this key, within those of its stack. */
  readonly limits: RequestLimits;
}

/** An authenticated stack and key. */
export interface Caller {
  readonly stack: CallerStack;
  readonly key: CallerKey;
  readonly plan: { readonly name: PlanName; readonly limits: PlanLimits };
  /** Hard limits of money, of the account, the stack and the key; absent if there are none. */
  readonly budgets: readonly CallerBudget[] | undefined;
}
