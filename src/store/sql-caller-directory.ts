import { and, eq, gt, isNull, or, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { cacheScopeOf } from '../access/cache-scope.ts';
import type { Caller } from '../access/caller.ts';
import type { CallerDirectory, KnownCaller } from '../access/caller-directory.ts';
import { limitsInForce } from '../access/plan-limits.ts';
import type { Config } from '../config/config.ts';
import { DEFAULT_CHAT_PROMPT, defaultStack } from '../config/default-stack.ts';
import { servedModel } from '../config/model-path.ts';
import { orDatabaseAway } from './database-errors.ts';
import { keySecrets, keys, stacks } from './schema.ts';

type StackRow = typeof stacks.$inferSelect;
type KeyColumns = Pick<typeof keys.$inferSelect, 'id' | 'retrieval' | 'knowledge' | 'prompt' | 'limits'>;

/** Looks callers up in the database and completes them with what the configuration says of plans and engines. */
export class SqlCallerDirectory implements CallerDirectory {
  readonly #query;
  readonly #existing;
  #config: Config;

  constructor(pool: pg.Pool, config: Config) {
    this.#query = prepareQuery(pool);
    this.#existing = prepareExisting(pool);
    this.#config = config;
  }

  /** Takes plans and engines from a newly read configuration. */
  reconfigure(config: Config): void {
    this.#config = config;
  }

  async find(secretHash: string): Promise<KnownCaller | undefined> {
    const [row] = await orDatabaseAway(this.#query.execute({ secretHash }));
    if (row === undefined) return undefined;
    const moments = [row.keyExpiresAt, row.secretExpiresAt].filter((moment) => moment !== null);
    const expiresAt = moments.sort((one, other) => one.getTime() - other.getTime())[0];
    return { caller: this.#caller(row.stack, row.key), expiresAt };
  }

  async existing(secretHashes: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await orDatabaseAway(this.#existing.execute({ secretHashes }));
    return new Set(rows.map(({ secretHash }) => secretHash));
  }

  /** Written out field by field: callers are read at every request, and are then all of one shape. */
  #caller(stack: StackRow, key: KeyColumns): Caller {
    const textEngines = stack.textEngines ?? Object.keys(this.#config.engines.text).slice(0, 1);
    return {
      stack: {
        id: stack.id,
        account: stack.accountId,
        cacheScope: cacheScopeOf({ account: stack.accountId, id: stack.id }),
        imagePlan: stack.imagePlan,
        models: stack.models ?? this.#engineModels(textEngines),
        textEngines,
        imageEngine: stack.imageEngine ?? Object.keys(this.#config.engines.image)[0],
        systemPrompt: stack.systemPrompt ?? undefined,
        chatPrompt: this.#chatPrompt(stack.id, textEngines),
        temperature: stack.temperature ?? undefined,
        paused: stack.paused,
        createdAt: stack.createdAt,
      },
      key: {
        id: key.id,
        retrieval: key.retrieval,
        knowledge: key.knowledge ?? undefined,
        prompt: key.prompt ?? undefined,
        limits: {
          requestsPerMinute: key.limits.requestsPerMinute ?? null,
          concurrentRequests: key.limits.concurrentRequests ?? null,
        },
      },
      plan: {
        name: stack.plan,
        limits: limitsInForce(stack.plan, this.#config.plans[stack.plan], stack.limits),
      },
    };
  }

  /** Only of the built-in stack, which a declared one of the same name is not; and only for embedded models, which are small. */
  #chatPrompt(stackId: string, [engine = '']: readonly string[]): string | undefined {
    const { usesDefaultStack, engines } = this.#config;
    const isBuiltIn = usesDefaultStack && stackId === defaultStack.id;
    return isBuiltIn && engines.text[engine]?.kind === 'llama' ? DEFAULT_CHAT_PROMPT : undefined;
  }

  #engineModels([name]: readonly string[]): readonly string[] {
    const engine = name === undefined ? undefined : this.#config.engines.text[name];
    return engine === undefined ? [] : [servedModel(engine)];
  }
}

function prepareQuery(pool: pg.Pool) {
  const stillGood = (column: typeof keys.expiresAt | typeof keySecrets.expiresAt) =>
    or(isNull(column), gt(column, sql`now()`));
  return drizzle(pool)
    .select({
      stack: stacks,
      key: {
        id: keys.id,
        retrieval: keys.retrieval,
        knowledge: keys.knowledge,
        prompt: keys.prompt,
        limits: keys.limits,
      },
      keyExpiresAt: keys.expiresAt,
      secretExpiresAt: keySecrets.expiresAt,
    })
    .from(keySecrets)
    .innerJoin(keys, and(eq(keys.stackId, keySecrets.stackId), eq(keys.id, keySecrets.keyId)))
    .innerJoin(stacks, eq(stacks.id, keys.stackId))
    .where(
      and(
        eq(keySecrets.secretHash, sql.placeholder('secretHash')),
        isNull(keys.revokedAt),
        isNull(keys.disabledAt),
        isNull(stacks.disabledAt),
        stillGood(keys.expiresAt),
        stillGood(keySecrets.expiresAt),
      ),
    )
    .prepare('find_caller');
}

function prepareExisting(pool: pg.Pool) {
  return drizzle(pool)
    .select({ secretHash: keySecrets.secretHash })
    .from(keySecrets)
    .where(sql`${keySecrets.secretHash} = any(${sql.placeholder('secretHashes')}::text[])`)
    .prepare('existing_secrets');
}
