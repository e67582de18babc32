import type { CatalogueEntry, FileRole } from './catalogue-entry.ts';

/** A verified model on this machine. */
export interface InstalledModel {
  /** Catalogue name; for a file given by path, its name without `.gguf`. */
  readonly name: string;
  /** Absent for a file given by path. */
  readonly entry?: CatalogueEntry;
  readonly files: readonly InstalledFile[];
}

export interface InstalledFile {
  readonly role: FileRole;
  /** Absolute. */
  readonly path: string;
  readonly sizeBytes: number;
  /** Absent for a file given by path. */
  readonly sha256?: string;
}

/** The path of the file with a role; undefined if there is none. */
export function pathOf(model: InstalledModel, role: FileRole): string | undefined {
  return model.files.find((file) => file.role === role)?.path;
}
