import { hostname } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import type { Operator } from '../access/operator.ts';
import { type AuditedAction, recordAudit } from '../store/audit-trail.ts';
import type { Records } from '../store/records.ts';
import { auditedKey } from './key-view.ts';
import { auditedStack } from './stack-view.ts';

/** Stacks and keys at a moment, as the audit shows them, by their names. */
export interface DeclaredSnapshot {
  readonly stacks: ReadonlyMap<string, object>;
  readonly keys: ReadonlyMap<string, object>;
}

export async function takeSnapshot({ stacks, keys }: Records): Promise<DeclaredSnapshot> {
  const [allStacks, allKeys] = [await stacks.list(), await keys.list()];
  return {
    stacks: new Map(allStacks.map((stack) => [stack.id, auditedStack(stack)])),
    keys: new Map(allKeys.map((key) => [`${key.stackId}/${key.id}`, auditedKey(key)])),
  };
}

/** Records the changes that the configuration file made since the snapshot. */
export async function recordDeclaredChanges(records: Records, before: DeclaredSnapshot): Promise<void> {
  const after = await takeSnapshot(records);
  const changes = [
    ...differences('stack', before.stacks, after.stacks),
    ...differences('key', before.keys, after.keys),
  ];
  for (const change of changes) await recordAudit(records.connection, configurationFile(), change);
}

function differences(
  what: string,
  before: ReadonlyMap<string, object>,
  after: ReadonlyMap<string, object>,
): readonly AuditedAction[] {
  return [...after].flatMap(([target, view]) => {
    const old = before.get(target);
    const stackId = target.split('/', 1)[0] ?? '';
    if (old === undefined) return [{ action: `${what}.create`, target, stackId, after: view }];
    if (isDeepStrictEqual(old, view)) return [];
    return [{ action: `${what}.change`, target, stackId, before: old, after: view }];
  });
}

/** The configuration file as the one who changes something. */
export function configurationFile(): Operator {
  return { name: 'configuration', door: 'file', role: 'operator', address: hostname() };
}
