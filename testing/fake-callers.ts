import { cacheScopeOf } from '../src/access/cache-scope.ts';
import type { Caller, CallerKey, CallerStack } from '../src/access/caller.ts';
import type { CallerDirectory, KnownCaller } from '../src/access/caller-directory.ts';
import { hashSecret } from '../src/access/key-secret.ts';
import { limitsInForce, type PlanLimits } from '../src/access/plan-limits.ts';
import type { PlanName } from '../src/config/config.ts';

interface CallerDetails {
  readonly stack?: Partial<CallerStack>;
  readonly key?: Partial<CallerKey>;
  readonly plan?: PlanName;
  readonly limits?: Partial<PlanLimits>;
  readonly budgets?: Caller['budgets'];
}

/** A caller on plan Max with one model, with overrides. */
export function makeCaller({ stack, key, plan = 'max', limits, budgets }: CallerDetails = {}): Caller {
  const { models = ['tiny'] } = stack ?? {};
  return {
    stack: {
      id: 'shop',
      account: 'acme',
      cacheScope: cacheScopeOf({ account: 'acme', id: stack?.id ?? 'shop' }),
      imagePlan: true,
      models,
      textEngines: ['gpu'],
      imageEngine: 'flux',
      systemPrompt: undefined,
      chatPrompt: undefined,
      temperature: undefined,
      storesResponses: true,
      paused: false,
      createdAt: new Date('2026-01-02T03:04:05Z'),
      ...stack,
    },
    key: {
      id: 'web',
      retrieval: false,
      knowledge: undefined,
      prompt: undefined,
      models: undefined,
      restrictions: undefined,
      ownImagesOnly: false,
      limits: { requestsPerMinute: null, concurrentRequests: null },
      ...key,
    },
    models: models.filter((model) => key?.models?.includes(model) !== false),
    plan: { name: plan, limits: { ...limitsInForce(plan), ...limits } },
    budgets,
  };
}

/** An in-memory directory that counts lookups and can fail or be paused. */
export class FakeCallerDirectory implements CallerDirectory {
  readonly #callers = new Map<string, KnownCaller>();
  lookups = 0;
  /** Looked-up hashes, in order. */
  readonly asked: string[] = [];
  /** Hashes queried together, in order. */
  readonly questions: (readonly string[])[] = [];
  /** Thrown by the next lookups. */
  failure: unknown;
  /** Awaited by the next lookups before they answer. */
  hold: Promise<void> | undefined;

  add(secret: string, caller: Caller, expiresAt?: Date): void {
    this.#callers.set(hashSecret(secret), { caller, expiresAt });
  }

  revoke(secret: string): void {
    this.#callers.delete(hashSecret(secret));
  }

  async find(secretHash: string): Promise<KnownCaller | undefined> {
    this.lookups++;
    this.asked.push(secretHash);
    if (this.failure !== undefined) throw this.failure;
    const read = this.#callers.get(secretHash);
    await this.hold;
    return read;
  }

  async findKey(stackId: string, keyId: string): Promise<KnownCaller | undefined> {
    if (this.failure !== undefined) throw this.failure;
    return [...this.#callers.values()].find(
      ({ caller }) => caller.stack.id === stackId && caller.key.id === keyId,
    );
  }

  async existing(secretHashes: readonly string[]): Promise<ReadonlySet<string>> {
    this.questions.push(secretHashes);
    if (this.failure !== undefined) throw this.failure;
    return new Set(secretHashes.filter((hash) => this.#callers.has(hash)));
  }
}
