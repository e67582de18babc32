import { PLAYGROUND_KEY } from '../people/playground-key.ts';
import { recordAudit } from '../store/audit-trail.ts';
import { changeRecords } from '../store/records.ts';
import { auditedKey } from './key-view.ts';
import type { OperatorWork } from './operator-storage.ts';

/** Makes the key of a stack's playground, if there is none; returns false if there is no such stack. */
export function makePlaygroundKey({ pool, operator }: OperatorWork, stackId: string): Promise<boolean> {
  return changeRecords(pool, async ({ stacks, keys, connection }) => {
    const name = { stackId, id: PLAYGROUND_KEY };
    if ((await stacks.find(stackId)) === undefined) return false;
    if ((await keys.find(name)) !== undefined) return true;
    const after = auditedKey(await keys.save({ ...newKey, ...name }));
    const target = `${stackId}/${PLAYGROUND_KEY}`;
    await recordAudit(connection, operator, { action: 'key.create', target, stackId, after });
    return true;
  });
}

/** It may use the stack's documents, as those may who use the console. */
const newKey = {
  prompt: null,
  retrieval: false,
  knowledge: 'write',
  expiresAt: null,
  limits: {},
  scopes: null,
  allowedModels: null,
  allowedIps: null,
  readOnly: false,
  ownImagesOnly: false,
  budget: null,
  declared: false,
} as const;
