// Start it twice: the second process exits. Kill the first with `kill -9`: it can be started again.
import { takeProcessLock } from '@stackgate/process-lock';

const lock = await takeProcessLock(process.argv[2] ?? 'app.lock');
if ('heldBy' in lock) {
  console.error(`process ${lock.heldBy.pid} is already running`);
  process.exit(1);
}
console.log('running until stdin closes');
process.stdin.resume();
process.stdin.once('end', lock.release);
