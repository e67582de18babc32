import type { Command } from 'commander';
import type pg from 'pg';
import type { ConfiguredStacks, ConfigureOptions } from '../admin/configured-stacks.ts';
import type { TrialPdfEngine } from '../admin/pdf-check.ts';
import type { SearchMoveParts } from '../admin/search-move.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { FetchWatcher } from '../catalogue/fetch-watcher.ts';
import type { ModelStore } from '../catalogue/model-store.ts';
import type { Config } from '../config/config.ts';
import type { StoppableSearch } from '../knowledge/search/reopened-search.ts';
import type { Log } from '../telemetry/log.ts';
import type { ServerOutput } from './server-output.ts';
import type { Terminal } from './terminal.ts';

/** External dependencies of commands; provided by main, replaced in tests. */
export interface CommandContext {
  readonly terminal: Terminal;
  readonly loadConfig: (configFlag: string | undefined) => Promise<Config>;
  /** Output of `serve`, used instead of the terminal. */
  readonly openOutput: () => ServerOutput;
  readonly openGateway: (options: ServeOptions) => Promise<ServedGateway>;
  readonly openModels: (config: Config) => ModelStore;
  readonly openBlobs: (config: Config) => Promise<BlobStore>;
  /** The PDF engine, for `doctor`. */
  readonly openPdfEngine: (config: Config) => Promise<TrialPdfEngine>;
  /** The knowledge search, with its engine and thread. */
  readonly openSearch: (options: SearchOptions) => Promise<StoppableSearch>;
  /** Moves the indexes of the knowledge base into the database. */
  readonly openSearchMove: (options: SearchMoveOptions) => Promise<StoppableMove>;
  /** Runs work on the configured database, through the running server if the database is embedded. */
  readonly withDatabase: <Result>(
    config: Config,
    work: (pool: pg.Pool) => Promise<Result>,
  ) => Promise<Result>;
}

export interface SearchOptions {
  readonly config: Config;
  readonly pool: pg.Pool;
  /** Called when a question had to be searched by words only. */
  readonly onEmbeddingsFailure: (error: unknown) => void;
}

export type SearchMoveOptions = Pick<SearchOptions, 'config' | 'pool'>;

export type StoppableMove = SearchMoveParts & { stop(signal: AbortSignal): Promise<void> };

export interface ServeOptions {
  readonly config: Config;
  readonly log: Log;
  /** Log lines dropped so far because the reader was too slow. */
  readonly logLinesDropped: () => number;
  readonly announce: (message: string) => void;
  readonly models: ModelStore;
  readonly fetchWatcher: FetchWatcher;
  readonly signal: AbortSignal;
}

/** The gateway as seen by `serve`. */
export interface ServedGateway {
  configure(config: Config, options: ConfigureOptions): Promise<ConfiguredStacks>;
  listen(): Promise<string>;
  /** The token of a link for a first operator of the console; undefined if the console is off, or people can log in. */
  firstOperatorToken(): Promise<string | undefined>;
  /** Resolves with the embedded model's name once it is ready; undefined if there is none. */
  modelReady(signal: AbortSignal): Promise<string | undefined>;
  /** Reads the certificate of the listener again. */
  reloadCertificate(): void;
  /** Makes `/readyz` fail while requests are still served. */
  announceStop(): void;
  stop(signal: AbortSignal): Promise<void>;
}

/** Options of every command. */
export interface GlobalOptions {
  readonly config?: string;
  readonly json?: boolean;
}

/** Prints a result: JSON for scripts, text for people. */
export function report(
  context: CommandContext,
  command: Command,
  result: { readonly data: unknown; readonly text: string },
): void {
  const { json } = command.optsWithGlobals<GlobalOptions>();
  context.terminal.out(json === true ? `${JSON.stringify(result.data, null, 2)}\n` : result.text);
}

/** Loads the configuration and runs work on its database. */
export async function onDatabase<Result>(
  context: CommandContext,
  command: Command,
  work: (pool: pg.Pool, config: Config) => Promise<Result>,
): Promise<Result> {
  const config = await context.loadConfig(command.optsWithGlobals<GlobalOptions>().config);
  return context.withDatabase(config, (pool) => work(pool, config));
}
