import type pg from 'pg';
import { z } from 'zod';
import { cacheScopeOf } from '../access/cache-scope.ts';
import type { Caller } from '../access/caller.ts';
import type { CallerDirectory, KnownCaller } from '../access/caller-directory.ts';
import type { KeyRestrictions } from '../access/key-guard.ts';
import { limitsInForce } from '../access/plan-limits.ts';
import { MICROS_PER_UNIT } from '../access/price-list.ts';
import type { Config } from '../config/config.ts';
import { DEFAULT_CHAT_PROMPT, defaultStack } from '../config/default-stack.ts';
import { servedModel } from '../config/model-path.ts';
import { orDatabaseAway } from './database-errors.ts';
import { keyRow } from './key-records.ts';
import { findRow, queryRows } from './query.ts';
import { prepared, type Sql, sql } from './sql.ts';
import { stackRow } from './stack-records.ts';

const {
  id: keyId,
  limits: keyLimits,
  budget: keyBudget,
  stackId: _stackId,
  revokedAt: _revokedAt,
  declared: _declared,
  disabledAt: _disabledAt,
  createdAt: _createdAt,
  secretSetAt: _secretSetAt,
  ...keyColumns
} = keyRow.shape;
const callerRow = stackRow
  .omit({ declared: true, disabledAt: true, updatedAt: true })
  .extend({ ...keyColumns, keyId, keyLimits, keyBudget, accountBudget: keyBudget });
const secretRow = z.object({ secretHash: z.string() });

// Columns by name: `*` would fail in prepared statements when a newer version adds a column.
const CALLER = sql`stacks.id, account_id, plan, image_plan, text_engines, image_engine, stacks.models, system_prompt, temperature,
  paused, store_responses, stacks.limits, stacks.created_at, keys.id as key_id, retrieval, knowledge, prompt,
  keys.limits as key_limits, scopes, allowed_models, allowed_ips, read_only, own_images_only,
  stacks.budget, keys.budget as key_budget,
  (select accounts.budget from accounts where accounts.id = stacks.account_id) as account_budget`;
const STACK_CALLER = sql`stacks.id, account_id, plan, image_plan, text_engines, image_engine, models, system_prompt,
  temperature, paused, store_responses, stacks.limits, stacks.created_at, '' as key_id, false as retrieval,
  null as knowledge, null as prompt, '{}'::jsonb as key_limits, null::timestamptz as expires_at,
  null::text[] as scopes, null::text[] as allowed_models, null::text[] as allowed_ips, false as read_only,
  false as own_images_only, stacks.budget, null::jsonb as key_budget,
  (select accounts.budget from accounts where accounts.id = stacks.account_id) as account_budget`;
const IS_VALID = sql`revoked_at is null and keys.disabled_at is null and stacks.disabled_at is null
  and (keys.expires_at is null or keys.expires_at > now())`;

type CallerRow = z.infer<typeof callerRow>;

/** Looks callers up in the database and completes them with plans and engines from the configuration. */
export class SqlCallerDirectory implements CallerDirectory {
  readonly #pool: pg.Pool;
  #config: Config;

  constructor(pool: pg.Pool, config: Config) {
    this.#pool = pool;
    this.#config = config;
  }

  /** Takes plans and engines from a newly read configuration. */
  reconfigure(config: Config): void {
    this.#config = config;
  }

  async find(secretHash: string): Promise<KnownCaller | undefined> {
    const query = prepared(
      'find_caller',
      sql`select ${CALLER}, least(keys.expires_at, key_secrets.expires_at) as expires_at
        from key_secrets
        join keys on keys.stack_id = key_secrets.stack_id and keys.id = key_secrets.key_id
        join stacks on stacks.id = keys.stack_id
        where secret_hash = ${secretHash} and ${IS_VALID}
          and (key_secrets.expires_at is null or key_secrets.expires_at > now())`,
    );
    return await this.#known(query);
  }

  async findKey(stackId: string, keyId: string): Promise<KnownCaller | undefined> {
    const query = prepared(
      'find_key_caller',
      sql`select ${CALLER}, keys.expires_at from keys join stacks on stacks.id = keys.stack_id
        where keys.stack_id = ${stackId} and keys.id = ${keyId} and ${IS_VALID}`,
    );
    return await this.#known(query);
  }

