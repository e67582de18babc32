export { type LockOwner, type LockResult, takeProcessLock } from './process-lock.ts';
