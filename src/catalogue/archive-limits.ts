/** What an extraction may take. */
export interface ArchiveLimits {
  /** Of one file that is taken out. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** Paths inside an archive, and where each is to be written. */
export type ArchiveTargets = ReadonlyMap<string, string>;
