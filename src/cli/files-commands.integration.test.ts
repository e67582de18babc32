import { beforeEach, expect, it } from 'vitest';
import { type CliResult, runCli } from '../../testing/cli-run.ts';
import { describeOnDatabase } from '../../testing/describe-on-databases.ts';
import { makeFile } from '../../testing/files/make-file.ts';
import { storeOwners } from '../../testing/images/stored-owners.ts';
import { listBlobs } from '../../testing/list-blobs.ts';
import { MemoryBlobStore } from '../../testing/memory-blob-store.ts';
import { newFileId } from '../files/file-id.ts';
import { fileBlobs } from '../store/file-blobs.ts';
import { FileRecords } from '../store/file-records.ts';
import { SqlFiles } from '../store/sql-files.ts';

const never = new AbortController().signal;

describeOnDatabase('stackgate files', (database) => {
  let blobs: MemoryBlobStore;
  const [web, app] = [newFileId(1_000), newFileId(2_000)];
  beforeEach(async () => {
    blobs = new MemoryBlobStore();
    await storeOwners(database().pool);
    const files = new SqlFiles({ records: new FileRecords(database().pool), blobs });
    for (const file of [
      makeFile({ id: web }),
      makeFile({ id: app, keyId: 'app', purpose: 'vision', name: 'fox.png' }),
    ]) {
      await files.reserve(file);
      await files.store('shop', file.id, Buffer.from('bytes'), never);
    }
  });

  it('list shows the files of a stack, newest first, and those with a purpose', async () => {
    const { code, out } = await cli('files', 'list', 'shop');
    expect([code, out.indexOf(app) < out.indexOf(web), out.includes('fox.png')]).toEqual([0, true, true]);
    const few = JSON.parse((await cli('files', 'list', 'shop', '--limit', '1', '--json')).out);
    expect(few).toMatchObject([{ id: app, stack: 'shop', key: 'app', size_bytes: 5 }]);
    const vision = JSON.parse((await cli('files', 'list', 'shop', '--purpose', 'vision', '--json')).out);
    expect(vision).toMatchObject([{ id: app }]);
    expect((await cli('files', 'list', 'other')).out).toBe('(none)\n');
  });

  it('show tells all about one', async () => {
    const { out } = await cli('files', 'show', web);
    expect(out).toMatch(/^name +invoice\.pdf$/m);
    const unknown = await cli('files', 'show', 'file_none');
    expect([unknown.code, unknown.err]).toEqual([
      3,
      expect.stringContaining('there is no file "file_none"; "stackgate files list <stack>" shows them'),
    ]);
  });

  it('delete removes one file, with a record of it', async () => {
    const { code, out } = await cli('files', 'delete', web);
    expect([code, out]).toEqual([0, expect.stringContaining(`1 file(s) of file "${web}" are erased`)]);
    expect((await listBlobs(blobs)).map(({ key }) => key)).toEqual([fileBlobs.keyOf(app)]);
    expect((await cli('files', 'delete', web)).code).toBe(3);
    expect((await cli('files', 'erasures')).out).toContain(web);
    expect((await cli('images', 'erasures')).out).toBe('(none)\n');
  });

  it('erase removes what it names', async () => {
    const erased = JSON.parse((await cli('files', 'erase', '--key', 'shop/app', '--json')).out);
    expect(erased).toMatchObject({ scope: 'key', files: 1, size_bytes: 5 });
    expect(await listBlobs(blobs)).toHaveLength(1);
    const nothing = await cli('files', 'erase');
    expect([nothing.code, nothing.err]).toEqual([3, expect.stringContaining('with one of --file, --key')]);
  });

  function cli(...argv: readonly string[]): Promise<CliResult> {
    return runCli(argv, {
      openBlobs: async () => blobs,
      withDatabase: (_config, work) => work(database().pool),
    });
  }
});
