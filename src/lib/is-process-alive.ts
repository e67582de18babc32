import { hasErrorCode } from './error-code.ts';

/** Whether a process with this id runs, under any user. */
export function isProcessAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return hasErrorCode(error, 'EPERM');
  }
}
