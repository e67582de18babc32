import type { RecommendedSampling } from '../../../catalogue/catalogue-entry.ts';

/** The file of a model, on this machine or still to be fetched. */
export interface ModelFile {
  readonly sampling: RecommendedSampling;
  /** How long free text may become before its end is made likelier; undefined: the model ends by itself. */
  readonly rambleTokens?: number | undefined;
  /** The most tokens that can be served well; undefined where nobody knows. */
  readonly longestContext: number | undefined;
  /** Resolves with the path once the file is there; tries again what failed before. */
  path(signal: AbortSignal): Promise<string>;
  /** What is being done about a missing file, or why it cannot be had, for the caller of a route; undefined: it is there. */
  readonly wait: string | undefined;
  /** Whether the file cannot be had, as far as was tried. */
  readonly hasFailed: boolean;
}
