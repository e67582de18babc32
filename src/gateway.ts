import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Authenticator } from './access/authenticator.ts';
import { requireFreeDisk, StorageRoom } from './access/storage-room.ts';
import {
  applyConfiguredStacks,
  type ConfiguredStacks,
  type ConfigureOptions,
} from './admin/configured-stacks.ts';
import { EmbeddingsPart } from './assembly/embeddings-part.ts';
import type { GatewayPart } from './assembly/gateway-part.ts';
import { ImagePart } from './assembly/image-part.ts';
import { KnowledgePart } from './assembly/knowledge-part.ts';
import { LimitsPart } from './assembly/limits-part.ts';
import { ModelPart } from './assembly/model-part.ts';
import { openExtraction } from './assembly/open-extraction.ts';
import { PdfPart } from './assembly/pdf-part.ts';
import { ReadingPart } from './assembly/reading-part.ts';
import { SchemaPart } from './assembly/schema-part.ts';
import { TextPart } from './assembly/text-part.ts';
import { UsagePart } from './assembly/usage-part.ts';
import type { BlobStore } from './blobs/blob-store.ts';
import { openBlobStore } from './blobs/open-blob-store.ts';
import { freeBytes } from './catalogue/disk-space.ts';
import type { FetchWatcher } from './catalogue/fetch-watcher.ts';
import type { ModelStore } from './catalogue/model-store.ts';
import type { Config } from './config/config.ts';
import { FastPath } from './fast-path/fast-path.ts';
import { BodyMemory, bodyMemoryBytes } from './http/body-memory.ts';
import { DrainGate } from './http/drain-gate.ts';
import { buildHttpServer, type HttpServer } from './http/http-server.ts';
import { LargeJson } from './http/large-json.ts';
import { defaultConnectionLimits } from './http/node-server.ts';
import { RequestJournal } from './http/request-journal.ts';
import { RequestPipeline } from './http/request-pipeline.ts';
import { allRoutes } from './http/routes/all-routes.ts';
import { defaultStreamTimes, StreamWatch } from './http/stream-watch.ts';
import { UploadSpool } from './http/upload-spool.ts';
import { turnClock, turnWallClock } from './lib/clock.ts';
import { removeLeftFolders } from './lib/remove-left-folders.ts';
import { openDataFolder } from './store/data-folder.ts';
import { type Database, openDatabase } from './store/database.ts';
import { DatabaseHealth } from './store/database-health.ts';
import { SqlCallerDirectory } from './store/sql-caller-directory.ts';
import { SqlStorageBook } from './store/sql-storage-book.ts';
import type { Log } from './telemetry/log.ts';
import { Metrics } from './telemetry/metrics.ts';
import { DocumentAttachmentReader } from './text/document-attachment-reader.ts';

export interface GatewayOptions {
  readonly config: Config;
  readonly log: Log;
  /** Lines of the log that had no reader, so far. */
  readonly logLinesDropped: () => number;
  /** Tells the operator, on the terminal, what a slow start waits for. */
  readonly announce: (message: string) => void;
  /** The model files of this machine. */
  readonly models: ModelStore;
  /** Told of models that are fetched. */
  readonly fetchWatcher: FetchWatcher;
  readonly signal: AbortSignal;
}

/** The whole gateway: with the parts in assembly/, the one place that knows every concrete class. */
export class Gateway {
  readonly #database: Database;
  readonly #directory: SqlCallerDirectory;
  readonly #authenticator: Authenticator;
  readonly #drainGate = new DrainGate();
  readonly #parts: readonly GatewayPart[];
  readonly #text: TextPart;
  readonly #knowledge: KnowledgePart;
  readonly #server: HttpServer;
  readonly #spool: UploadSpool;
  readonly #largeJson = new LargeJson();
  #config: Config;

