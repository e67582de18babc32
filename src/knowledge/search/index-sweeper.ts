import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrorCode } from '../../lib/error-code.ts';
import type { WallClock } from '../../lib/wall-clock.ts';
import type { ChunkSource } from '../chunk-source.ts';
import { INDEX_ENDING, readIndexHead } from './index-files.ts';
import type { IndexHead } from './index-head.ts';

interface IndexSweeperParts {
  readonly folder: string;
  readonly maker: string;
  readonly source: ChunkSource;
  readonly clock: WallClock;
}

/** A file that is written is younger. */
const ABANDONED_MS = 5 * 60_000;

/** Removes index files that contain removed documents or cannot be read: nothing of a removed document stays. */
export class IndexSweeper {
  readonly #parts: IndexSweeperParts;

  constructor(parts: IndexSweeperParts) {
    this.#parts = parts;
  }

  /** Returns how many were removed; undefined if none. */
  async sweep(signal: AbortSignal): Promise<{ removed: number } | undefined> {
    let removed = 0;
    for (const name of await this.#names()) {
      signal.throwIfAborted();
      const path = join(this.#parts.folder, name);
      const isKept = name.endsWith(INDEX_ENDING)
        ? await this.#isCurrent(path, signal)
        : await this.#isYoung(path);
      if (isKept) continue;
      await rm(path, { force: true });
      removed += 1;
    }
    return removed > 0 ? { removed } : undefined;
  }

  async #names(): Promise<readonly string[]> {
    try {
      return await readdir(this.#parts.folder);
    } catch (error) {
      if (hasErrorCode(error, 'ENOENT')) return [];
      throw error;
    }
  }

  async #isCurrent(path: string, signal: AbortSignal): Promise<boolean> {
    const { maker, source } = this.#parts;
    const head = headOf(path);
    if (head?.maker !== maker) return false;
    if (head.generation === (await source.generation(head.stackId, signal))) return true;
    const { versions } = await source.contents(head.stackId, signal);
    const there = new Set(versions.map(({ id }) => id));
    return head.versions.every(({ id }) => there.has(id));
  }

  async #isYoung(path: string): Promise<boolean> {
    const found = await stat(path).catch(() => undefined);
    return found !== undefined && found.mtimeMs > this.#parts.clock.nowMs() - ABANDONED_MS;
  }
}

function headOf(path: string): IndexHead | undefined {
  try {
    return readIndexHead(path);
  } catch {
    // Unreadable is as good as absent.
    return undefined;
  }
}
