import type pg from 'pg';
import { generateSecret, hashSecret, isKeySecret, isMistypedSecret } from '../access/key-secret.ts';
import type { DeclaredKey, DeclaredStack } from '../config/config.ts';
import { defaultStack } from '../config/default-stack.ts';
import type { KeyName } from '../store/key-records.ts';
import { changeRecords, type Records } from '../store/records.ts';
import type { StackRecord, StackValues } from '../store/stack-records.ts';
import { recordDeclaredChanges, takeSnapshot } from './declared-audit.ts';
import { OperatorError } from './operator-error.ts';

/** A secret generated because the file gave none. Shown once. */
export interface GeneratedKey extends KeyName, MadeSecret {}

/** A new secret, and the file with its copy if there is one. */
export interface MadeSecret {
  readonly secret: string;
  readonly path?: string;
}

/** Generates a secret; copies are written before the transaction commits. */
export type SecretMaker = (name: KeyName) => Promise<MadeSecret>;

/**
 * Applies the declared stacks in one transaction, and records the changes in the audit. Stacks no longer declared are disabled; those created by other means are left
 * alone.
 */
export function applyDeclaredStacks(
  pool: pg.Pool,
  declared: readonly DeclaredStack[],
  makeSecret: SecretMaker = async () => ({ secret: generateSecret() }),
): Promise<readonly GeneratedKey[]> {
  return changeRecords(pool, async (records) => {
    const before = await takeSnapshot(records);
    const existing = await records.stacks.list();
    const generated: GeneratedKey[] = [];
    for (const stack of declared) {
      await refuseForeign(records, existing, stack.id);
      await records.stacks.save(valuesOf(stack));
      generated.push(...(await applyKeys(records, stack, { declared, makeSecret })));
    }
    const declaredIds = new Set(declared.map((stack) => stack.id));
    await disableAbsent(records, existing, declaredIds);
    if (!declaredIds.has(defaultStack.id)) await disableBuiltIn(records);
    await recordDeclaredChanges(records, before);
    return generated;
  });
}

/**
 * Makes the built-in stack in one transaction, or leaves it as the operator changed it. Stacks that a file declared are disabled.
 */
export function applyBuiltInStack(
  pool: pg.Pool,
  stack: DeclaredStack,
  makeSecret: SecretMaker,
): Promise<readonly GeneratedKey[]> {
  return changeRecords(pool, async (records) => {
    const before = await takeSnapshot(records);
    const existing = await records.stacks.list();
    const isThere = existing.some(({ id, declared }) => id === stack.id && !declared);
    // Without names the stack has the first engine of each kind, also when the configuration changes.
    const ownedByOperator = { textEngines: null, imageEngine: null, declared: false };
    if (!isThere) await records.stacks.save({ ...valuesOf(stack), ...ownedByOperator });
    const generated = await applyKeys(records, stack, { declared: [stack], makeSecret });
    await disableAbsent(records, existing, new Set([stack.id]));
    await recordDeclaredChanges(records, before);
    return generated;
  });
}

/** Disables the built-in stack for a file that does not declare it; it is made again when the file is gone. */
async function disableBuiltIn(records: Records): Promise<void> {
  const stack = await records.stacks.find(defaultStack.id);
  if (stack === undefined || stack.declared || !(await isBuiltIn(records, stack.id))) return;
  const { createdAt: _c, updatedAt: _u, disabledAt: _d, ...values } = stack;
  await records.stacks.save({ ...values, declared: true });
  await records.stacks.disable(stack.id);
}

/** An operator's own stack of that name has only keys that the operator made. */
async function isBuiltIn(records: Records, id: string): Promise<boolean> {
  return id === defaultStack.id && (await records.keys.list(id)).some((key) => key.declared);
}

async function refuseForeign(records: Records, existing: readonly StackRecord[], id: string): Promise<void> {
  const isForeign = existing.some((stack) => stack.id === id && !stack.declared);
  if (isForeign && !(await isBuiltIn(records, id))) {
    throw new OperatorError(
      `the configuration declares stack "${id}", which was made by other means: choose another id, or leave it out of the file`,
    );
  }
}