  private constructor(database: Database, blobs: BlobStore, options: GatewayOptions) {
    const { config, log } = options;
    this.#config = config;
    this.#database = database;
    const { pool } = database;
    this.#spool = new UploadSpool(join(config.dataDir, 'tmp', `uploads-${process.pid}`), async () =>
      requireFreeDisk(await freeBytes(config.dataDir)),
    );
    this.#directory = new SqlCallerDirectory(pool, config);
    this.#authenticator = new Authenticator(this.#directory, turnWallClock, {
      onManyWrong: (many) => log.warn(many, 'an address sent too many wrong keys within a minute'),
    });
    const health = new DatabaseHealth(pool);
    const metrics = new Metrics({
      engineStates: () => this.#parts.flatMap((part) => part.states?.() ?? []),
      queueDepths: () => [
        ['database', pool.waitingCount],
        ...this.#parts.flatMap((part) => part.queueDepths?.() ?? []),
      ],
      logLinesDropped: options.logLinesDropped,
    });
    pool.on('acquire', () => metrics.databaseUsed());
    const usage = new UsagePart({ config, log, metrics, pool });
    const limits = new LimitsPart({ database, metrics });
    const schemas = new SchemaPart(log);
    const models = new ModelPart({ config, store: options.models, watcher: options.fetchWatcher });
    const reading = new ReadingPart(config, models.fetch);
    const embeddings = new EmbeddingsPart({ config, log });
    this.#knowledge = new KnowledgePart({
      log,
      metrics,
      pool,
      blobs,
      reader: reading.reader,
      embeddings: embeddings.engine,
    });
    this.#text = new TextPart({
      config,
      log,
      metrics,
      schemas: schemas.service,
      entries: options.models.entries,
      models: models.fetch,
      reader: new DocumentAttachmentReader(reading.reader),
      retriever: this.#knowledge.retriever,
    });
    const storage = new StorageRoom({
      book: new SqlStorageBook(pool),
      clock: turnClock,
      freeBytes: async () => (config.blobs === undefined ? await freeBytes(config.dataDir) : undefined),
    });
    const images = new ImagePart({ config, log, pool, blobs, storage });
    const pdf = new PdfPart({ config, log, metrics, text: this.#text.service });
    // Usage and limits are the first to start and the last to stop: until then requests end.
    this.#parts = [
      usage,
      limits,
      schemas,
      models,
      reading,
      embeddings,
      this.#knowledge,
      this.#text,
      images,
      pdf,
    ];
    const journal = new RequestJournal({ metrics, log, drainGate: this.#drainGate });
    const pipeline = new RequestPipeline({
      authenticator: this.#authenticator,
      admission: limits.admission,
      callerLimits: limits.callerLimits,
      metering: { budget: limits.budget, usage: usage.tally },
    });
    const routes = allRoutes({
      operations: {
        notReady: () => this.#drainGate.fault() ?? health.fault(),
        metrics: () => metrics.render(),
        metricsContentType: metrics.contentType,
      },
      callerLimits: limits.callerLimits,
      text: this.#text.service,
      watch: new StreamWatch(defaultStreamTimes),
      schemas: schemas.service,
      embeddings: embeddings.engine,
      images: images.service,
      storage,
      gallery: images.gallery,
      pdf: pdf.service,
      usage: usage.ledger,
      extraction: openExtraction({
        text: this.#text.service,
        schemas: schemas.service,
        reader: reading.reader,
        isGrounded: (engine) => this.#text.isGrounded(engine),
      }),
      knowledge: this.#knowledge.service,
    });
    const serving = {
      pipeline,
      routes,
      journal,
      drainGate: this.#drainGate,
      cors: config.server.cors,
      bodyMemory: new BodyMemory(bodyMemoryBytes(config.server.bodyMemory)),
      trustProxy: config.server.trustProxy,
      limits: {
        ...defaultConnectionLimits,
        connections: config.server.maxConnections,
        connectionsPerAddress: config.server.maxConnectionsPerAddress,
      },
      largeJson: this.#largeJson,
    };
    const front = new FastPath({ ...serving, sharesReads: config.server.sharedReads });
    this.#server = buildHttpServer({ ...serving, spool: this.#spool, front });
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
      return new Gateway(database, await openBlobStore(config), options);
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  /** Brings stacks and keys in line with the configuration, now or when it was read anew. */
  async configure(config: Config, options: ConfigureOptions): Promise<ConfiguredStacks> {
    const configured = await applyConfiguredStacks(this.#database.pool, config, options);
    this.#config = config;
    this.#directory.reconfigure(config);
    this.#authenticator.forget();
    this.#knowledge.declare(config.stacks);
    return configured;
  }

  /** Starts to listen; returns the address that clients use. */
  async listen(): Promise<string> {
    const { host, port } = this.#config.server;
    await this.#server.listen({ host, port });
    for (const part of this.#parts) part.start?.();
    return addressOf(host, this.#server.server.address());
  }

  /** Resolves with the name of the embedded model that serves the first stack, once it can be asked; undefined where there is none. */
  modelReady(signal: AbortSignal): Promise<string | undefined> {
    const { stacks, engines } = this.#config;
    const engineName = stacks[0]?.text[0] ?? Object.keys(engines.text)[0] ?? '';
    return this.#text.embeddedModelReady(engineName, signal);
  }

  /** Turns `/readyz` to 503, so that requests are sent elsewhere; those that come nevertheless are served. */
  announceStop(): void {
    this.#drainGate.announce();
  }

  /** Lets what is being served end, until the signal says that enough was waited; then closes everything. */
  async stop(signal: AbortSignal): Promise<void> {
    await this.#drainGate.drain(signal);
    this.#server.server.closeAllConnections();
    await this.#server.close();
    await this.#spool.close();
    await this.#largeJson.stop(signal);
    try {
      for (const part of this.#parts.toReversed()) await part.stop(signal);
    } finally {
      // Whatever else fails to end, what was acknowledged lasts.
      await this.#database.close();
    }
  }
}

function addressOf(host: string, address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
}
