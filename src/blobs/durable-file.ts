import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, unlink } from 'node:fs/promises';
import { hasErrorCode } from '../lib/error-code.ts';
import { whenMissing } from './when-missing.ts';

/** Creates a file that only its owner may read; throws where there is one. */
export async function createFile(path: string): Promise<FileHandle> {
  return await open(path, 'wx', 0o600);
}

/** Opens a file for reading, undefined where there is none or a symbolic link stands in its place. */
export async function openFile(path: string): Promise<FileHandle | undefined> {
  // Not blocking, so that a named pipe put there by hand does not hang the reader.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  return await open(path, flags).catch(whenMissing(undefined));
}

/** Writes all of the chunk; one write may take only a part of it. */
export async function writeWhole(file: FileHandle, chunk: Uint8Array): Promise<void> {
  let written = 0;
  while (written < chunk.byteLength) {
    written += (await file.write(chunk, written, chunk.byteLength - written)).bytesWritten;
  }
}

/** Removes the file; false where there was none. */
export async function removeFile(path: string): Promise<boolean> {
  return await unlink(path).then(() => true, whenMissing(false));
}

/** Makes the names in the folder survive a loss of power. */
export async function flushFolder(path: string): Promise<void> {
  const folder = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  await folder.sync().finally(() => folder.close());
}

/** Makes sure of a folder that only its owner may enter, and says whether it is new; throws where a link or a file has its name. */
export async function ensureFolder(path: string): Promise<boolean> {
  const isNew = await mkdir(path, { mode: 0o700 }).then(
    () => true,
    (error: unknown) => {
      if (hasErrorCode(error, 'EEXIST')) return false;
      throw error;
    },
  );
  if (!(await lstat(path)).isDirectory()) throw new Error(`${path} is not a folder`);
  return isNew;
}
