import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrorCode } from '../lib/error-code.ts';
import type { CatalogueEntry, CatalogueFile } from './catalogue-entry.ts';
import { fileSha256 } from './file-sha256.ts';
import type { InstalledFile, InstalledModel } from './installed-model.ts';
import { type ManifestFile, type ModelManifest, readManifest, writeManifest } from './model-manifest.ts';

const MANIFEST_NAME = 'model.json';

/** A fetched and verified file, before it is moved to its final name. */
export interface FetchedFile {
  readonly file: CatalogueFile;
  readonly path: string;
  readonly sha256: string;
}

/** The state of an installed file. */
export interface FileHealth {
  readonly file: CatalogueFile;
  readonly path: string;
  readonly health: 'good' | 'missing' | 'damaged';
  /** Present if the file is good. */
  readonly found?: ManifestFile;
}

/** The folder of one model; only verified files have their final names. */
export class ModelFolder {
  readonly #path: string;
  readonly #entry: CatalogueEntry;

  constructor(modelsDir: string, entry: CatalogueEntry) {
    this.#path = join(modelsDir, entry.name);
    this.#entry = entry;
  }

  /** The model, if all its files are present and valid. Unchanged files are not hashed again. */
  async find(signal?: AbortSignal): Promise<InstalledModel | undefined> {
    const manifest = await this.#manifest();
    const files: InstalledFile[] = [];
    const known: ManifestFile[] = [];
    for (const file of this.#entry.files) {
      const { found, path } = await this.#examine(file, { manifest, rehash: false, signal });
      if (found === undefined) return undefined;
      known.push(found);
      files.push({ role: file.role, path, sizeBytes: found.sizeBytes, sha256: found.sha256 });
    }
    await this.#remember(manifest, known);
    return { name: this.#entry.name, entry: this.#entry, files };
  }

  /** Hashes every file again. */
  async verify(signal?: AbortSignal): Promise<readonly FileHealth[]> {
    const manifest = await this.#manifest();
    const healths: FileHealth[] = [];
    for (const file of this.#entry.files) {
      healths.push(await this.#examine(file, { manifest, rehash: true, signal }));
    }
    return healths;
  }

  /** The required hash; for an unpinned file, that of its first download. */
  async expectedSha256(file: CatalogueFile): Promise<string | undefined> {
    return expectedHash(file, await this.#manifest());
  }

  /** Moves verified files to their final names. */
  async accept(fetched: readonly FetchedFile[], source: string): Promise<void> {
    await mkdir(this.#path, { recursive: true, mode: 0o700 });
    const files = await Promise.all(fetched.map(describe));
    // Manifest first: an unpinned file must never be trusted without its record.
    await writeManifest(join(this.#path, MANIFEST_NAME), { source, files });
    for (const { file, path } of fetched) await rename(path, join(this.#path, file.name));
    await using folder = await open(this.#path, 'r');
    await folder.sync();
  }

  /** Removes the model; false if there was nothing. */
  async remove(): Promise<boolean> {
    const isThere = (await sizeAndTime(this.#path)) !== undefined;
    await rm(this.#path, { recursive: true, force: true });
    return isThere;
  }

  #manifest(): Promise<ModelManifest | undefined> {
    return readManifest(join(this.#path, MANIFEST_NAME));
  }

  async #examine(file: CatalogueFile, { manifest, rehash, signal }: Examination): Promise<FileHealth> {
    const path = join(this.#path, file.name);
    const facts = await sizeAndTime(path);
    if (facts === undefined) return { file, path, health: 'missing' };
    const known = manifest?.files.find(({ name }) => name === file.name);
    const sha256 = expectedHash(file, manifest);
    const sizeBytes = 'sizeBytes' in file ? file.sizeBytes : known?.sizeBytes;
    if (sha256 === undefined || facts.sizeBytes !== sizeBytes) return { file, path, health: 'damaged' };
    const found = { name: file.name, sizeBytes: facts.sizeBytes, sha256, modifiedMs: facts.modifiedMs };
    const isUnchanged = known?.modifiedMs === facts.modifiedMs && known.sha256 === sha256;
    if (isUnchanged && !rehash) return { file, path, health: 'good', found };
    if ((await fileSha256(path, signal)) !== sha256) return { file, path, health: 'damaged' };
    return { file, path, health: 'good', found };
  }

  /** Saves new hashes, so that the next start need not compute them. */
  async #remember(manifest: ModelManifest | undefined, files: ManifestFile[]): Promise<void> {
    if (JSON.stringify(manifest?.files) === JSON.stringify(files)) return;
    const source = manifest?.source ?? 'found in its folder';
    try {
      await writeManifest(join(this.#path, MANIFEST_NAME), { source, files });
    } catch {
      // On a read-only or full disk, models still work; they are hashed at every start.
    }
  }
}

interface Examination {
  readonly manifest: ModelManifest | undefined;
  readonly rehash: boolean;
  readonly signal: AbortSignal | undefined;
}

function expectedHash(file: CatalogueFile, manifest: ModelManifest | undefined): string | undefined {
  if ('sha256' in file) return file.sha256;
  return manifest?.files.find(({ name }) => name === file.name)?.sha256;
}

async function describe({ file, path, sha256 }: FetchedFile): Promise<ManifestFile> {
  const { size, mtimeMs } = await stat(path);
  return { name: file.name, sizeBytes: size, sha256, modifiedMs: mtimeMs };
}

async function sizeAndTime(
  path: string,
): Promise<{ readonly sizeBytes: number; readonly modifiedMs: number } | undefined> {
  try {
    const { size, mtimeMs } = await stat(path);
    return { sizeBytes: size, modifiedMs: mtimeMs };
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
