import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Authenticator } from './access/authenticator.ts';
import { RequestAdmission } from './access/request-admission.ts';
import { applyConfiguredStacks, type ConfiguredStacks } from './admin/configured-stacks.ts';
import type { BlobStore } from './blobs/blob-store.ts';
import { openBlobStore } from './blobs/open-blob-store.ts';
import type { FetchWatcher } from './catalogue/fetch-watcher.ts';
import { ModelFetch } from './catalogue/model-fetch.ts';
import type { ModelStore } from './catalogue/model-store.ts';
import type { Config } from './config/config.ts';
import { DrainGate } from './http/drain-gate.ts';
import { buildHttpServer, type HttpServer } from './http/http-server.ts';
import { defaultConnectionLimits } from './http/node-server.ts';
import { allRoutes } from './http/routes/all-routes.ts';
import { defaultStreamTimes } from './http/send-event-stream.ts';
import { systemClock } from './lib/clock.ts';
import { wallClock } from './lib/wall-clock.ts';
import { SchemaService } from './schema/service/schema-service.ts';
import { openDataFolder } from './store/data-folder.ts';
import { type Database, openDatabase } from './store/database.ts';
import { DatabaseHealth } from './store/database-health.ts';
import { ImageRecords } from './store/image-records.ts';
import { ImageSweepSchedule } from './store/image-sweep-schedule.ts';
import { ImageSweeper } from './store/image-sweeper.ts';
import { SqlCallerDirectory } from './store/sql-caller-directory.ts';
import { SqlGallery } from './store/sql-gallery.ts';
import { SqlImageQueue } from './store/sql-image-queue.ts';
import type { EngineState } from './supervision/lifecycle.ts';
import type { ChildEvent } from './supervision/supervised-options.ts';
import type { Log } from './telemetry/log.ts';
import { Metrics } from './telemetry/metrics.ts';
import { CatalogueModelFile } from './text/engines/llama/catalogue-model-file.ts';
import { LlamaEngine } from './text/engines/llama/llama-engine.ts';
import { OpenAiEngine } from './text/engines/openai/openai-engine.ts';
import { placeholderReader } from './text/placeholder-reader.ts';
import { PromptBuilder } from './text/prompt-builder.ts';
import { StackWaker } from './text/stack-waker.ts';
import type { TextEngine } from './text/text-engine.ts';
import { TextService } from './text/text-service.ts';

export interface GatewayOptions {
  readonly config: Config;
  readonly log: Log;
  /** Tells the operator, on the terminal, what a slow start waits for. */
  readonly announce: (message: string) => void;
  /** The model files of this machine. */
  readonly models: ModelStore;
  /** Told of models that are fetched. */
  readonly fetchWatcher: FetchWatcher;
  readonly signal: AbortSignal;
}

/** The whole gateway: the one place that knows every concrete class. */
export class Gateway {
  readonly #database: Database;
  readonly #directory: SqlCallerDirectory;
  readonly #authenticator: Authenticator;
  readonly #drainGate = new DrainGate();
  readonly #schemas: SchemaService;
  readonly #modelFetch: ModelFetch;
  readonly #textEngines: ReadonlyMap<string, OpenAiEngine | LlamaEngine>;
  readonly #imageQueue: SqlImageQueue;
  readonly #imageSweeps: ImageSweepSchedule;
  readonly #server: HttpServer;
  #config: Config;