  /** The caller of a stack with no key of its own, for operators. */
  async findStack(stackId: string): Promise<Caller | undefined> {
    const row = await orDatabaseAway(
      findRow(this.#pool, callerRow, sql`select ${STACK_CALLER} from stacks where id = ${stackId}`),
    );
    return row && this.#caller(row);
  }

  async existing(secretHashes: readonly string[]): Promise<ReadonlySet<string>> {
    const query = prepared(
      'existing_secrets',
      sql`select secret_hash from key_secrets where secret_hash = any(${secretHashes}::text[])`,
    );
    const rows = await orDatabaseAway(queryRows(this.#pool, secretRow, query));
    return new Set(rows.map(({ secretHash }) => secretHash));
  }

  async #known(query: Sql): Promise<KnownCaller | undefined> {
    const row = await orDatabaseAway(findRow(this.#pool, callerRow, query));
    return row && { caller: this.#caller(row), expiresAt: row.expiresAt ?? undefined };
  }

  /** Written out field by field: callers are read at every request, and then all have the same shape. */
  #caller(row: CallerRow): Caller {
    const textEngines = row.textEngines ?? Object.keys(this.#config.engines.text).slice(0, 1);
    const models = row.models ?? this.#engineModels(textEngines);
    return {
      stack: {
        id: row.id,
        account: row.accountId,
        cacheScope: cacheScopeOf({ account: row.accountId, id: row.id }),
        imagePlan: row.imagePlan,
        models,
        textEngines,
        imageEngine: row.imageEngine ?? Object.keys(this.#config.engines.image)[0],
        systemPrompt: row.systemPrompt ?? undefined,
        chatPrompt: this.#chatPrompt(row.id),
        temperature: row.temperature ?? undefined,
        storesResponses: row.storeResponses,
        paused: row.paused,
        createdAt: row.createdAt,
      },
      key: {
        id: row.keyId,
        retrieval: row.retrieval,
        knowledge: row.knowledge ?? undefined,
        prompt: row.prompt ?? undefined,
        models: row.allowedModels ?? undefined,
        restrictions: restrictionsOf(row),
        ownImagesOnly: row.ownImagesOnly,
        limits: {
          requestsPerMinute: row.keyLimits.requestsPerMinute ?? null,
          concurrentRequests: row.keyLimits.concurrentRequests ?? null,
        },
      },
      models: permittedModels(models, row.allowedModels),
      plan: {
        name: row.plan,
        limits: limitsInForce(row.plan, this.#config.plans[row.plan], row.limits),
      },
      budgets: budgetsOf(row),
    };
  }

  /** A declared stack of the same name is not the built-in one. */
  #chatPrompt(stackId: string): string | undefined {
    const isBuiltIn = this.#config.usesDefaultStack && stackId === defaultStack.id;
    return isBuiltIn ? DEFAULT_CHAT_PROMPT : undefined;
  }

  #engineModels([name]: readonly string[]): readonly string[] {
    const engine = name === undefined ? undefined : this.#config.engines.text[name];
    return engine === undefined ? [] : [servedModel(engine)];
  }
}

function permittedModels(models: readonly string[], permitted: readonly string[] | null): readonly string[] {
  return permitted === null ? models : models.filter((model) => permitted.includes(model));
}

function restrictionsOf({ scopes, allowedIps, readOnly }: CallerRow): KeyRestrictions | undefined {
  if (scopes === null && allowedIps === null && !readOnly) return undefined;
  return { scopes: scopes ?? undefined, allowedIps: allowedIps ?? undefined, readOnly };
}

function budgetsOf({ accountBudget, budget, keyBudget }: CallerRow): Caller['budgets'] {
  const limits = { account: accountBudget?.hard, stack: budget?.hard, key: keyBudget?.hard };
  const budgets = (['account', 'stack', 'key'] as const).flatMap((scope) => {
    const hard = limits[scope];
    return hard === undefined ? [] : [{ scope, hardMicros: Math.floor(hard * MICROS_PER_UNIT) }];
  });
  return budgets.length === 0 ? undefined : budgets;
}
