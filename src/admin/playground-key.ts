import { PLAYGROUND_KEY } from '../people/playground-key.ts';
import { changeRecords } from '../store/records.ts';
import type { OperatorWork } from './operator-storage.ts';

/** Makes the key of a stack's playground, if there is none; returns false if there is no such stack. */
export function makePlaygroundKey({ pool }: OperatorWork, stackId: string): Promise<boolean> {
  return changeRecords(pool, async ({ stacks, keys }) => {
    const name = { stackId, id: PLAYGROUND_KEY };
    if ((await stacks.find(stackId)) === undefined) return false;
    if ((await keys.find(name)) === undefined) await keys.save({ ...newKey, ...name });
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
  declared: false,
} as const;
