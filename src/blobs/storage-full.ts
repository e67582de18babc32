import { hasErrorCode } from '../lib/error-code.ts';

/** There is no space left; nothing was stored. */
export class StorageFull extends Error {
  override readonly name = 'StorageFull';
}

// The file system is full, the quota is used up, or the file is too large.
const FULL_CODES = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** Runs work and maps the system's "no space" errors to StorageFull. */
export async function reportingFullStorage<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!hasErrorCode(error, ...FULL_CODES)) throw error;
    throw new StorageFull('the blob storage is full: free some space or move it', { cause: error });
  }
}
