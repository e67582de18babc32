import type pg from 'pg';
import type { FileQuery, StoredFile } from '../files/file-store.ts';
import { FileRecords } from '../store/file-records.ts';
import { OperatorError } from './operator-error.ts';

const PAGE = 100;

/** The files of a stack, newest first, up to a number of them. */
export async function listFiles(
  pool: pg.Pool,
  { limit, ...query }: Omit<FileQuery, 'order' | 'after'>,
): Promise<readonly StoredFile[]> {
  const records = new FileRecords(pool);
  const files: StoredFile[] = [];
  while (files.length < limit) {
    const after = files.at(-1)?.id;
    const page = await records.list({
      ...query,
      order: 'newest',
      limit: Math.min(PAGE, limit - files.length),
      ...(after !== undefined && { after }),
    });
    files.push(...page.files);
    if (!page.hasMore) break;
  }
  return files;
}

/** A file of any stack. */
export async function showFile(pool: pg.Pool, id: string): Promise<StoredFile> {
  const file = await new FileRecords(pool).findAnywhere(id);
  if (file === undefined) {
    throw new OperatorError(`there is no file "${id}"; "stackgate files list <stack>" shows them`);
  }
  return file;
}
