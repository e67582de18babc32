import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Authenticator } from './access/authenticator.ts';
import { isOperatorSecret } from './access/key-secret.ts';
import { PriceList } from './access/price-list.ts';
import { StorageRoom } from './access/storage-room.ts';
import { applyAccountBudgets } from './admin/budgets.ts';
import {
  applyConfiguredStacks,
  type ConfiguredStacks,
  type ConfigureOptions,
} from './admin/configured-stacks.ts';
import { firstOperatorToken } from './admin/people.ts';
import { openSearchTables } from './admin/search-move.ts';
import { BackupModule } from './assembly/backup-module.ts';
import { ConsoleModule } from './assembly/console-module.ts';
import { EmbeddingsModule } from './assembly/embeddings-module.ts';
import { engineReports } from './assembly/engine-reports.ts';
import { FileModule } from './assembly/file-module.ts';
import type { GatewayModule, QueueDepth } from './assembly/gateway-module.ts';
import { HttpListener } from './assembly/http-listener.ts';
import { IdempotencyModule } from './assembly/idempotency-module.ts';
import { ImageModule } from './assembly/image-module.ts';
import { KnowledgeModule } from './assembly/knowledge-module.ts';
import { LimitsModule } from './assembly/limits-module.ts';
import { ModelModule } from './assembly/model-module.ts';
import { openExtraction } from './assembly/open-extraction.ts';
import { openMcp } from './assembly/open-mcp.ts';
import { PdfModule } from './assembly/pdf-module.ts';
import { ReadingModule } from './assembly/reading-module.ts';
import { ResponsesModule } from './assembly/responses-module.ts';
import { SchemaModule } from './assembly/schema-module.ts';
import { TelemetryModule } from './assembly/telemetry-module.ts';
import { TextModule } from './assembly/text-module.ts';
import { UsageModule } from './assembly/usage-module.ts';
import type { BlobStore } from './blobs/blob-store.ts';
import { openBlobStore } from './blobs/open-blob-store.ts';
import { freeBytes } from './catalogue/disk-space.ts';
import type { FetchWatcher } from './catalogue/fetch-watcher.ts';
import type { ModelStore } from './catalogue/model-store.ts';
import type { Config } from './config/config.ts';
import { renewCredentials } from './config/credential-files.ts';
import { DrainGate } from './http/drain-gate.ts';
import { EngineFailures } from './http/engine-failures.ts';
import { LinkCallers } from './http/link-callers.ts';
import { LinkOrigin } from './http/link-origin.ts';
import { TokenDoor } from './http/operator-door.ts';
import { RequestJournal } from './http/request-journal.ts';
import { RequestPipeline } from './http/request-pipeline.ts';
import { RequestRing } from './http/request-ring.ts';
import { allRoutes } from './http/routes/all-routes.ts';
import { defaultStreamTimes, StreamWatch } from './http/stream-watch.ts';
import { ImageGenerationTool } from './images/wire/image-generation-tool.ts';
import { turnClock, turnWallClock } from './lib/clock.ts';
import { packageVersion } from './lib/package-version.ts';
import { removeLeftFolders } from './lib/remove-left-folders.ts';
import { openDataFolder } from './store/data-folder.ts';
import { type Database, openDatabase } from './store/database.ts';
import { DatabaseHealth } from './store/database-health.ts';
import { SqlOperatorDirectory } from './store/operator-tokens.ts';
import { SqlCallerDirectory } from './store/sql-caller-directory.ts';
import { SqlStorageBook } from './store/sql-storage-book.ts';
import type { HasOthers } from './supervision/fair-queue.ts';
import { StackActivity } from './supervision/stack-activity.ts';
import type { Log } from './telemetry/log.ts';
import { Metrics } from './telemetry/metrics.ts';
import { DocumentAttachmentReader } from './text/document-attachment-reader.ts';
import { HostedTools } from './text/hosted-tools.ts';

export interface GatewayOptions {
  readonly config: Config;
  readonly log: Log;
  /** Log lines dropped so far because the reader was too slow. */
  readonly logLinesDropped: () => number;
  /** Tells the operator on the terminal what a slow start is waiting for. */
  readonly announce: (message: string) => void;
  readonly models: ModelStore;
  /** Reports the progress of fetches. */
  readonly fetchWatcher: FetchWatcher;
  readonly signal: AbortSignal;
}

/** The whole gateway; with the modules in assembly/, the only code that knows every concrete class. */
export class Gateway {
  readonly #database: Database;
  readonly #directory: SqlCallerDirectory;
  readonly #prices: PriceList;
  readonly #authenticator: Authenticator;
  readonly #drainGate = new DrainGate();
  readonly #modules: readonly GatewayModule[];
  readonly #text: TextModule;
  readonly #knowledge: KnowledgeModule;
  readonly #listener: HttpListener;
  /** As the engines were built. */
  readonly #started: Config;
  #config: Config;

