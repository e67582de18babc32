import type { CatalogueEntry, FileRole } from './catalogue-entry.ts';

/** A model whose files are on this machine and were verified. */
export interface InstalledModel {
  /** Name of the catalogue entry; for a file of the operator's own, its name without `.gguf`. */
  readonly name: string;
  /** Absent for a file of the operator's own. */
  readonly entry?: CatalogueEntry;
  readonly files: readonly InstalledFile[];
}

/** A file on this machine. */
export interface InstalledFile {
  readonly role: FileRole;
  /** Absolute. */
  readonly path: string;
  readonly sizeBytes: number;
  /** Absent for a file of the operator's own. */
  readonly sha256?: string;
}

/** The path of the file with a role; undefined where the model has none. */
export function pathOf(model: InstalledModel, role: FileRole): string | undefined {
  return model.files.find((file) => file.role === role)?.path;
}
