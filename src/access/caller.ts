import type { PlanName } from '../config/config.ts';
import type { PlanLimits, RequestLimits } from './plan-limits.ts';

/** A stack as a request sees it: what is served, and how. */
export interface CallerStack {
  readonly id: string;
  readonly account: string;
  /** Whose prompts share caches with its own: nobody else's; see `cacheScopeOf`. */
  readonly cacheScope: string;
  readonly imagePlan: boolean;
  /** Names that `model` may take; the first is the served one. */
  readonly models: readonly string[];
  /** Names of text engines: the served one, then those that stand in for it. */
  readonly textEngines: readonly string[];
  /** Name of the image engine. */
  readonly imageEngine: string | undefined;
  readonly systemPrompt: string | undefined;
  /** Stands in for a system prompt that is not set, in chats alone: extraction and PDF never use it. */
  readonly chatPrompt: string | undefined;
  /** The stack's behaviour setting; absent: the engine's. */
  readonly temperature: number | undefined;
  /** Paused for inactivity when the process started. */
  readonly paused: boolean;
  readonly createdAt: Date;
}

/** The key that was presented, without its secret. */
export interface CallerKey {
  readonly id: string;
  /** Whether chats are answered with excerpts of the knowledge base. */
  readonly retrieval: boolean;
  /** Whether the knowledge of the stack may be listed, or also changed. */
  readonly knowledge: 'read' | 'write' | undefined;
  /** Painted when an image request has no prompt of its own. */
  readonly prompt: string | undefined;
  /** Ceilings of this key alone, within those of its stack. */
  readonly limits: RequestLimits;
}

/** Who is asking: known and allowed in, before any rule of a route runs. */
export interface Caller {
  readonly stack: CallerStack;
  readonly key: CallerKey;
  readonly plan: { readonly name: PlanName; readonly limits: PlanLimits };
}
