import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../telemetry/log.ts';
import { type DeclaredFolder, openFolder } from './declared-folder.ts';
import { FolderTakenOver } from './folder-book.ts';
import { FolderPass, type FolderPassParts } from './folder-pass.ts';
import { FolderTurns } from './folder-turns.ts';
import { FolderWatch } from './folder-watch.ts';

export interface FolderWatchesParts extends FolderPassParts {
  readonly clock: Clock;
  readonly log: Log;
}

/** Watches all folders of the configuration. */
export class FolderWatches {
  readonly #parts: FolderWatchesParts;
  readonly #turns: FolderTurns;
  #ends: (() => Promise<void>)[] = [];

  constructor(parts: FolderWatchesParts) {
    this.#parts = parts;
    this.#turns = new FolderTurns(parts.clock);
  }

  /** Watches these folders, and forgets what is known of others. */
  async watch(folders: readonly DeclaredFolder[]): Promise<void> {
    await this.stop();
    await this.#parts.book.keepOnly(
      folders.map(({ stackId, source }) => ({ stackId, source: source.source })),
    );
    for (const folder of folders) this.#ends.push(await this.#watch(folder));
  }

  async stop(): Promise<void> {
    const ends = this.#ends;
    this.#ends = [];
    await Promise.all(ends.map((end) => end()));
  }

  async #watch(declared: DeclaredFolder): Promise<() => Promise<void>> {
    const { clock, log } = this.#parts;
    const folder = await openFolder(declared);
    const pass = new FolderPass(this.#parts, declared, folder);
    const about = { stack: declared.stackId, source: declared.source.source };
    const watch = new FolderWatch({
      look: (ask) =>
        pass.run(ask).catch((error: unknown) => {
          if (error instanceof FolderTakenOver) return 'busy';
          throw error;
        }),
      inTurn: (work) => this.#turns.take(work),
      failed: (error) => log.error({ ...about, error }, 'a folder of knowledge could not be looked through'),
      clock,
    });
    const events = folder.watch?.(() => watch.changed());
    watch.start();
    return async () => {
      events?.[Symbol.dispose]();
      await watch.stop();
    };
  }
}
