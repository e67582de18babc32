import type pg from 'pg';
import { changeRecords } from '../../src/store/records.ts';
import { storedKey, storedStack } from '../stored-rows.ts';

/** Creates keys `web` and `app` of the stacks `shop` and `other` of account `acme`. */
export async function storeOwners(pool: pg.Pool): Promise<void> {
  await changeRecords(pool, async ({ stacks, keys }) => {
    for (const stackId of ['shop', 'other']) {
      await stacks.save({ ...storedStack, id: stackId, accountId: 'acme' });
      for (const id of ['web', 'app']) await keys.save({ ...storedKey, stackId, id });
    }
  });
}
