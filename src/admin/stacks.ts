import type pg from 'pg';
import type {
  BudgetLimits,
  EnginesConfig,
  LimitOverrides,
  NamedEngines,
  PlanName,
} from '../config/config.ts';
import { type LimitSettings, withLimitSettings } from '../config/limit-settings.ts';
import { nearestName } from '../config/nearest-name.ts';
import { recordAudit } from '../store/audit-trail.ts';
import { changeRecords, readRecords } from '../store/records.ts';
import type { StackRecord } from '../store/stack-records.ts';
import { OperatorError } from './operator-error.ts';
import type { OperatorWork } from './operator-storage.ts';
import { auditedStack } from './stack-view.ts';

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

/** Throws if the record is no longer what the operator saw. */
export type Expectation<Record> = (record: Record) => void;

const ID = /^[a-z0-9][a-z0-9-]{0,62}$/;

export function listStacks(pool: pg.Pool): Promise<readonly StackRecord[]> {
  return readRecords(pool).stacks.list();
}

export async function showStack(pool: pg.Pool, id: string): Promise<StackRecord> {
  return existing(await readRecords(pool).stacks.find(id), id);
}

/** Creates a stack that is not declared in the file. */
export function createStack(
  { pool, operator }: OperatorWork,
  id: string,
  changes: StackChanges,
): Promise<StackRecord> {
  requireId('a stack id', id);
  requireAccountId(changes.account);
  return changeRecords(pool, async ({ stacks, connection }) => {
    if ((await stacks.find(id)) !== undefined)
      throw new OperatorError(`stack "${id}" exists already`, { kind: 'conflict' });
    const stack = await stacks.save({
      ...blankStack,
      id,
      accountId: id,
      ...columns(changes, blankStack.limits),
    });
    const after = auditedStack(stack);
    await recordAudit(connection, operator, { action: 'stack.create', target: id, stackId: id, after });
    return stack;
  });
}

export interface StackChange {
  readonly changes: StackChanges;
  readonly expect?: Expectation<StackRecord>;
}

/** Changes a stack that is not declared in the file, and enables it. */
export function changeStack(
  { pool, operator }: OperatorWork,
  id: string,
  { changes, expect }: StackChange,
): Promise<StackRecord> {
  requireAccountId(changes.account);
  return changeRecords(pool, async ({ stacks, connection }) => {
    const stack = editable(await stacks.find(id), id, expect);
    const { createdAt: _c, updatedAt: _u, disabledAt: _d, ...values } = stack;
    const changed = await stacks.save({ ...values, ...columns(changes, values.limits) });
    const views = { before: auditedStack(stack), after: auditedStack(changed) };
    await recordAudit(connection, operator, { action: 'stack.change', target: id, stackId: id, ...views });
    return changed;
  });
}

/** Disables a stack that is not declared in the file, and so all of its keys. */
export function disableStack(
  { pool, operator }: OperatorWork,
  id: string,
  expect?: Expectation<StackRecord>,
): Promise<StackRecord> {
  return changeRecords(pool, async ({ stacks, connection }) => {
    const stack = editable(await stacks.find(id), id, expect);
    if (stack.disabledAt !== null) return stack;
    await stacks.disable(id);
    const disabled = existing(await stacks.find(id), id);
    const views = { before: auditedStack(stack), after: auditedStack(disabled) };
    await recordAudit(connection, operator, { action: 'stack.disable', target: id, stackId: id, ...views });
    return disabled;
  });
}

/** The reason why a stack cannot be changed here; `undefined` if it can. */
export function notEditableStack({ id, declared }: StackRecord): string | undefined {
  return declared
    ? `stack "${id}" is declared in the configuration file: change it there and send SIGHUP`
    : undefined;
}

/** Throws if the configuration lacks an engine that the changes name. */
export function requireEngines({ text, image }: StackChanges, engines: EnginesConfig): void {
  for (const name of text ?? []) requireEngine('text', name, engines.text);
  if (image != null) requireEngine('image', image, engines.image);
}

function requireEngine(kind: string, name: string, engines: NamedEngines<unknown>): void {
  if (Object.hasOwn(engines, name)) return;
  const known = Object.keys(engines);
  const nearest = nearestName(name, known);
  const hint = nearest === undefined ? `there are: ${known.join(', ')}` : `did you mean "${nearest}"?`;
  throw new OperatorError(`the configuration has no ${kind} engine "${name}"; ${hint}`);
}

function editable(
  found: StackRecord | undefined,
  id: string,
  expect: Expectation<StackRecord> | undefined,
): StackRecord {
  const stack = existing(found, id);
  const reason = notEditableStack(stack);
  if (reason !== undefined) throw new OperatorError(reason, { kind: 'conflict' });
  expect?.(stack);
  return stack;
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
  if (stack !== undefined) return stack;
  throw new OperatorError(`there is no stack "${id}"`, {
    kind: 'missing',
    hint: '"stackgate stacks list" shows them',
  });
}
