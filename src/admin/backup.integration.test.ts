import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type pg from 'pg';
import { beforeEach, expect, it } from 'vitest';
import { makeDataFolder } from '../../testing/data-folder.ts';
import { describeOnDatabases } from '../../testing/describe-on-databases.ts';
import { makeFile } from '../../testing/files/make-file.ts';
import { listBlobs } from '../../testing/list-blobs.ts';
import { MemoryBlobStore } from '../../testing/memory-blob-store.ts';
import { openTestDatabase } from '../../testing/open-test-database.ts';
import { operatorWork } from '../../testing/operator-work.ts';
import { realPostgresAvailable } from '../../testing/real-postgres/postgres-binaries.ts';
import { usageRow } from '../../testing/usage/usage-rows.ts';
import { parseBlobKey } from '../blobs/blob-key.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { AgeSecrets } from '../lib/age/age-header.ts';
import { makeAgeKeys, parseIdentity, parseRecipient } from '../lib/age/age-keys.ts';
import { listAudit } from '../store/audit-trail.ts';
import { FileRecords } from '../store/file-records.ts';
import { LinkSecret } from '../store/link-secret.ts';
import { migrate } from '../store/migrate.ts';
import { dumpRows } from '../store/row-dump.ts';
import { SqlFiles } from '../store/sql-files.ts';
import { SqlUsage } from '../store/sql-usage.ts';
import { verifyAudit } from './audit.ts';
import { writeBackup } from './backup.ts';
import { createKey } from './keys.ts';
import { OperatorError } from './operator-error.ts';
import { restoreBackup } from './restore.ts';
import { createStack } from './stacks.ts';

const { signal } = new AbortController();

function newReaders() {
  const keys = makeAgeKeys();
  const [identity, recipient] = [parseIdentity(keys.identity), parseRecipient(keys.recipient)];
  if (identity === undefined || recipient === undefined) throw new Error('keys are readable');
  return { readers: { recipients: [recipient] }, secrets: { identities: [identity] } };
}

const FLIPS = 60;

