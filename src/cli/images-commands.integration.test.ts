import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type CliResult, runCli } from '../../testing/cli-run.ts';
import { describeOnDatabase } from '../../testing/describe-on-databases.ts';
import { BrokenBlobStore } from '../../testing/images/broken-blob-store.ts';
import { makeImage } from '../../testing/images/make-image.ts';
import { storeOwners } from '../../testing/images/stored-owners.ts';
import { listBlobs } from '../../testing/list-blobs.ts';
import type { StoredImage } from '../images/gallery.ts';
import { blobKeyOf } from '../store/image-blobs.ts';
import { ImageRecords } from '../store/image-records.ts';
import { SqlGallery } from '../store/sql-gallery.ts';

const never = new AbortController().signal;

describeOnDatabase('stackgate images', (database) => {
  let blobs: BrokenBlobStore;
  let folder: string;
  let web: StoredImage;
  let app: StoredImage;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'stackgate-images-'));
    blobs = new BrokenBlobStore();
    await storeOwners(database().pool);
    const records = new ImageRecords(database().pool);
    const gallery = new SqlGallery({ records, blobs, retentionDays: 30 });
    web = await gallery.keep(makeImage(), never);
    app = await gallery.keep(makeImage({ keyId: 'app', prompt: 'long '.repeat(20) }), never);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('list shows the images of a stack, of a key, of a time', async () => {
    const { code, out } = await cli('images', 'list', 'shop');
    expect([code, out.split('\n').length]).toEqual([0, 4]);
    expect(out).toContain(web.id);
    expect(out).toContain('long long long long long long long long…');
    expect((await cli('images', 'list', 'shop', '--limit', '1')).out.split('\n')).toHaveLength(3);
    const ofKey = JSON.parse((await cli('images', 'list', 'shop', '--key', 'app', '--json')).out);
    expect(ofKey).toMatchObject([{ id: app.id, seed: '18446744073709551615', size: '1024x1024' }]);
    expect((await cli('images', 'list', 'shop', '--from', '2999-01-01')).out).toBe('(none)\n');
    expect((await cli('images', 'list', 'other')).out).toBe('(none)\n');
    expect((await cli('images', 'list', 'shop', '--limit', '0')).code).toBe(2);
  });

  it('show tells all about one', async () => {
    const { out } = await cli('images', 'show', web.id);
    expect(out).toMatch(/^seed +18446744073709551615$/m);
    expect(out).toContain(web.sha256);
    const unknown = await cli('images', 'show', 'img_none');
    expect([unknown.code, unknown.err]).toEqual([
      3,
      expect.stringContaining('there is no image "img_none"; "stackgate images list <stack>" shows them'),
    ]);
  });

  it('export writes files that only their owner can read, and replaces none', async () => {
    const target = join(folder, 'new', 'folder');
    const { code, out } = await cli('images', 'export', target, '--stack', 'shop');
    expect([code, out]).toEqual([0, `2 image(s) are in ${target}\n`]);
    expect(readdirSync(target)).toEqual([`${app.id}.png`, `${web.id}.png`].sort());
    expect(readFileSync(join(target, `${web.id}.png`))).toEqual(makeImage().png);
    expect(statSync(join(target, `${web.id}.png`)).mode & 0o777).toBe(0o600);
    const again = await cli('images', 'export', target, web.id);
    expect([again.code, again.err]).toEqual([3, expect.stringContaining('cannot be written: EEXIST')]);
    expect(readdirSync(target)).toHaveLength(2);
  });

  it('export refuses bytes that are gone or not those that were stored', async () => {
    await blobs.put(blobKeyOf(web.id), Buffer.from('other'), never);
    expect((await cli('images', 'export', folder, web.id)).err).toContain('not those that were stored');
    await blobs.delete(blobKeyOf(web.id), never);
    expect((await cli('images', 'export', folder, web.id)).err).toContain('are gone');
    expect((await cli('images', 'export', folder)).code).toBe(3);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('delete removes one image, with a record of it', async () => {
    const { code, out } = await cli('images', 'delete', web.id);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(
        new RegExp(`^1 image\\(s\\) of image "${web.id}" are erased \\(record \\d+\\)\\.\\n$`),
      ),
    ]);
    expect((await listBlobs(blobs)).map(({ key }) => key)).toEqual([blobKeyOf(app.id)]);
    expect((await cli('images', 'delete', web.id)).code).toBe(3);
  });

  it.each([
    [['--key', 'shop/app'], 1],
    [['--stack', 'shop'], 2],
    [['--account', 'acme'], 2],
  ])('erase %j removes what it names, and erasures shows it', async (target, count) => {
    const { code, out } = await cli('images', 'erase', ...target, '--json');
    expect([code, JSON.parse(out)]).toEqual([0, expect.objectContaining({ images: count })]);
    expect(await listBlobs(blobs)).toHaveLength(2 - count);
    expect((await cli('images', 'erasures')).out).toContain(target[0]?.slice(2) ?? '?');
  });

  it.each([
    [[], 'say whose images to erase with one of'],
    [['--stack', 'shop', '--account', 'acme'], 'say whose images to erase with one of'],
    [['--key', 'web'], '--key is a stack and a key, as in shop/web; got "web"'],
  ])('erase %j is refused', async (options, message) => {
    const { code, err } = await cli('images', 'erase', ...options);
    expect([code, err]).toEqual([3, expect.stringContaining(message)]);
    expect(await listBlobs(blobs)).toHaveLength(2);
  });

  function cli(...argv: readonly string[]): Promise<CliResult> {
    return runCli(argv, {
      openBlobs: async () => blobs,
      withDatabase: (_config, work) => work(database().pool),
    });
  }
});
