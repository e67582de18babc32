import type { Environment } from '../config/process-environment.ts';
import type { CatalogueEntry, CatalogueFile } from './catalogue-entry.ts';
import type { OnProgress } from './model-progress.ts';

/** How patient a fetch is. */
export interface FetchTimes {
  /** A transfer that brought next to nothing for this long is given up and resumed. */
  readonly stallMs: number;
  /** Pause before the second attempt; doubled for each further one. */
  readonly firstPauseMs: number;
  readonly maxPauseMs: number;
  /** How often a transfer by another program, or another process, is looked at. */
  readonly lookMs: number;
}

/** Suits the open internet. */
export const defaultFetchTimes: FetchTimes = {
  stallMs: 30_000,
  firstPauseMs: 500,
  maxPauseMs: 15_000,
  lookMs: 250,
};

/** The fetch of one model from one source. */
export interface SourceJob {
  readonly entry: CatalogueEntry;
  /** Where partial files and archives may lie; kept when the fetch is interrupted. */
  readonly workFolder: string;
  /** The hash that a file must have; undefined where it is not known yet. */
  readonly expectedSha256: (file: CatalogueFile) => Promise<string | undefined>;
  /** What programs such as pip are started with. */
  readonly environment: Environment;
  readonly times: FetchTimes;
  /** Throws ModelTooLarge unless that many more bytes fit. */
  readonly reserve: (bytes: number) => Promise<void>;
  readonly signal: AbortSignal;
  readonly onProgress: OnProgress;
}
