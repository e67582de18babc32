import type { RecommendedSampling } from '../../../catalogue/catalogue-entry.ts';

/** A model file, local or still to be fetched. */
export interface ModelFile {
  readonly sampling: RecommendedSampling;
  /** Tokens of free text after which its end becomes more likely; `undefined`: never. */
  readonly rambleTokens?: number | undefined;
  /** How often it writes a document at most; `undefined`: once. */
  readonly documentDrafts?: number | undefined;
  /** The largest context window that works well; `undefined` if unknown. */
  readonly longestContext: number | undefined;
  /** Resolves with the path once the file exists; tries a failed download again. */
  path(signal: AbortSignal): Promise<string>;
  /** The progress of a missing file, or why it failed, for callers; `undefined` if the file exists. */
  readonly wait: string | undefined;
  /** Whether the last try to get the file failed. */
  readonly hasFailed: boolean;
}
