import type { Environment } from '../config/process-environment.ts';
import type { CatalogueEntry, CatalogueFile } from './catalogue-entry.ts';
import type { OnProgress } from './model-progress.ts';

/** Time limits of a fetch. */
export interface FetchTimes {
  /** A transfer with almost no progress for this long is aborted and resumed. */
  readonly stallMs: number;
  /** Pause before the second attempt; doubled for each further one. */
  readonly firstPauseMs: number;
  readonly maxPauseMs: number;
  /** Poll interval for other programs and processes. */
  readonly lookMs: number;
}

/** For the open internet. */
export const defaultFetchTimes: FetchTimes = {
  stallMs: 30_000,
  firstPauseMs: 500,
  maxPauseMs: 15_000,
  lookMs: 250,
};

export interface SourceJob {
  readonly entry: CatalogueEntry;
  /** For partial files and archives; kept when the fetch is interrupted. */
  readonly workFolder: string;
  /** The required hash; undefined if unknown. */
  readonly expectedSha256: (file: CatalogueFile) => Promise<string | undefined>;
  /** Environment of programs such as pip. */
  readonly environment: Environment;
  readonly times: FetchTimes;
  /** Throws ModelTooLarge unless that many more bytes fit. */
  readonly reserve: (bytes: number) => Promise<void>;
  readonly signal: AbortSignal;
  readonly onProgress: OnProgress;
}
