import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';

/** The data folder cannot be made or written. */
export class DataFolderUnusable extends Error {
  override readonly name = 'DataFolderUnusable';

  constructor(dataDir: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(
      `The data folder ${dataDir} cannot be used (${reason}). Give it to the user that runs this, or set data_dir.`,
      { cause },
    );
  }
}

/** Makes the data folder if it is missing, with access for its owner only. */
export async function openDataFolder(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await access(dataDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new DataFolderUnusable(dataDir, error);
  }
}
