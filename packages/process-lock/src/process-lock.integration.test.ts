import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type LockResult, takeProcessLock } from './process-lock.ts';

const COMPILED = new URL('../dist/index.js', import.meta.url).href;

function makeFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'process-lock-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function endedProcessId(): number {
  return spawnSync(process.execPath, ['--version']).pid;
}

function release(lock: LockResult): void {
  if (!('release' in lock)) throw new Error(`the lock is held by ${lock.heldBy.pid}`);
  lock.release();
}

/** Whether a new process gets the lock, which it keeps until the test is over. */
async function lockInProcess(lockPath: string): Promise<string> {
  const script = `
    import { takeProcessLock } from ${JSON.stringify(COMPILED)};
    const lock = await takeProcessLock(${JSON.stringify(lockPath)});
    console.log('release' in lock ? 'mine' : 'held');
    process.stdin.resume();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const [output] = await once(child.stdout, 'data');
  return output.toString().trim();
}

describe('a process lock', () => {
  it('has one holder, whose process id others get, and leaves no file behind', async () => {
    const folder = makeFolder();
    const lock = await takeProcessLock(path.join(folder, 'a.lock'));
    expect(readdirSync(folder)).toEqual(['a.lock']);
    expect(await takeProcessLock(path.join(folder, 'a.lock'))).toMatchObject({
      heldBy: { pid: process.pid },
    });
    release(lock);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ['a process that has ended', JSON.stringify({ pid: endedProcessId(), start: 'boot 1' })],
    ['a process that has ended, on a platform without start times', `{"pid":${endedProcessId()},"start":""}`],
    ['an earlier process with the number of this one', JSON.stringify({ pid: process.pid, start: 'boot 1' })],
    ['a file left empty by a power cut', ''],
  ])('is taken over from %s', async (_who, content) => {
    const folder = makeFolder();
    writeFileSync(path.join(folder, 'a.lock'), content);
    writeFileSync(path.join(folder, 'a.lock.takeover'), content);
    const lock = await takeProcessLock(path.join(folder, 'a.lock'));
    expect(readdirSync(folder)).toEqual(['a.lock']);
    release(lock);
  });

  it('is not taken from an owner detected elsewhere', async () => {
    const lockPath = path.join(makeFolder(), 'a.lock');
    writeFileSync(lockPath, '{"pid":1,"start":"another container"}');
    const heldBy = { pid: 1, start: 'another container' };
    expect(await takeProcessLock(lockPath, async () => true)).toEqual({ heldBy });
    expect(existsSync(lockPath)).toBe(true);
  });

  it('goes to exactly one of several processes that find it stale', async () => {
    const lockPath = path.join(makeFolder(), 'a.lock');
    writeFileSync(lockPath, '{"pid":1,"start":"long ago"}');
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => lockInProcess(lockPath)));
    expect(outcomes.toSorted()).toEqual([...Array(5).fill('held'), 'mine']);
  });
});
