import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { takeProcessLock } from '@stackgate/process-lock';
import type { Log } from '../telemetry/log.ts';
import type { LeftUsageLedger } from './left-usage.ts';
import { readSegment } from './read-segment.ts';

const SEGMENT = /^([0-9a-f-]{36})-(\d+)\.log$/;

export interface JournalRecoveryParts {
  readonly folder: string;
  readonly process: string;
  readonly ledger: LeftUsageLedger;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

/** Takes the journals of killed processes over. A journal belongs to the process that has its lock. */
export class JournalRecovery {
  readonly #parts: JournalRecoveryParts;
  #release: () => void = () => {};

  constructor(parts: JournalRecoveryParts) {
    this.#parts = parts;
  }

  /** Takes the lock of this process's own journal. */
  async open(): Promise<void> {
    const { folder, process } = this.#parts;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const lock = await takeProcessLock(lockPath(folder, process));
    if ('release' in lock) this.#release = lock.release;
  }

  /** Gives the lock back; what is left of the journal is for the next process. */
  close(): void {
    this.#release();
  }

  /** Adds what dead processes left to the ledger; false if something remains to be done. Never rejects. */
  async recover(): Promise<boolean> {
    const { folder, process, log } = this.#parts;
    let isDone = true;
    const attempt = async (work: () => Promise<void>) => {
      try {
        await work();
      } catch (error) {
        isDone = false;
        log.warn({ error }, 'the usage of a killed process could not be written; it is tried again');
      }
    };
    await attempt(async () => {
      const names = await readdir(folder);
      const processes = new Set(names.flatMap((name) => SEGMENT.exec(name)?.[1] ?? []));
      processes.delete(process);
      for (const other of processes) await attempt(() => this.#recoverIfDead(other));
    });
    return isDone;
  }

  async #recoverIfDead(process: string): Promise<void> {
    const lock = await takeProcessLock(lockPath(this.#parts.folder, process));
    if ('heldBy' in lock) return;
    try {
      await this.#recoverOne(process);
    } finally {
      lock.release();
    }
  }

  async #recoverOne(dead: string): Promise<void> {
    const { folder, ledger, log } = this.#parts;
    // Read under the lock: another process may have done it just before.
    const sequences = (await readdir(folder))
      .flatMap((name) => {
        const [, process, sequence] = SEGMENT.exec(name) ?? [];
        return process === dead ? [Number(sequence)] : [];
      })
      .sort((one, other) => one - other);
    for (const sequence of sequences) {
      const path = join(folder, `${dead}-${sequence}.log`);
      const left = readSegment({ process: dead, sequence, text: await readFile(path, 'utf8') });
      if (left.batches.length > 0 || left.settled.length > 0) await ledger.addLeft(left);
      await rm(path, { force: true });
      await rm(`${path}.new`, { force: true });
      const rows = left.batches.reduce((sum, batch) => sum + batch.rows.length, 0);
      if (rows > 0) log.info({ rows }, 'the usage of a killed process was written');
    }
  }
}

function lockPath(folder: string, process: string): string {
  return join(folder, `${process}.lock`);
}
