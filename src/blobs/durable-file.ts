import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, unlink } from 'node:fs/promises';
import { hasErrorCode } from '../lib/error-code.ts';
import { whenMissing } from './when-missing.ts';

/** Creates a file with mode 0600; throws if it exists. */
export async function createFile(path: string): Promise<FileHandle> {
  return await open(path, 'wx', 0o600);
}

/** Opens a file for reading; undefined if it is missing or a symbolic link. */
export async function openFile(path: string): Promise<FileHandle | undefined> {
  // Non-blocking, so that a named pipe does not hang the reader.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  return await open(path, flags).catch(whenMissing(undefined));
}

/** Writes the whole chunk; a single write may be partial. */
export async function writeWhole(file: FileHandle, chunk: Uint8Array): Promise<void> {
  let written = 0;
  while (written < chunk.byteLength) {
    written += (await file.write(chunk, written, chunk.byteLength - written)).bytesWritten;
  }
}

/** False if there was none. */
export async function removeFile(path: string): Promise<boolean> {
  return await unlink(path).then(() => true, whenMissing(false));
}

/** Makes the folder's entries survive a power loss. */
export async function flushFolder(path: string): Promise<void> {
  const folder = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  await folder.sync().finally(() => folder.close());
}

/** Ensures a folder with mode 0700; returns whether it is new. Throws if a link or file has its name. */
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
