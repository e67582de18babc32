import { hasErrorCode } from './error-code.ts';

/** Whether a process of this number runs; one of another user counts. */
export function isProcessAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return hasErrorCode(error, 'EPERM');
  }
}
