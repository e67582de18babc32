/** A version of a document whose chunks are stored. */
export interface StoredVersion {
  readonly documentId: string;
  readonly stackId: string;
  readonly version: number;
  readonly name: string;
}

/** Prepares a version for a search that keeps no index of its own. */
export interface SearchWriter {
  /**
   * Writes what a search reads of a version: words, and the vectors of `model` if there are any. It is found when the version is
   * searchable. May be interrupted and repeated.
   */
  write(version: StoredVersion, model: string | undefined, signal: AbortSignal): Promise<void>;
}
