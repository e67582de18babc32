import { hasErrorCode } from '../lib/error-code.ts';

/** There is no room left for the bytes; nothing of them was kept. */
export class StorageFull extends Error {
  override readonly name = 'StorageFull';
}

// The file system is full, the user's quota is used up, the file is larger than the system allows.
const FULL_CODES = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** Runs the work and turns the system's ways to say "no room" into StorageFull. */
export async function reportingFullStorage<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!hasErrorCode(error, ...FULL_CODES)) throw error;
    throw new StorageFull('the blob storage is full: free some space or move it', { cause: error });
  }
}