  private constructor(
    database: Database,
    blobs: BlobStore,
    { config, log, models, fetchWatcher }: GatewayOptions,
  ) {
    this.#config = config;
    this.#database = database;
    this.#directory = new SqlCallerDirectory(database.pool, config);
    this.#authenticator = new Authenticator(this.#directory, wallClock);
    this.#schemas = new SchemaService({ observe: (event) => logSchemaWorker(event, log) });
    this.#modelFetch = new ModelFetch({
      store: models,
      models: embeddedModels(config),
      watcher: fetchWatcher,
    });
    const parts = { log, schemas: this.#schemas, entries: models.entries, fetch: this.#modelFetch };
    this.#textEngines = openTextEngines(config, parts);
    const { pool } = database;
    const records = new ImageRecords(pool);
    const gallery = new SqlGallery({ records, blobs, retentionDays: config.retention.imagesDays });
    const sweeper = new ImageSweeper({ pool, records, blobs, clock: wallClock });
    this.#imageQueue = new SqlImageQueue({ pool });
    this.#imageSweeps = new ImageSweepSchedule(sweeper, systemClock, log);
    const health = new DatabaseHealth(database.pool);
    const metrics = new Metrics({
      engineStates: () => engineStates(config, this.#textEngines),
      queueDepths: () => [
        ['database', database.pool.waitingCount],
        ['images', this.#imageQueue.placesHeld],
        ...linesBefore(this.#textEngines),
      ],
    });
    this.#server = buildHttpServer({
      routes: allRoutes({
        operations: {
          notReady: () => this.#drainGate.fault() ?? health.fault(),
          metrics: () => metrics.render(),
          metricsContentType: metrics.contentType,
        },
        text: new TextService({
          engines: this.#textEngines,
          builder: new PromptBuilder({ reader: placeholderReader, retriever: undefined }),
          waker: new StackWaker(),
        }),
        schemas: this.#schemas,
        gallery,
      }),
      authenticator: this.#authenticator,
      admission: new RequestAdmission(wallClock),
      metrics,
      log,
      drainGate: this.#drainGate,
      cors: config.server.cors,
      trustProxy: config.server.trustProxy,
      limits: defaultConnectionLimits,
      streamTimes: defaultStreamTimes,
    });
  }

  /** Opens the store and builds everything; nothing listens yet. */
  static async open(options: GatewayOptions): Promise<Gateway> {
    const { config } = options;
    await openDataFolder(config.dataDir);
    const database = await openDatabase({
      url: config.database?.url,
      dataDir: config.dataDir,
      announce: options.announce,
      signal: options.signal,
    });
    try {
      return new Gateway(database, await openBlobStore(config), options);
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  /** Brings stacks and keys in line with the configuration, now or when it was read anew. */
  async configure(config: Config): Promise<ConfiguredStacks> {
    const configured = await applyConfiguredStacks(this.#database.pool, config);
    this.#config = config;
    this.#directory.reconfigure(config);
    this.#authenticator.forget();
    return configured;
  }

  /** Starts to listen; returns the address that clients use. */
  async listen(): Promise<string> {
    const { host, port } = this.#config.server;
    await this.#server.listen({ host, port });
    this.#imageSweeps.start();
    this.#modelFetch.start();
    for (const engine of embeddedEngines(this.#textEngines)) engine.start();
    return addressOf(host, this.#server.server.address());
  }

  /** Resolves with the name of the embedded model that serves the first stack, once it can be asked; undefined where there is none. */
  async modelReady(signal: AbortSignal): Promise<string | undefined> {
    const { stacks, engines } = this.#config;
    const name = stacks[0]?.text[0] ?? Object.keys(engines.text)[0] ?? '';
    const engine = this.#textEngines.get(name);
    if (!(engine instanceof LlamaEngine)) return undefined;
    await engine.lifecycle.ready(signal);
    return engine.model;
  }

  /** Lets what is being served end, until the signal says that enough was waited; then closes everything. */
  async stop(signal: AbortSignal): Promise<void> {
    await this.#drainGate.drain(signal);
    this.#server.server.closeAllConnections();
    await this.#server.close();
    await this.#imageSweeps.stop();
    await this.#imageQueue.close();
    await Promise.all([...this.#textEngines.values()].map((engine) => engine.close()));
    await this.#modelFetch.close();
    await this.#schemas.stop(signal);
    await this.#database.close();
  }
}

function addressOf(host: string, address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
}

/** What text engines share. */
interface TextEngineParts {
  readonly log: Log;
  readonly schemas: SchemaService;
  readonly entries: ModelStore['entries'];
  readonly fetch: ModelFetch;
}

function openTextEngines(
  { engines, dataDir }: Config,
  { log, schemas, entries, fetch }: TextEngineParts,
): ReadonlyMap<string, OpenAiEngine | LlamaEngine> {
  const opened = new Map<string, OpenAiEngine | LlamaEngine>();
  for (const [name, config] of Object.entries(engines.text)) {
    if (config.kind === 'openai') {
      opened.set(name, new OpenAiEngine({ config, log }));
      continue;
    }
    const { model } = config;
    const entry = entries.find((known) => known.name === model);
    const file = new CatalogueModelFile({ model, entry, fetch });
    const compileGrammar = async (schema: unknown, signal: AbortSignal) =>
      (await schemas.compile(schema, {}, signal)).grammar;
    const folder = join(dataDir, 'tmp', `text-${name}-${process.pid}`);
    opened.set(name, new LlamaEngine({ config, file, compileGrammar, folder, log }));
  }
  return opened;
}

/** The models of the text engines that run on this machine. */
function embeddedModels({ engines }: Config): readonly string[] {
  const models = Object.values(engines.text).flatMap((engine) =>
    engine.kind === 'llama' ? [engine.model] : [],
  );
  return [...new Set(models)];
}

function embeddedEngines(engines: ReadonlyMap<string, TextEngine>): readonly LlamaEngine[] {
  return [...engines.values()].filter((engine) => engine instanceof LlamaEngine);
}

/** How many answers wait for each embedded engine. */
function linesBefore(engines: ReadonlyMap<string, TextEngine>): readonly (readonly [string, number])[] {
  return [...engines].flatMap(([name, engine]) =>
    engine instanceof LlamaEngine ? [[`text:${name}`, engine.waiting] as const] : [],
  );
}

/** Its schema may be a tenant's: what the worker printed is not logged. */
function logSchemaWorker(event: ChildEvent, log: Log): void {
  if (event.type !== 'child-end' || event.loss.reason === 'stopped') return;
  log.warn({ reason: event.loss.reason }, 'schema worker ended and is replaced');
}

/** An engine whose adapter is not part of this version can serve nothing. */
function engineStates(
  { engines }: Config,
  textEngines: ReadonlyMap<string, TextEngine>,
): readonly (readonly [string, EngineState])[] {
  const text = Object.keys(engines.text).map(
    (name) => [`text:${name}`, textEngines.get(name)?.lifecycle.state] as const,
  );
  const others = [
    ...Object.keys(engines.image).map((name) => `image:${name}`),
    `ocr:${engines.ocr.kind}`,
    `pdf:${engines.pdf.kind}`,
    `embeddings:${engines.embeddings.kind}`,
  ].map((name) => [name, undefined] as const);
  return [...text, ...others].map(([name, state]) => [name, state ?? 'degraded']);
}
