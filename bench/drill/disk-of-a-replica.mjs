// The disk of one replica, which can be filled while it runs.
import { execFile, spawnSync } from 'node:child_process';
import { open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const fullDisk = new URL('./full-disk.mjs', import.meta.url).href;
/** Room for the browser, and for the part that a gateway leaves free. */
const SIZE = '1g';
const PIECE = Buffer.alloc(1024 * 1024);

/** Mounts a small file system on the folder; where that is not allowed, a module lets the replica's writes fail. */
export async function openDisk(folder, flagFolder) {
  const flag = join(flagFolder, 'disk-full');
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=0700`, 'none', folder]);
  } catch {
    return {
      kind: 'writes that fail',
      env: { DRILL_FULL_DISK: flag },
      nodeArgs: ['--import', fullDisk],
      fill: () => writeFile(flag, ''),
      empty: () => rm(flag, { force: true }),
      close: async () => {},
    };
  }
  const ballast = join(folder, 'ballast');
  const unmount = () => void spawnSync('umount', ['-l', folder]);
  process.once('exit', unmount);
  return {
    kind: `a file system of ${SIZE}`,
    env: {},
    nodeArgs: [],
    fill: () => fill(ballast),
    empty: () => rm(ballast, { force: true }),
    close: async () => {
      process.off('exit', unmount);
      unmount();
    },
  };
}

/** Writes until nothing goes in any more, in pieces that get smaller. */
async function fill(path) {
  const file = await open(path, 'a');
  try {
    for (let sizeBytes = PIECE.length; sizeBytes >= 1; sizeBytes = Math.floor(sizeBytes / 2)) {
      // After a failure one smaller piece fits at most. More would, one byte at a time, if the replica made room meanwhile.
      for (let isIn = true; isIn; ) {
        const { bytesWritten } = await file.write(PIECE, 0, sizeBytes).catch(() => ({ bytesWritten: 0 }));
        isIn = bytesWritten === sizeBytes && sizeBytes === PIECE.length;
      }
    }
  } finally {
    await file.close();
  }
}
