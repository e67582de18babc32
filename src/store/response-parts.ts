import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { z } from 'zod';
import { type BlobKey, parseBlobKey } from '../blobs/blob-key.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import { type Connection, execute, queryRows } from './query.ts';
import { readBlob } from './read-blob.ts';
import { sql } from './sql.ts';

/** A longer text is kept in the blob store. */
export const MOST_INLINE_BYTES = 64 * 1024;

const MARK = 'blob:';
const SHARD_DIGITS = 2;
/** How long a blob may exist before its row is written. */
const SAVING_MINUTES = 60;
const BLOB_MS = 30_000;
const PAGE = 100;
const LONGEST_CHARACTER_BYTES = 3;

const leftoverRow = z.object({ blob: z.string() });

/**
 * JSON texts of rows, of which large ones are kept in the blob store. A blob is recorded as left over before it is written, until
 * its row is; a trigger records it again when its row goes.
 */
export class ResponseParts {
  readonly #pool: pg.Pool;
  readonly #blobs: BlobStore;

  constructor(pool: pg.Pool, blobs: BlobStore) {
    this.#pool = pool;
    this.#blobs = blobs;
  }

  /** Returns the value of the column. */
  async put(text: string): Promise<string> {
    if (isShort(text)) return text;
    const key = newKey();
    await execute(
      this.#pool,
      sql`insert into response_leftovers (blob, remove_at)
        values (${key}, now() + make_interval(mins => ${SAVING_MINUTES}))`,
    );
    await this.#blobs.put(key, Buffer.from(text), AbortSignal.timeout(BLOB_MS));
    return MARK + key;
  }

  /** The text that a column stands for. */
  async get(part: string): Promise<string> {
    const key = keyOf(part);
    if (key === undefined) return part;
    const bytes = await readBlob(this.#blobs, key);
    if (bytes === undefined) throw new Error('a part of a response is not in the blob store');
    return Buffer.from(bytes).toString();
  }

  /** The list that a column stands for. */
  async getList<Item>(part: string): Promise<readonly Item[]> {
    return JSON.parse(await this.get(part));
  }

  /** Marks the blobs of columns as used; part of the transaction that writes their row. */
  async use(connection: Connection, parts: readonly string[]): Promise<void> {
    const keys = keysOf(parts);
    if (keys.length === 0) return;
    await execute(connection, sql`delete from response_leftovers where blob = any (${keys})`);
  }

  /** Removes the blobs of deleted rows now; if that fails, the sweeper removes them. */
  async drop(parts: readonly string[]): Promise<void> {
    const removals = keysOf(parts).map((key) => this.#remove(key, AbortSignal.timeout(BLOB_MS)));
    await Promise.allSettled(removals);
  }

  /** Removes every blob that is due. Returns how many there were. */
  async removeLeftovers(signal: AbortSignal): Promise<number> {
    for (let removed = 0; ; ) {
      const leftovers = await queryRows(
        this.#pool,
        leftoverRow,
        sql`select blob from response_leftovers where remove_at <= now() order by remove_at limit ${PAGE}`,
      );
      for (const { blob } of leftovers) {
        signal.throwIfAborted();
        await this.#remove(parseBlobKey(blob), signal);
      }
      removed += leftovers.length;
      if (leftovers.length < PAGE) return removed;
    }
  }

  async #remove(key: BlobKey, signal: AbortSignal): Promise<void> {
    await this.#blobs.delete(key, signal);
    await execute(this.#pool, sql`delete from response_leftovers where blob = ${key}`);
  }
}

/** Whether a column names a blob. */
export function isBlobPart(part: string): boolean {
  return part.startsWith(MARK);
}

function isShort(text: string): boolean {
  if (text.length * LONGEST_CHARACTER_BYTES <= MOST_INLINE_BYTES) return true;
  return text.length <= MOST_INLINE_BYTES && Buffer.byteLength(text) <= MOST_INLINE_BYTES;
}

function newKey(): BlobKey {
  const name = randomBytes(16).toString('hex');
  return parseBlobKey(`responses/${name.slice(0, SHARD_DIGITS)}/${name}`);
}

function keyOf(part: string): BlobKey | undefined {
  return isBlobPart(part) ? parseBlobKey(part.slice(MARK.length)) : undefined;
}

function keysOf(parts: readonly string[]): readonly BlobKey[] {
  return parts.flatMap((part) => keyOf(part) ?? []);
}
