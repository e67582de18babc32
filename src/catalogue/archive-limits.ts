/** Limits of an extraction. */
export interface ArchiveLimits {
  /** Per extracted file. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** Member paths, and where to write each. */
export type ArchiveTargets = ReadonlyMap<string, string>;
