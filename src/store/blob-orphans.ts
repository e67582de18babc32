import type { BlobStore } from '../blobs/blob-store.ts';
import type { BlobNaming } from './blob-naming.ts';
import type { BlobRows } from './blob-rows.ts';

/** Bytes and rows younger than this may belong to something that is being stored now. */
export const ORPHAN_AGE_MS = 60 * 60 * 1000;

const PAGE = 500;

interface Named {
  readonly id: string;
  readonly at: Date;
}

/** A row without bytes, or bytes without a row. */
export interface Orphan {
  readonly id: string;
  readonly kind: 'row' | 'bytes';
}

export interface OrphanSearch {
  readonly rows: BlobRows;
  readonly naming: BlobNaming;
  readonly blobs: BlobStore;
  readonly shard: number;
  readonly nowMs: number;
  readonly signal: AbortSignal;
}

/** The orphans of one shard: rows and blobs are read side by side, both in the order of their ids. */
export async function* findOrphans(search: OrphanSearch): AsyncGenerator<Orphan> {
  const isOld = ({ at }: Named) => search.nowMs - at.getTime() > ORPHAN_AGE_MS;
  for await (const { left: bytes, right: row } of sideBySide(bytesOf(search), rowsOf(search))) {
    if (row === undefined && bytes !== undefined && isOld(bytes)) yield { id: bytes.id, kind: 'bytes' };
    // Checked again: the blob may have been stored after the listing had passed its key.
    if (bytes === undefined && row !== undefined && isOld(row) && !(await hasBytes(search, row.id)))
      yield { id: row.id, kind: 'row' };
  }
}

async function hasBytes({ blobs, naming, signal }: OrphanSearch, id: string): Promise<boolean> {
  return (await blobs.get(naming.keyOf(id), signal)) !== undefined;
}

async function* bytesOf({ blobs, naming, shard, signal }: OrphanSearch): AsyncGenerator<Named> {
  for await (const { key, modifiedAt } of blobs.list(naming.shard(shard).blobs, signal)) {
    const id = naming.idOf(key);
    if (id !== undefined) yield { id, at: modifiedAt };
  }
}

async function* rowsOf({ rows, naming, shard, signal }: OrphanSearch): AsyncGenerator<Named> {
  const { ids } = naming.shard(shard);
  for (let after = ids; ; ) {
    signal.throwIfAborted();
    const page = await rows.names(ids, { after, limit: PAGE });
    for (const { id, createdAt } of page) yield { id, at: createdAt };
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.id;
  }
}

interface Pair {
  readonly left: Named | undefined;
  readonly right: Named | undefined;
}

/** Pairs equal ids; both sides come in byte order. */
async function* sideBySide(
  lefts: AsyncGenerator<Named>,
  rights: AsyncGenerator<Named>,
): AsyncGenerator<Pair> {
  let left = await nextOf(lefts);
  let right = await nextOf(rights);
  while (left !== undefined || right !== undefined) {
    const takesLeft = left !== undefined && (right === undefined || left.id <= right.id);
    const takesRight = right !== undefined && (left === undefined || right.id <= left.id);
    yield { left: takesLeft ? left : undefined, right: takesRight ? right : undefined };
    if (takesLeft) left = await nextOf(lefts);
    if (takesRight) right = await nextOf(rights);
  }
}

async function nextOf(source: AsyncGenerator<Named>): Promise<Named | undefined> {
  const step = await source.next();
  return step.done === true ? undefined : step.value;
}
