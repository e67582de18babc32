import { statfs } from 'node:fs/promises';
import { hasErrorCode } from '../lib/error-code.ts';
import { ModelTooLarge } from './fetch-failures.ts';
import { sizeText } from './size-text.ts';

/** Free bytes on a folder's disk for this user. */
export type FreeBytes = (folder: string) => Promise<number>;

/** Kept free for the database and the log. */
export const MARGIN_BYTES = 64_000_000;

export const freeBytes: FreeBytes = async (folder) => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

/** Throws ModelTooLarge unless that many more bytes fit. */
export async function reserveSpace(space: {
  readonly folder: string;
  readonly bytes: number;
  readonly modelName: string;
  readonly freeBytes: FreeBytes;
}): Promise<void> {
  const free = await space.freeBytes(space.folder);
  if (free >= space.bytes + MARGIN_BYTES) return;
  throw new ModelTooLarge(
    `The model ${space.modelName} needs ${sizeText(space.bytes + MARGIN_BYTES)} in ${space.folder}, where ${sizeText(free)} are free. Make room, or set data_dir to a larger disk.`,
  );
}

/** Maps "disk full" during a transfer to the same error as too little space before it; passes other errors through. */
export function asSpaceProblem(
  error: unknown,
  { folder, modelName }: { readonly folder: string; readonly modelName: string },
): unknown {
  if (!hasErrorCode(error, 'ENOSPC', 'EDQUOT')) return error;
  const message = `The disk of ${folder} became full while the model ${modelName} was fetched. Make room; what came is kept, and the next fetch goes on from there.`;
  return new ModelTooLarge(message, { cause: error });
}
