import { compiledEntry } from '../../lib/compiled-entry.ts';
import type { StackWork } from '../../supervision/stack-work.ts';
import { Supervised } from '../../supervision/supervised.ts';
import { workerChild } from '../../supervision/worker-child.ts';
import type { PassageBatch, PassageRow } from './passage-rows.ts';

const MAX_WAITING = 64;
const IDLE_MS = 60_000;
/** A batch takes some hundredths of a second. */
const DEADLINE_MS = 30_000;
const patience = { startTimeoutMs: 30_000, cancelGraceMs: 200, stopGraceMs: 2_000 };

/** Makes the rows of chunks in a worker thread: stemming would hold up requests. */
export class PassageRowMaker {
  readonly #worker = new Supervised({
    name: 'passage rows',
    launch: workerChild({ entry: compiledEntry(import.meta.url, './passage-rows-worker.js'), env: {} }),
    priority: 'background',
    patience,
    concurrency: 1,
    maxWaiting: MAX_WAITING,
    streamWindow: 0,
    idleMs: IDLE_MS,
  });

  async rows(batch: PassageBatch, work: StackWork): Promise<readonly PassageRow[]> {
    return (await this.#worker.ask(batch, { ...work, deadlineMs: DEADLINE_MS })) as readonly PassageRow[];
  }

  async stop(signal: AbortSignal): Promise<void> {
    await this.#worker.stop(signal);
  }
}
