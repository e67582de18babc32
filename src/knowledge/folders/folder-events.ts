import { type FSWatcher, watch } from 'node:fs';

/** More folders are only looked through from time to time: each takes memory of the system. */
const MAX_WATCHED = 1_000;

/**
 * Events of folders on the disk. Each folder is watched by itself: Node's recursive watch follows links and watches every file.
 * Where the system refuses, there are no events; files are then found by looking again.
 */
export class FolderEvents {
  readonly #watchers = new Map<string, FSWatcher>();
  #changed: (() => void) | undefined;

  /** Watches the folders given by `follow` until it is disposed. */
  listen(changed: () => void): Disposable {
    this.#changed = changed;
    return {
      [Symbol.dispose]: () => {
        this.#changed = undefined;
        this.follow([]);
      },
    };
  }

  /** Watches these folders and no others. */
  follow(folders: readonly string[]): void {
    const wanted = new Set(this.#changed === undefined ? [] : folders.slice(0, MAX_WATCHED));
    for (const [folder, watcher] of this.#watchers) {
      if (wanted.has(folder)) continue;
      watcher.close();
      this.#watchers.delete(folder);
    }
    for (const folder of wanted) if (!this.#watchers.has(folder)) this.#watch(folder);
  }

  #watch(folder: string): void {
    try {
      const watcher = watch(folder, { persistent: false }, () => this.#changed?.());
      watcher.on('error', () => {
        watcher.close();
        this.#watchers.delete(folder);
      });
      this.#watchers.set(folder, watcher);
    } catch {
      // Too many watches, or the folder is gone again.
    }
  }
}