  private constructor(database: Database, blobs: BlobStore, options: GatewayOptions) {
    const { config, log } = options;
    this.#config = config;
    this.#started = config;
    this.#database = database;
    const { pool } = database;
    this.#directory = new SqlCallerDirectory(pool, config);
    this.#authenticator = new Authenticator(this.#directory, turnWallClock, {
      onManyWrong: (many) => log.warn(many, 'an address sent too many wrong keys within a minute'),
    });
    const operators = new Authenticator(new SqlOperatorDirectory(pool), turnWallClock, {
      accepts: isOperatorSecret,
      credentialName: 'operator token',
      onManyWrong: (many) => log.warn(many, 'an address sent too many wrong operator tokens within a minute'),
    });
    const health = new DatabaseHealth(pool);
    const engineStates = () => this.#modules.flatMap((module) => module.states?.() ?? []);
    const queueDepths = (): readonly QueueDepth[] => [
      ['database', pool.waitingCount],
      ...this.#modules.flatMap((module) => module.queueDepths?.() ?? []),
    ];
    const metrics = new Metrics({
      engineStates,
      queueDepths,
      logLinesDropped: options.logLinesDropped,
      spansDropped: () => telemetry.spansDropped,
    });
    const telemetry = new TelemetryModule({ config, log, metrics: () => metrics.render() });
    const { tracer } = telemetry;
    pool.on('acquire', () => metrics.databaseUsed());
    const name = { process: randomUUID() };
    this.#prices = new PriceList(config.prices);
    const usage = new UsageModule({ config, log, metrics, pool, prices: this.#prices, ...name });
    const limits = new LimitsModule({ database, metrics, prices: this.#prices, ...name });
    const schemas = new SchemaModule(log);
    const models = new ModelModule({ config, store: options.models, watcher: options.fetchWatcher });
    const activity = new StackActivity();
    const hasOthers: HasOthers = (stackId) => activity.hasOthers(stackId, turnClock.nowMs());
    const reading = new ReadingModule({ config, models: models.fetch, metrics, hasOthers });
    const embeddings = new EmbeddingsModule({ config, log });
    const storage = new StorageRoom({
      book: new SqlStorageBook(pool),
      clock: turnClock,
      freeBytes: async () => (config.blobs === undefined ? await freeBytes(config.dataDir) : undefined),
    });
    const files = new FileModule({ config, log, pool, blobs, storage });
    this.#knowledge = new KnowledgeModule({
      config,
      log,
      metrics,
      pool,
      blobs,
      reader: reading.reader,
      embeddings: embeddings.engine,
      storage,
      stackCaller: (stackId) => this.#directory.findStack(stackId),
    });
    this.#text = new TextModule({
      config,
      log,
      metrics,
      schemas: schemas.service,
      entries: options.models.entries,
      models: models.fetch,
      reader: new DocumentAttachmentReader(reading.reader),
      retriever: this.#knowledge.retriever,
      files: files.service,
    });
    const { budget, money } = limits;
    const metering = { budget, money, prices: this.#prices, usage: usage.tally };
    const idempotency = new IdempotencyModule({ log, pool, blobs });
    const images = new ImageModule({ config, log, pool, blobs, storage });
    const text = this.#text.service;
    const hosted = new HostedTools(text, [
      this.#knowledge.fileSearch,
      new ImageGenerationTool(images.service),
    ]);
    const stored = { config, log, pool, blobs, storage };
    const making = { text, hosted, keys: this.#directory, metering };
    const responses = new ResponsesModule({ ...stored, ...making });
    const pdf = new PdfModule({ config, log, metrics, text: this.#text.service, hasOthers });
    const origin = new LinkOrigin({
      publicUrl: config.server.publicUrl,
      behindProxy: config.server.trustProxy !== false,
      isSecure: config.server.tls !== undefined,
    });
    const people = new ConsoleModule({
      config,
      log,
      pool,
      directory: this.#directory,
      authenticator: this.#authenticator,
      origin,
      reader: reading.reader,
      pictures: images.pictures,
    });
    // Telemetry, usage and limits start first and stop last, because requests end until then.
    this.#modules = [
      telemetry,
      usage,
      limits,
      idempotency,
      new BackupModule({ config, log, pool, blobs }),
      schemas,
      models,
      reading,
      embeddings,
      files,
      this.#knowledge,
      this.#text,
      responses,
      images,
      pdf,
      people,
    ];
    const ring = new RequestRing();
    const failures = new EngineFailures();
    const watch = new StreamWatch(defaultStreamTimes);
    const journal = new RequestJournal({ metrics, log, drainGate: this.#drainGate, ring, failures });
    const pipeline = new RequestPipeline({
      authenticator: this.#authenticator,
      linkCallers: new LinkCallers({ links: files.links, directory: this.#directory }),
      playgroundCallers: people.playgroundCallers,
      captures: people.captures,
      admission: limits.admission,
      callerLimits: limits.callerLimits,
      metering,
      ...(tracer !== undefined && { tracer }),
      idempotency: idempotency.requests,
      activity,
    });
    const extraction = openExtraction({
      text: this.#text.service,
      schemas: schemas.service,
      reader: reading.reader,
      finder: reading.finder,
      hints: config.extraction.hints,
      isGrounded: (engine) => this.#text.isGrounded(engine),
    });
    const api = allRoutes({
      operations: {
        notReady: () => this.#drainGate.fault() ?? health.fault(),
        metrics: () => metrics.render(),
        metricsContentType: metrics.contentType,
      },
      callerLimits: limits.callerLimits,
      text,
      hosted,
      responses,
      watch,
      schemas: schemas.service,
      embeddings: embeddings.engine,
      images: images.service,
      storage,
      gallery: images.gallery,
      pdf: pdf.service,
      usage: usage.ledger,
      extraction,
      knowledge: this.#knowledge.service,
      search: this.#knowledge.search,
      mcp: {
        server: openMcp({
          text: this.#text.service,
          images: images.service,
          gallery: images.gallery,
          pictures: images.pictures,
          extraction,
          pdf: pdf.service,
          search: this.#knowledge.search,
          files: files.service,
          links: files.links,
        }),
        admission: limits.admission,
        cors: config.server.cors,
      },
      admin: {
        pool,
        blobs,
        config: () => this.#config,
        ring,
        watch,
        drainGate: this.#drainGate,
        replica: {
          name: `${hostname()}:${process.pid}`,
          version: packageVersion(),
          startedAt: new Date(),
        },
        engines: () =>
          engineReports({
            config: this.#config,
            states: engineStates(),
            depths: queueDepths(),
            failureOf: (label) => failures.of(label),
          }),
        queues: queueDepths,
        pictures: images.pictures,
        limits: { callerLimits: limits.callerLimits, images: images.service, storage },
        stackCaller: (stackId) => this.#directory.findStack(stackId),
        changed: () => {
          this.#authenticator.forget();
          operators.forget();
        },
      },
      tokenDoor: new TokenDoor(operators),
      files: files.service,
      links: files.links,
      origin,
    });
    this.#listener = new HttpListener({
      config,
      log,
      pipeline,
      routes: [...api, ...people.routes(api)],
      journal,
      drainGate: this.#drainGate,
    });
  }

  /** Opens the store and builds everything; nothing listens yet. */
  static async open(options: GatewayOptions): Promise<Gateway> {
    const { config } = options;
    await openDataFolder(config.dataDir);
    await removeLeftFolders(join(config.dataDir, 'tmp'));
    const database = await openDatabase({
      url: config.database?.url,
      dataDir: config.dataDir,
      announce: options.announce,
      signal: options.signal,
    });
    try {
      if (config.engines.search.kind === 'postgres') await openSearchTables(database.pool);
      return new Gateway(database, await openBlobStore(config), options);
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  /** Applies stacks and keys of the configuration, at start or after a reload. */
  async configure(config: Config, options: ConfigureOptions): Promise<ConfiguredStacks> {
    const configured = await applyConfiguredStacks(this.#database.pool, config, options);
    await applyAccountBudgets(this.#database.pool, config.budgets.accounts);
    renewCredentials(this.#started.engines, config.engines);
    this.#config = config;
    this.#directory.reconfigure(config);
    this.#prices.reconfigure(config.prices);
    this.#authenticator.forget();
    this.#knowledge.declare(config.stacks);
    return configured;
  }

  /** Reads the certificate of the listener again. */
  reloadCertificate(): void {
    this.#listener.reloadCertificate();
  }

  /** The token of a link for a first operator of the console, while there is no person who could log in. */
  firstOperatorToken(): Promise<string | undefined> {
    return firstOperatorToken(this.#database.pool, this.#config);
  }

  /** Starts listening; returns the URL for clients. */
  async listen(): Promise<string> {
    for (const module of this.#modules) await module.prepare?.();
    const url = await this.#listener.listen();
    for (const module of this.#modules) module.start?.();
    return url;
  }

  /** Resolves with the name of the first stack's embedded model once it is ready; undefined if there is none. */
  modelReady(signal: AbortSignal): Promise<string | undefined> {
    const { stacks, engines } = this.#config;
    const engineName = stacks[0]?.text[0] ?? Object.keys(engines.text)[0] ?? '';
    return this.#text.embeddedModelReady(engineName, signal);
  }

  /** Turns `/readyz` to 503, so that load balancers send requests elsewhere; others are still served. */
  announceStop(): void {
    this.#drainGate.announce();
  }

  /** Lets running requests finish until the signal aborts, then closes everything. */
  async stop(signal: AbortSignal): Promise<void> {
    await this.#listener.stop(signal);
    try {
      for (const module of this.#modules.toReversed()) await module.stop(signal);
    } finally {
      // Acknowledged data must be durable, also if something else fails to stop.
      await this.#database.close();
    }
  }
}
