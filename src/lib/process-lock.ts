import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { hasErrorCode } from './error-code.ts';

// Each level exists only while a process died in the middle of removing the level below.
const MAX_TAKEOVER_LEVELS = 4;
const MAX_ATTEMPTS = 100;
const ATTEMPT_PAUSE_MS = 20;

/** Who has a lock. */
export interface LockOwner {
  readonly pid: number;
  /** Tells a process from a later one with the same number; empty where the platform does not say. */
  readonly start: string;
}

/** What was got: the lock, with the way to give it back, or who else has it. */
export type LockResult = { readonly release: () => void } | { readonly heldBy: LockOwner };

/**
 * Takes a lock file that survives kill -9: it is worth nothing once its process is gone.
 * `isHeldElsewhere` finds an owner in another container, whose process cannot be seen.
 */
export async function takeProcessLock(
  lockPath: string,
  isHeldElsewhere: () => Promise<boolean> = async () => false,
): Promise<LockResult> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const owner = tryLock(lockPath);
    if (owner === 'mine') return { release: () => rmSync(lockPath, { force: true }) };
    if (owner === 'busy') await delay(ATTEMPT_PAUSE_MS);
    else if (isAlive(owner) || (await isHeldElsewhere())) return { heldBy: owner };
    else removeStale(lockPath, owner, 0);
  }
  throw new Error(`${lockPath} could not be taken: other processes keep trying the same`);
}

/** Takes the lock, or says who has it. */
function tryLock(lockPath: string): 'mine' | 'busy' | LockOwner {
  const aside = `${lockPath}.${process.pid}.${randomUUID()}`;
  writeFileSync(aside, JSON.stringify(describeProcess(process.pid)), { mode: 0o600 });
  try {
    // The link appears with its content or not at all.
    linkSync(aside, lockPath);
    return 'mine';
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) throw error;
    return readOwner(lockPath) ?? 'busy';
  } finally {
    unlinkSync(aside);
  }
}

/** Removes a stale lock; a lock of its own lets only one process judge and remove at a time. */
function removeStale(lockPath: string, stale: LockOwner, level: number): void {
  if (level >= MAX_TAKEOVER_LEVELS) throw new Error(`remove ${lockPath} by hand: it cannot be taken over`);
  const takeoverPath = `${lockPath}.takeover`;
  const holder = tryLock(takeoverPath);
  if (holder === 'busy') return;
  if (holder !== 'mine') {
    if (!isAlive(holder)) removeStale(takeoverPath, holder, level + 1);
    return;
  }
  try {
    const current = readOwner(lockPath);
    if (current?.pid === stale.pid && current.start === stale.start) unlinkSync(lockPath);
  } finally {
    rmSync(takeoverPath, { force: true });
  }
}

function readOwner(lockPath: string): LockOwner | undefined {
  let text: string;
  try {
    text = readFileSync(lockPath, 'utf8');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  return parseOwner(text);
}

// A lock that a power cut left empty has no owner who could be alive.
function parseOwner(text: string): LockOwner {
  const nobody = { pid: 0, start: '' };
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('pid' in value) || !('start' in value))
      return nobody;
    const { pid, start } = value;
    return typeof pid === 'number' && typeof start === 'string' ? { pid, start } : nobody;
  } catch {
    return nobody;
  }
}

function describeProcess(pid: number): LockOwner {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const fields = status.slice(status.lastIndexOf(') ') + 2).split(' ');
    // A zombie has ended; only its parent has not asked how.
    if (fields[0] === 'Z') return { pid, start: '' };
    return { pid, start: `${boot} ${fields[19]}` };
  } catch {
    return { pid, start: '' };
  }
}

function isAlive(owner: LockOwner): boolean {
  if (owner.pid <= 0) return false;
  if (owner.start !== '') return describeProcess(owner.pid).start === owner.start;
  try {
    process.kill(owner.pid, 0);
    return true;
  } catch (error) {
    return hasErrorCode(error, 'EPERM');
  }
}