describeOnDatabases('backup and restore', (database) => {
  let folder: string;
  let file: string;
  let blobs: BlobStore;
  beforeEach(async () => {
    folder = makeDataFolder();
    file = join(folder, 'all.backup');
    blobs = new MemoryBlobStore();
    await blobs.put(parseBlobKey('images/one'), Buffer.from('one'), signal);
    await createStack(operatorWork(database().pool), 'shop', { systemPrompt: 'hello' });
    await createKey(operatorWork(database().pool), { stackId: 'shop', id: 'web' });
  });

  it.skipIf(!realPostgresAvailable)('carry every row and blob to PostgreSQL and back', async () => {
    const { pool } = database();
    const other = await openTestDatabase('postgres');
    try {
      await migrate(other.pool);
      const [here, there] = [await oddBlobs(), new MemoryBlobStore()];
      await addOddRows(pool);
      const before = await contents(pool, here);
      const counts = await backUp(file, pool, here);
      expect(counts).toEqual({ rows: before.rows.length, blobs: 3 });
      expect(await restore(file, other.pool, there)).toEqual(counts);
      expect(await contents(other.pool, there)).toEqual(before);

      await backUp(file, other.pool, there);
      await here.put(parseBlobKey('left/over'), Buffer.from('x'), signal);
      await createStack(operatorWork(pool), 'left-over', {});
      // The record of the first restoring came along.
      expect(await restore(file, pool, here, { replace: true })).toEqual({
        ...counts,
        rows: counts.rows + 1,
      });
      expect(await contents(pool, here)).toEqual(before);
      expect(await verifyAudit(pool)).not.toHaveProperty('problem');
      const [restored] = await listAudit(pool, { limit: 1 });
      expect(restored).toMatchObject({ action: 'backup.restore', actor: 'ada' });
      expect(restored?.before).toMatch(/^\{"audit":\{"sequence":\d+,"hash":/);
    } finally {
      await other.close();
    }
  });

  it('are refused without the right key, or where one byte is wrong, and touch nothing', async () => {
    const { pool } = database();
    const { readers, secrets } = newReaders();
    await writeBackup(file, { pool, blobs, version: '1', signal, readers });
    const before = await contents(pool, blobs);
    const attempt = (given: AgeSecrets) =>
      restoreBackup(file, { ...operatorWork(pool), blobs, replace: true, signal, secrets: given });
    await expect(attempt({})).rejects.toThrow('the backup cannot be decrypted: it is encrypted to a key');
    await expect(attempt(newReaders().secrets)).rejects.toThrow(OperatorError);
    const whole = readFileSync(file);
    for (const place of [5, 60, 150, whole.length - 400, whole.length - 3]) {
      const changed = Buffer.from(whole);
      changed.writeUInt8(changed.readUInt8(place) ^ 0x41, place);
      writeFileSync(file, changed);
      await expect(attempt(secrets)).rejects.toThrow(OperatorError);
    }
    expect(await contents(pool, blobs)).toEqual(before);
  });

  it('include files, but not the secret of their links', async () => {
    const { pool } = database();
    const files = new SqlFiles({ records: new FileRecords(pool), blobs });
    const { id } = await files.reserve(makeFile({ accountId: 'shop' }));
    await files.store('shop', id, Buffer.from('bytes'), signal);
    const secret = await new LinkSecret(pool).read();
    await backUp(file, pool, blobs);
    expect(gunzipSync(readFileSync(file)).toString()).not.toContain('link_secrets');
    await files.remove('shop', id);
    await restore(file, pool, blobs, { replace: true });
    const restored = await files.readBytes('shop', id, signal);
    expect(Buffer.from(restored ?? []).toString()).toBe('bytes');
    expect(await new LinkSecret(pool).read()).toEqual(secret);
  });

  it('include usage, but not which process wrote it', async () => {
    const { pool } = database();
    const used = [usageRow({ latencyMs: 7.25 }), usageRow({ day: '2026-11-15', model: '' })];
    await new SqlUsage(pool).add({ process: 'one', sequence: 1, rows: used });
    await backUp(file, pool, blobs);
    expect(gunzipSync(readFileSync(file)).toString()).not.toContain('usage_writers');
    await new SqlUsage(pool).add({ process: 'one', sequence: 2, rows: used });
    await restore(file, pool, blobs, { replace: true });
    const all = { by: ['day', 'model'], since: '2026-01-01', until: '2026-12-31', limit: 10 } as const;
    expect(await new SqlUsage(pool).read(all)).toMatchObject([
      { day: '2026-11-15', model: '', requests: 1, latencyMs: 7 },
      {
        day: '2026-11-16',
        model: 'tiny',
        requests: 1,
        latencyMs: 7.25,
        latencyCounts: used[0]?.latencyCounts,
      },
    ]);
  });

  it('write a file that only its owner can read, and nothing beside it', async () => {
    await backUp(file, database().pool, blobs);
    expect(readdirSync(folder)).toEqual(['all.backup']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('carry more rows than one batch, in order of what refers to what', async () => {
    const { pool } = database();
    await pool.query(`insert into accounts (id) select 'account-' || n from generate_series(1, 450) n`);
    const before = await contents(pool, blobs);
    await backUp(file, pool, blobs);
    const { rows } = await restore(file, pool, blobs, { replace: true });
    expect(rows).toBe(450 + 6);
    expect(await contents(pool, blobs)).toEqual(before);
  });

  it('go on counting after the highest number that was restored', async () => {
    const { pool } = database();
    await pool.query('create table numbered (id bigint generated always as identity primary key, note text)');
    try {
      await pool.query(`insert into numbered (note) values ('a'), ('b')`);
      await pool.query(
        `insert into numbered (id, note) overriding system value values (9007199254740993, 'big')`,
      );
      await backUp(file, pool, blobs);
      await restore(file, pool, blobs, { replace: true });
      const { rows } = await pool.query(`insert into numbered (note) values ('next') returning id`);
      expect(rows).toEqual([{ id: '9007199254740994' }]);
    } finally {
      await pool.query('drop table numbered');
    }
  });

  it('refuse a database with rows, and touch neither it nor the blobs', async () => {
    const { pool } = database();
    await backUp(file, pool, blobs);
    await createStack(operatorWork(pool), 'later', {});
    await blobs.delete(parseBlobKey('images/one'), signal);
    await expectRefused(file, 'the database is not empty (table "accounts" has rows)');
  });

  it.each<readonly [string, (whole: Buffer) => Buffer, string]>([
    ['nothing at all', () => Buffer.alloc(0), 'the backup is damaged: it is not gzip, or is cut off'],
    ['a text', () => Buffer.from('hello'), 'the backup is damaged: it is not gzip, or is cut off'],
    ['another gzip file', () => gzipSync('{"a":1}\n'), 'the file is not a Stackgate backup'],
    ['half a backup', (whole) => whole.subarray(0, whole.length / 2), 'it is not gzip, or is cut off'],
    ['a backup without its last byte', (whole) => whole.subarray(0, -1), 'it is not gzip, or is cut off'],
    ['a backup twice over', (whole) => Buffer.concat([whole, whole]), 'it goes on after its end'],
    ['a backup without its end', edited((lines) => lines.slice(0, -1)), 'it is cut off'],
    ['a backup without a row', edited((lines) => lines.toSpliced(3, 1)), 'its checksum differs'],
    ['a backup with a changed row', editedText('hello', 'hullo'), 'its checksum differs'],
    [
      'a backup of another format',
      editedText('"format":1', '"format":2'),
      'by a version with another format',
    ],
    [
      'a backup of another schema',
      (whole) => resealed(whole, (text) => text.replace('0001-accounts', '0001-others')),
      'with another database schema: restore it with that version, then upgrade',
    ],
  ])('refuse %s, and touch nothing', async (_, damage, message) => {
    const { pool } = database();
    await backUp(file, pool, blobs);
    writeFileSync(file, damage(readFileSync(file)));
    await blobs.delete(parseBlobKey('images/one'), signal);
    await expectRefused(file, message, { replace: true });
  });

  it('refuse a missing file', async () => {
    await expectRefused(join(folder, 'none'), 'the backup cannot be read: ENOENT');
    await expectRefused(folder, 'the backup cannot be read: EISDIR');
  });

  it('restore what was backed up or refuse, whichever byte is wrong', async () => {
    const { pool } = database();
    await backUp(file, pool, blobs);
    const before = await contents(pool, blobs);
    const whole = readFileSync(file);
    let refusals = 0;
    for (let flip = 0; flip < FLIPS; flip++) {
      const bytes = Buffer.from(whole);
      const position = Math.floor((flip * bytes.length) / FLIPS);
      bytes.writeUInt8(bytes.readUInt8(position) ^ 0x41, position);
      writeFileSync(file, bytes);
      const outcome = await restore(file, pool, blobs, { replace: true }).catch((error: unknown) => error);
      if (outcome instanceof OperatorError) refusals++;
      else expect(outcome).toEqual({ rows: 4, blobs: 1 });
    }
    expect(await contents(pool, blobs)).toEqual(before);
    // Flips in the time stamp and the like of a gzip header have no effect.
    expect(refusals).toBeGreaterThan(FLIPS - 4);
  });

  it('leave no file when the backup fails or is stopped midway', async () => {
    const { pool } = database();
    const failing = blobsWhoseGet(() => Promise.reject(new Error('the disk is gone')));
    await expect(backUp(file, pool, failing)).rejects.toThrow('the disk is gone');
    expect(readdirSync(folder)).toEqual([]);

    const stop = new AbortController();
    const stopped = blobsWhoseGet(async (_key, whileReading) => {
      stop.abort();
      return Promise.reject(whileReading.reason);
    });
    const outcome = writeBackup(file, { pool, blobs: stopped, version: '1', signal: stop.signal });
    await expect(outcome).rejects.toThrow();
    expect(readdirSync(folder)).toEqual([]);
    expect((await contents(pool, blobs)).rows).toHaveLength(6);
  });

  it('keep an older backup under the name when a new one fails', async () => {
    const { pool } = database();
    await backUp(file, pool, blobs);
    const older = readFileSync(file);
    await expect(
      backUp(
        file,
        pool,
        blobsWhoseGet(() => Promise.reject(new Error('no'))),
      ),
    ).rejects.toThrow();
    expect(readFileSync(file).equals(older)).toBe(true);
  });

  it('leave the rows as they were when the restore fails at a row', async () => {
    const { pool } = database();
    await backUp(file, pool, blobs);
    writeFileSync(
      file,
      resealed(readFileSync(file), (text) => text.replace('"plan": "go"', '"plan": "no"')),
    );
    const before = await contents(pool, blobs);
    await expect(restore(file, pool, blobs, { replace: true })).rejects.toThrow('stacks_plan_check');
    expect(await contents(pool, blobs)).toEqual(before);
    expect(existsSync(file)).toBe(true);
  });

  async function expectRefused(path: string, message: string, options = { replace: false }): Promise<void> {
    const { pool } = database();
    const before = await contents(pool, blobs);
    const error = await restore(path, pool, blobs, options).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(OperatorError);
    expect(String(error)).toContain(message);
    expect(await contents(pool, blobs)).toEqual(before);
  }

  function blobsWhoseGet(get: BlobStore['get']): BlobStore {
    const { put, delete: remove, list, check } = bound(blobs);
    return { put, delete: remove, list, check, get };
  }
});

function bound(blobs: BlobStore): BlobStore {
  return {
    put: (...given) => blobs.put(...given),
    get: (...given) => blobs.get(...given),
    delete: (...given) => blobs.delete(...given),
    list: (...given) => blobs.list(...given),
    check: (...given) => blobs.check(...given),
  };
}

function backUp(path: string, pool: pg.Pool, blobs: BlobStore) {
  return writeBackup(path, { pool, blobs, version: '1.2.3', signal });
}

function restore(path: string, pool: pg.Pool, blobs: BlobStore, { replace } = { replace: false }) {
  return restoreBackup(path, { ...operatorWork(pool), blobs, replace, signal });
}

/** Everything a backup covers, in a comparable form, without the records of restoring it. */
async function contents(pool: pg.Pool, blobs: BlobStore) {
  const rows: string[] = [];
  for await (const batch of dumpRows(pool))
    rows.push(
      ...batch.rows.filter((row) => !row.includes('backup.restore')).map((row) => `${batch.table} ${row}`),
    );
  const files: [string, string][] = [];
  for (const { key } of await listBlobs(blobs)) {
    files.push([key, Buffer.from((await blobs.get(key, signal)) ?? []).toString('base64')]);
  }
  return { rows: rows.sort(), files };
}

async function oddBlobs(): Promise<BlobStore> {
  const blobs = new MemoryBlobStore();
  await blobs.put(parseBlobKey('odd/empty'), Buffer.alloc(0), signal);
  await blobs.put(parseBlobKey('odd/large.png'), randomBytes(5_000_000), signal);
  await blobs.put(parseBlobKey('odd/small'), Buffer.from([0, 10, 13, 255]), signal);
  return blobs;
}

async function addOddRows(pool: pg.Pool): Promise<void> {
  const prompt = 'quotes \' " \\ \\n, lines\r\n\u2028\u2029\u0085, 🦊 e\u0301 \u0001 {"end":1}';
  await createStack(operatorWork(pool), 'odd', {
    systemPrompt: prompt,
    temperature: 0.1 + 0.2,
    models: ['a,b', '{"', ''],
  });
  await createStack(operatorWork(pool), 'plain', {});
  await createKey(operatorWork(pool), {
    stackId: 'odd',
    id: 'web',
    prompt,
    expiresAt: new Date('2999-12-31T23:59:59.999Z'),
  });
  await pool.query(`update stacks set text_engines = array['x', null, 'NULL'], created_at = '2026-01-02 03:04:05.678901+00',
    limits = '{"extraction": {}, "pdf": {}, "images": {}, "big": 18446744073709551615, "exact": 1.10, "far": 1e40}'
    where id = 'odd'`);
  await pool.query(`insert into images (id, account_id, stack_id, key_id, route, model, prompt, width, height, steps,
      guidance_scale, seed, reference_count, size_bytes, sha256, created_at, expires_at)
    select 'img_' || repeat('0', 32), account_id, 'odd', 'web', 'edits', 'm', 'p', 1024, 1536, 8, 0.1,
      18446744073709551615, 4, 9007199254740993, repeat('f', 64), now(), now() from stacks where id = 'odd'`);
  await pool.query(`insert into knowledge_documents (id, stack_id, name, declared, blob, sha256, size_bytes, state,
      cut_chunks, searchable_version, chunks, embedding_model)
    values ('doc_' || repeat('0', 32), 'odd', 'Ä "b".md', true, 'odd/small', repeat('f', 64), 4, 'ready', 1, 1, 1, 'm')`);
  await pool.query(
    `insert into knowledge_chunks (document_id, version, ordinal, text, headings, page, vectors, embedding_model)
     values ('doc_' || repeat('0', 32), 1, 0, $1, array[$1, '', 'NULL'], 7, $2, 'm')`,
    [prompt, Buffer.from([0, 92, 120, 255])],
  );
  await pool.query(`insert into knowledge_generations (stack_id, generation) values ('odd', 'x')`);
  await pool.query(`insert into knowledge_leftovers (document_id, version) values ('gone', 2)`);
  // Transient, not part of a backup.
  await pool.query(`insert into image_places (stack_id, rendering, rendering_limit, lease_until)
    values ('odd', true, 1, now())`);
}

/** Changes the lines of a backup without updating its end. */
function edited(change: (lines: readonly string[]) => readonly string[]): (whole: Buffer) => Buffer {
  return (whole) => {
    const lines = gunzipSync(whole).toString().trimEnd().split('\n');
    return gzipSync(`${change(lines).join('\n')}\n`);
  };
}

function editedText(from: string, to: string): (whole: Buffer) => Buffer {
  return edited((lines) => lines.map((line) => line.replace(from, to)));
}

/** Changes a backup and updates its checksum. */
function resealed(whole: Buffer, change: (text: string) => string): Buffer {
  const text = gunzipSync(whole).toString();
  const endAt = text.lastIndexOf('{"end":');
  const content = change(text.slice(0, endAt));
  const sha256 = createHash('sha256').update(content).digest('hex');
  const end = text.slice(endAt).replace(/"sha256":"[0-9a-f]*"/, `"sha256":"${sha256}"`);
  return gzipSync(content + end);
}
