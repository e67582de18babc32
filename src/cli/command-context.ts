import type { Command } from 'commander';
import type pg from 'pg';
import type { ConfiguredStacks, ConfigureOptions } from '../admin/configured-stacks.ts';
import type { TrialPdfEngine } from '../admin/pdf-check.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { FetchWatcher } from '../catalogue/fetch-watcher.ts';
import type { ModelStore } from '../catalogue/model-store.ts';
import type { Config } from '../config/config.ts';
import type { KnowledgeSearch } from '../knowledge/knowledge-search.ts';
import type { Log } from '../telemetry/log.ts';
import type { ServerOutput } from './server-output.ts';
import type { Terminal } from './terminal.ts';

/** What commands need from outside; given by main, replaced in tests. */
export interface CommandContext {
  readonly terminal: Terminal;
  readonly loadConfig: (configFlag: string | undefined) => Promise<Config>;
  /** What a command that serves writes to, instead of the terminal. */
  readonly openOutput: () => ServerOutput;
  readonly openGateway: (options: ServeOptions) => Promise<ServedGateway>;
  readonly openModels: (config: Config) => ModelStore;
  readonly openBlobs: (config: Config) => Promise<BlobStore>;
  /** The PDF engine, for a trial. */
  readonly openPdfEngine: (config: Config) => Promise<TrialPdfEngine>;
  /** The search over the knowledge of stacks, with whatever runs for it. */
  readonly openSearch: (options: SearchOptions) => Promise<StoppableSearch>;
  /** Runs work on the configured database, through the running server where the database is embedded. */
  readonly withDatabase: <Result>(
    config: Config,
    work: (pool: pg.Pool) => Promise<Result>,
  ) => Promise<Result>;
}

/** What a search is opened with. */
export interface SearchOptions {
  readonly config: Config;
  readonly pool: pg.Pool;
  /** Told when a question was searched for its words alone. */
  readonly onEmbeddingsFailure: (error: unknown) => void;
}

/** A search that is stopped when it is not needed any more. */
export type StoppableSearch = KnowledgeSearch & { stop(signal: AbortSignal): Promise<void> };

/** What a gateway is started with. */
export interface ServeOptions {
  readonly config: Config;
  readonly log: Log;
  /** Lines of the log that had no reader, so far. */
  readonly logLinesDropped: () => number;
  readonly announce: (message: string) => void;
  readonly models: ModelStore;
  readonly fetchWatcher: FetchWatcher;
  readonly signal: AbortSignal;
}

/** A gateway as `serve` sees it. */
export interface ServedGateway {
  configure(config: Config, options: ConfigureOptions): Promise<ConfiguredStacks>;
  listen(): Promise<string>;
  /** Resolves with the name of the embedded model once it can be asked; undefined where there is none. */
  modelReady(signal: AbortSignal): Promise<string | undefined>;
  /** Says to whoever asks that it is about to stop, and goes on serving. */
  announceStop(): void;
  stop(signal: AbortSignal): Promise<void>;
}

/** The options that every command takes. */
export interface GlobalOptions {
  readonly config?: string;
  readonly json?: boolean;
}

/** Prints a result: as JSON for scripts, else as the text made for people. */
export function report(
  context: CommandContext,
  command: Command,
  result: { readonly data: unknown; readonly text: string },
): void {
  const { json } = command.optsWithGlobals<GlobalOptions>();
  context.terminal.out(json === true ? `${JSON.stringify(result.data, null, 2)}\n` : result.text);
}

/** Loads the configuration that the command was pointed at and runs work on its database. */
export async function onDatabase<Result>(
  context: CommandContext,
  command: Command,
  work: (pool: pg.Pool, config: Config) => Promise<Result>,
): Promise<Result> {
  const config = await context.loadConfig(command.optsWithGlobals<GlobalOptions>().config);
  return context.withDatabase(config, (pool) => work(pool, config));
}
