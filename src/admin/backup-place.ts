import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { S3Files } from '../blobs/s3-files.ts';
import type { Config } from '../config/config.ts';
import { type BackupCounts, type BackupSource, sendBackup, writeBackup } from './backup.ts';
import { OperatorError } from './operator-error.ts';

const BUCKET = 's3://';

/** A folder or a bucket that has backups. */
export interface BackupPlace {
  write(name: string, source: BackupSource): Promise<BackupCounts>;
  /** Calls with the path of a file that has the backup. */
  withFile<Result>(
    name: string,
    use: (path: string) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result>;
  list(signal: AbortSignal): Promise<readonly string[]>;
  remove(name: string, signal: AbortSignal): Promise<void>;
}

/** Divides the address of a backup into its place and its name. */
export function splitAddress(address: string): { readonly place: string; readonly name: string } {
  const isBucket = address.startsWith(BUCKET);
  const name = isBucket ? address.slice(address.lastIndexOf('/') + 1) : basename(address);
  if (isBucket && !/^s3:\/\/[^/]+\/.*[^/]$/.test(address))
    throw new OperatorError(`"${address}" names no file in a bucket, such as s3://bucket/all.backup`);
  return { place: isBucket ? address.slice(0, -name.length - 1) : dirname(address), name };
}

/** Opens a folder, or a bucket with the settings of `backups`, else of `blobs`. */
export async function openBackupPlace(
  place: string,
  { backups, blobs, dataDir }: Pick<Config, 'backups' | 'blobs' | 'dataDir'>,
): Promise<BackupPlace> {
  if (!place.startsWith(BUCKET)) return folderPlace(place);
  const hasOwn = backups?.endpoint !== undefined || backups?.accessKeyId !== undefined;
  const { endpoint, region, accessKeyId, secretAccessKey } = (hasOwn ? backups : blobs) ?? {};
  const files = await S3Files.open({
    url: place,
    ...(endpoint !== undefined && { endpoint }),
    ...(region !== undefined && { region }),
    ...(accessKeyId !== undefined && { accessKeyId }),
    ...(secretAccessKey !== undefined && { secretAccessKey }),
  });
  return bucketPlace(files, join(dataDir, 'tmp'));
}

function folderPlace(folder: string): BackupPlace {
  return {
    write: async (name, source) => await writeBackup(join(folder, name), source),
    withFile: async (name, use) => await use(join(folder, name)),
    list: async () => await readdir(folder),
    remove: async (name) => await rm(join(folder, name), { force: true }),
  };
}

function bucketPlace(files: S3Files, temporary: string): BackupPlace {
  return {
    write: async (name, source) =>
      await sendBackup(source, (pieces, signal) => files.put(name, pieces, signal)),
    // A restore reads the file several times.
    withFile: async (name, use, signal) => {
      const pieces = await files.get(name, signal);
      if (pieces === undefined) throw new OperatorError(`there is no backup "${name}" in the bucket`);
      await mkdir(temporary, { recursive: true, mode: 0o700 });
      const folder = await mkdtemp(join(temporary, 'backup-'));
      try {
        const path = join(folder, name);
        await pipeline(pieces, createWriteStream(path, { mode: 0o600 }), { signal });
        return await use(path);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
    list: async (signal) => await files.list(signal),
    remove: async (name, signal) => await files.delete(name, signal),
  };
}
