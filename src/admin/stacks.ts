import type pg from 'pg';
import type { BudgetLimits, LimitOverrides, PlanName } from '../config/config.ts';
import { type LimitSettings, withLimitSettings } from '../config/limit-settings.ts';
import { changeRecords, readRecords } from '../store/records.ts';
import type { StackRecord } from '../store/stack-records.ts';
import { OperatorError } from './operator-error.ts';

/** Changes to a stack; absent: unchanged. `null` restores the default. */
export interface StackChanges {
  readonly account?: string;
  readonly plan?: PlanName;
  readonly imagePlan?: boolean;
  readonly text?: readonly string[] | null;
  readonly image?: string | null;
  readonly models?: readonly string[] | null;
  readonly systemPrompt?: string | null;
  readonly temperature?: number | null;
  readonly paused?: boolean;
  readonly storeResponses?: boolean;
  readonly limits?: LimitOverrides;
  readonly budget?: BudgetLimits | null;
  /** Changes to single limits. */
  readonly limitSettings?: LimitSettings;
}

const ID = /^[a-z0-9][a-z0-9-]{0,62}$/;

export function listStacks(pool: pg.Pool): Promise<readonly StackRecord[]> {
  return readRecords(pool).stacks.list();
}

export async function showStack(pool: pg.Pool, id: string): Promise<StackRecord> {
  return existing(await readRecords(pool).stacks.find(id), id);
}

/** Creates a stack that is not declared in the file. */
export function createStack(pool: pg.Pool, id: string, changes: StackChanges): Promise<StackRecord> {
  requireId('a stack id', id);
  requireAccountId(changes.account);
  return changeRecords(pool, async ({ stacks }) => {
    if ((await stacks.find(id)) !== undefined) throw new OperatorError(`stack "${id}" exists already`);
    return stacks.save({ ...blankStack, id, accountId: id, ...columns(changes, blankStack.limits) });
  });
}

/** Changes a stack that is not declared in the file. */
export function changeStack(pool: pg.Pool, id: string, changes: StackChanges): Promise<StackRecord> {
  requireAccountId(changes.account);
  return changeRecords(pool, async ({ stacks }) => {
    const { createdAt: _c, updatedAt: _u, disabledAt: _d, ...values } = existing(await stacks.find(id), id);
    if (values.declared) {
      throw new OperatorError(
        `stack "${id}" is declared in the configuration file: change it there and send SIGHUP`,
      );
    }
    return stacks.save({ ...values, ...columns(changes, values.limits) });
  });
}

function requireAccountId(id: string | undefined): void {
  if (id !== undefined) requireId('an account id', id);
}

function requireId(what: string, id: string): void {
  if (ID.test(id)) return;
  throw new OperatorError(`${what} is lower-case letters, digits and "-", at most 63 of them; got "${id}"`);
}

const blankStack = {
  plan: 'go' as const,
  imagePlan: false,
  textEngines: null,
  imageEngine: null,
  models: null,
  systemPrompt: null,
  temperature: null,
  paused: false,
  storeResponses: true,
  limits: { extraction: {}, pdf: {}, images: {} } satisfies LimitOverrides,
  budget: null,
  declared: false,
};

const noSettings: LimitSettings = new Map();

/** The changes as columns; absent ones are omitted, so that they overwrite nothing. */
function columns(
  { account, text, image, models, limits, limitSettings, ...same }: StackChanges,
  existing: LimitOverrides,
) {
  return {
    ...same,
    limits: withLimitSettings(limits ?? existing, limitSettings ?? noSettings),
    ...(account === undefined ? {} : { accountId: account }),
    ...(text === undefined ? {} : { textEngines: text && [...text] }),
    ...(image === undefined ? {} : { imageEngine: image }),
    ...(models === undefined ? {} : { models: models && [...models] }),
  };
}

function existing(stack: StackRecord | undefined, id: string): StackRecord {
  if (stack === undefined)
    throw new OperatorError(`there is no stack "${id}"; "stackgate stacks list" shows them`);
  return stack;
}
