import { PLAYGROUND_KEY } from '../config/playground-key.ts';
import { recordAudit } from '../store/audit-trail.ts';
import { changeRecords } from '../store/records.ts';
import { auditedKey } from './key-view.ts';
import { blankKey } from './keys.ts';
import type { OperatorWork } from './operator-storage.ts';

/** Makes the key of a stack's playground, if there is none; returns false if there is no such stack. */
export function makePlaygroundKey({ pool, operator }: OperatorWork, stackId: string): Promise<boolean> {
  return changeRecords(pool, async ({ stacks, keys, connection }) => {
    const name = { stackId, id: PLAYGROUND_KEY };
    if ((await stacks.find(stackId)) === undefined) return false;
    if ((await keys.find(name)) !== undefined) return true;
    // It may use the stack's documents, as those may who use the console.
    const after = auditedKey(await keys.save({ ...blankKey, ...name, knowledge: 'write' }));
    const target = `${stackId}/${PLAYGROUND_KEY}`;
    await recordAudit(connection, operator, { action: 'key.create', target, stackId, after });
    return true;
  });
}