function valuesOf(stack: DeclaredStack): StackValues {
  return {
    id: stack.id,
    accountId: stack.account,
    plan: stack.plan,
    imagePlan: stack.imagePlan,
    textEngines: [...stack.text],
    imageEngine: stack.image,
    models: stack.models === undefined ? null : [...stack.models],
    systemPrompt: stack.systemPrompt ?? null,
    temperature: stack.temperature ?? null,
    paused: stack.paused,
    storeResponses: stack.responses.store,
    limits: stack.limits,
    budget: stack.budget ?? null,
    declared: true,
  };
}

async function applyKeys(
  records: Records,
  stack: DeclaredStack,
  context: SecretContext,
): Promise<readonly GeneratedKey[]> {
  const existing = await records.keys.list(stack.id);
  const generated: GeneratedKey[] = [];
  for (const key of stack.keys) {
    const name = { stackId: stack.id, id: key.id };
    if (existing.some((other) => other.id === key.id && !other.declared)) {
      throw new OperatorError(
        `the configuration declares key "${key.id}" of stack "${stack.id}", which was made by other means`,
      );
    }
    await saveKey(records, name, key);
    const made = await settleSecret(records, { name, key }, context);
    if (made !== undefined) generated.push({ ...name, ...made });
  }
  const declaredIds = new Set(stack.keys.map((key) => key.id));
  for (const key of existing) {
    if (key.declared && key.disabledAt === null && !declaredIds.has(key.id)) await records.keys.disable(key);
  }
  return generated;
}

async function saveKey(records: Records, name: KeyName, key: DeclaredKey): Promise<void> {
  await records.keys.save({
    ...name,
    prompt: key.prompt ?? null,
    retrieval: key.retrieval,
    knowledge: key.knowledge ?? null,
    expiresAt: key.expiresAt ?? null,
    scopes: key.scopes === undefined ? null : [...key.scopes],
    allowedModels: key.models === undefined ? null : [...key.models],
    allowedIps: key.allowedIps === undefined ? null : [...key.allowedIps],
    readOnly: key.readOnly,
    ownImagesOnly: key.ownImagesOnly,
    limits: key.limits,
    budget: key.budget ?? null,
    declared: true,
  });
}

interface SecretContext {
  readonly declared: readonly DeclaredStack[];
  readonly makeSecret: SecretMaker;
}

/** Returns the secret if one was generated. */
async function settleSecret(
  records: Records,
  { name, key }: { readonly name: KeyName; readonly key: DeclaredKey },
  { declared, makeSecret }: SecretContext,
): Promise<MadeSecret | undefined> {
  if (key.secret === undefined && (await records.keys.hasSecret(name))) return undefined;
  const made = key.secret === undefined ? await makeSecret(name) : undefined;
  const secret = made?.secret ?? key.secret?.reveal() ?? '';
  if (isMistypedSecret(secret)) {
    throw new OperatorError(
      `the secret of key "${name.id}" of stack "${name.stackId}" has the form of a generated one, but not its check characters: it was mistyped or cut`,
    );
  }
  if (!isKeySecret(secret)) {
    throw new OperatorError(
      `the secret of key "${name.id}" of stack "${name.stackId}" begins as operator tokens do: choose another`,
    );
  }
  const hash = hashSecret(secret);
  const owner = await records.keys.ownerOf(hash);
  if (owner !== undefined && !isSameKey(owner, name) && !(await mayTakeFrom(records, owner, declared))) {
    throw new OperatorError(
      `key "${name.id}" of stack "${name.stackId}" has the same secret as key "${owner.id}" of stack "${owner.stackId}"`,
    );
  }
  await records.keys.setSecret(name, hash);
  return made;
}

/** A renamed key keeps its secret: from a declared key that is gone from the file, or has another secret there. */
async function mayTakeFrom(
  records: Records,
  owner: KeyName,
  declared: readonly DeclaredStack[],
): Promise<boolean> {
  const record = await records.keys.find(owner);
  if (record?.declared !== true) return false;
  const still = declared.find((stack) => stack.id === owner.stackId)?.keys.find((key) => key.id === owner.id);
  return still === undefined || still.secret !== undefined;
}

function isSameKey(one: KeyName, other: KeyName): boolean {
  return one.stackId === other.stackId && one.id === other.id;
}

async function disableAbsent(
  records: Records,
  existing: readonly StackRecord[],
  declaredIds: ReadonlySet<string>,
): Promise<void> {
  for (const stack of existing) {
    if (stack.declared && stack.disabledAt === null && !declaredIds.has(stack.id))
      await records.stacks.disable(stack.id);
  }
}
