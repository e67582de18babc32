import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const LOCK_NAME = 'database.lock';
/** Each level is only needed where a process was killed while it took over a stale lock of the level above. */
const MAX_TAKEOVER_LEVELS = 4;
const MAX_ATTEMPTS = 100;
const ATTEMPT_PAUSE_MS = 20;

/** The database folder is open in another process, or twice in this one. */
export class DatabaseInUse extends Error {
  constructor(dataDir: string, pid: number) {
    const where = pid === process.pid ? 'already by this process' : `by process ${pid}`;
    super(
      `The database in ${dataDir} is in use ${where}. Stop that process first, or choose another data_dir.`,
    );
    this.name = 'DatabaseInUse';
  }
}

interface Owner {
  readonly pid: number;
  /** Tells a process from a later one with the same number; empty where the platform does not say. */
  readonly start: string;
}

/** What is needed to lock a data folder. */
export interface DataFolderLockOptions {
  readonly dataDir: string;
  /** Whether somebody serves the database; finds an owner in another container, whose process cannot be seen. */
  readonly isServed: () => Promise<boolean>;
}

/** A lock that survives kill -9: it is worth nothing once its process is gone. Calling it gives it back. */
export async function lockDataFolder({ dataDir, isServed }: DataFolderLockOptions): Promise<() => void> {
  const lockPath = path.join(dataDir, LOCK_NAME);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const owner = tryLock(lockPath);
    if (owner === 'mine') return () => rmSync(lockPath, { force: true });
    if (owner === 'busy') await delay(ATTEMPT_PAUSE_MS);
    else if (isAlive(owner) || (await isServed())) throw new DatabaseInUse(dataDir, owner.pid);
    else removeStale(lockPath, owner, 0);
  }
  throw new Error(`${lockPath} could not be taken: other processes keep trying the same`);
}

/** Takes the lock, or says who has it. */
function tryLock(lockPath: string): 'mine' | 'busy' | Owner {
  const aside = `${lockPath}.${process.pid}.${randomUUID()}`;
  writeFileSync(aside, JSON.stringify(describeProcess(process.pid)), { mode: 0o600 });
  try {
    // The link appears with its content or not at all.
    linkSync(aside, lockPath);
    return 'mine';
  } catch (error) {
    if (!isErrorCode(error, 'EEXIST')) throw error;
    return readOwner(lockPath) ?? 'busy';
  } finally {
    unlinkSync(aside);
  }
}

/** Removes a stale lock; a lock of its own lets only one process judge and remove at a time. */
function removeStale(lockPath: string, stale: Owner, level: number): void {
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

function readOwner(lockPath: string): Owner | undefined {
  let text: string;
  try {
    text = readFileSync(lockPath, 'utf8');
  } catch (error) {
    if (isErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  return parseOwner(text);
}

// A lock that a power cut left empty has no owner who could be alive.
function parseOwner(text: string): Owner {
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

function describeProcess(pid: number): Owner {
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

function isAlive(owner: Owner): boolean {
  if (owner.pid <= 0) return false;
  if (owner.start !== '') return describeProcess(owner.pid).start === owner.start;
  try {
    process.kill(owner.pid, 0);
    return true;
  } catch (error) {
    return isErrorCode(error, 'EPERM');
  }
}

function isErrorCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
