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
  /** All names of its text model; usage and prices have the first. */
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
  /** The models that it may use; absent: all. */
  readonly models: readonly string[] | undefined;
  /** Absent if the key may use every part of the API from everywhere, and not only to read. */
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
  /** Accepted values of `model`: those names of the stack's text model that the key may use. The first is the default. */
  readonly models: readonly string[];
  readonly plan: { readonly name: PlanName; readonly limits: PlanLimits };
  /** Hard limits of money, of the account, the stack and the key; absent if there are none. */
  readonly budgets: readonly CallerBudget[] | undefined;
}
