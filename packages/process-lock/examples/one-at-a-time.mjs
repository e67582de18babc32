// Two processes want to be the only one; then the first is killed, and the lock is free again.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeProcessLock } from '@stackgate/process-lock';

if (process.argv[2] !== undefined) {
  const lock = await takeProcessLock(process.argv[2]);
  console.log('release' in lock ? 'got it' : `held by ${lock.heldBy.pid}`);
  process.stdin.resume();
} else {
  const folder = await mkdtemp(join(tmpdir(), 'one-at-a-time-'));
  const lockPath = join(folder, 'app.lock');
  const first = spawn(process.execPath, [import.meta.filename, lockPath]);
  await once(first.stdout, 'data');

  const refused = await takeProcessLock(lockPath);
  console.log('while the first process runs:', 'heldBy' in refused ? 'held' : 'free');

  first.kill('SIGKILL');
  await once(first, 'exit');
  const lock = await takeProcessLock(lockPath);
  console.log('after it was killed:', 'heldBy' in lock ? 'held' : 'free');
  lock.release();
  await rm(folder, { recursive: true });
}
