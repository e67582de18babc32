import { expect, it } from 'vitest';
import { describeOnDatabases } from '../../testing/describe-on-databases.ts';
import { makeImage } from '../../testing/images/make-image.ts';
import { storeOwners } from '../../testing/images/stored-owners.ts';
import { ImageRecords } from './image-records.ts';
import { execute } from './query.ts';
import { sql } from './sql.ts';
import { SqlStorageBook } from './sql-storage-book.ts';

describeOnDatabases('SqlStorageBook', (database) => {
  it('adds up the images that are there and the documents of one stack', async () => {
    const { pool } = database();
    await storeOwners(pool);
    const book = new SqlStorageBook(pool);
    expect(await book.storedBytes('shop')).toBe(0);
    const records = new ImageRecords(pool);
    const sha256 = 'a'.repeat(64);
    for (const [stackId, sizeBytes] of [
      ['shop', 1_000],
      ['shop', 200],
      ['other', 5_000],
    ] as const) {
      await records.insert(makeImage({ stackId }), { sizeBytes, sha256 }, 30);
    }
    await execute(
      pool,
      sql`insert into knowledge_documents (id, stack_id, name, declared, blob, sha256, size_bytes)
        values (${`doc_${'1'.repeat(32)}`}, 'shop', 'a.md', false, 'b', ${sha256}, 30),
          (${`doc_${'2'.repeat(32)}`}, 'other', 'a.md', false, 'c', ${sha256}, 7)`,
    );
    expect(await book.storedBytes('shop')).toBe(1_230);
    expect(await book.storedBytes('other')).toBe(5_007);
    await execute(pool, sql`update images set expires_at = now() where stack_id = 'shop'`);
    expect(await book.storedBytes('shop')).toBe(30);
  });
});
