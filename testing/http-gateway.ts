import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { SecureContext } from 'node:tls';
import type { Admission } from '../src/access/admission.ts';
import { Authenticator } from '../src/access/authenticator.ts';
import type { CallerDirectory } from '../src/access/caller-directory.ts';
import type { StorageRoom } from '../src/access/storage-room.ts';
import type { TokenBudget } from '../src/access/token-budget.ts';
import type { UsageRecorder } from '../src/access/usage-recorder.ts';
import type { PricesConfig } from '../src/config/config.ts';
import { FastPath } from '../src/fast-path/fast-path.ts';
import type { FileStore } from '../src/files/file-store.ts';
import type { AdminSources } from '../src/http/admin/admin-sources.ts';
import { BodyMemory } from '../src/http/body-memory.ts';
import { DrainGate } from '../src/http/drain-gate.ts';
import { EngineFailures } from '../src/http/engine-failures.ts';
import { buildHttpServer } from '../src/http/http-server.ts';
import { LargeJson } from '../src/http/large-json.ts';
import { LinkCallers } from '../src/http/link-callers.ts';
import { type ConnectionLimits, defaultConnectionLimits } from '../src/http/node-server.ts';
import { openApiDocument } from '../src/http/open-api.ts';
import { RequestJournal } from '../src/http/request-journal.ts';
import { RequestPipeline } from '../src/http/request-pipeline.ts';
import { RequestRing } from '../src/http/request-ring.ts';
import type { Route } from '../src/http/route.ts';
import { allRoutes } from '../src/http/routes/all-routes.ts';
import type { OperationsSources } from '../src/http/routes/operations.ts';
import { defaultStreamTimes, type StreamTimes, StreamWatch } from '../src/http/stream-watch.ts';
import { UploadSpool } from '../src/http/upload-spool.ts';
import { IdempotentRequests } from '../src/idempotency/idempotent-requests.ts';
import type { Gallery } from '../src/images/gallery.ts';
import type { ImageService } from '../src/images/image-service.ts';
import type { EmbeddingsEngine } from '../src/knowledge/embeddings-engine.ts';
import type { KnowledgeSearch } from '../src/knowledge/knowledge-search.ts';
import type { KnowledgeStore } from '../src/knowledge/knowledge-store.ts';
import { KnowledgeService } from '../src/knowledge/service/knowledge-service.ts';
import { type Clock, systemClock } from '../src/lib/clock.ts';
import { type WallClock, wallClock } from '../src/lib/wall-clock.ts';
import type { McpTool } from '../src/mcp/tool.ts';
import type { PdfEngine } from '../src/pdf/pdf-engine.ts';
import { PdfService } from '../src/pdf/pdf-service.ts';
import type { DocumentReader } from '../src/reading/document-reader.ts';
import { SchemaService } from '../src/schema/service/schema-service.ts';
import { StackActivity } from '../src/supervision/stack-activity.ts';
import { createLog } from '../src/telemetry/log.ts';
import { Metrics } from '../src/telemetry/metrics.ts';
import type { Tracer } from '../src/telemetry/tracer.ts';
import type { HostedTool } from '../src/text/hosted-tool.ts';
import { HostedTools } from '../src/text/hosted-tools.ts';
import type { BackgroundResponses } from '../src/text/responses/background-responses.ts';
import type { Retriever } from '../src/text/retriever.ts';
import type { TextEngine } from '../src/text/text-engine.ts';
import type { UsageLedger } from '../src/usage/usage-ledger.ts';
import { adminRouteParts, type TestOperators } from './admin-route-parts.ts';
import { isPathOf } from './answer-problems.ts';
import { HeldClock } from './bad-child/clocks.ts';
import { extractionService } from './documents/extraction-service.ts';
import { FakeCallerDirectory, makeCaller } from './fake-callers.ts';
import { FakeUsageRecorder } from './fake-usage-recorder.ts';
import { fileRouteParts } from './files/file-route-parts.ts';
import { MemoryIdempotencyBook } from './idempotency/memory-idempotency-book.ts';
import { imageService } from './images/image-service.ts';
import { MemoryGallery } from './images/memory-gallery.ts';
import { FakeEmbeddings } from './knowledge/fake-embeddings.ts';
import { MemoryKnowledgeStore } from './knowledge/memory-knowledge-store.ts';
import { memoryLimits } from './limits/memory-limits.ts';
import { noResources } from './mcp/no-resources.ts';
import { FakePdfEngine } from './pdf/fake-pdf-engine.ts';
import { openTestConsole, type TestConsole } from './people/test-console.ts';
import { RawClient } from './raw-client.ts';
import type { Schema } from './schema-problems.ts';
import { storageRoom } from './storage-room.ts';
import { responseSources, type StoredResponseParts } from './text/response-sources.ts';
import { textService } from './text/text-service.ts';

interface HttpGatewayOptions {
  /** Additional routes. */
  readonly routes?: readonly Route[];
  readonly directory?: CallerDirectory;
  readonly admission?: Admission;
  readonly budget?: TokenBudget;
  /** By default nothing costs anything. */
  readonly prices?: PricesConfig;
  /** Replaces `usage`. */
  readonly recorder?: UsageRecorder;
  /** For the expiry of cached keys. */
  readonly clock?: WallClock;
  readonly limits?: Partial<ConnectionLimits>;
  readonly streamTimes?: Partial<StreamTimes>;
  readonly corsOrigins?: readonly string[];
  /** By default requests are not traced. */
  readonly tracer?: Tracer;
  /** By default plain HTTP. */
  readonly tlsContext?: () => SecureContext;
  /** Whether connections read into one buffer; true by default. */
  readonly sharesReads?: boolean;
  /** Text engines by name; the callers use `gpu`. */
  readonly engines?: Iterable<readonly [string, TextEngine]>;
  /** By default none. */
  readonly hostedTools?: readonly HostedTool[];
  /** By default without an engine. */
  readonly images?: ImageService;
  /** By default unlimited. */
  readonly storage?: StorageRoom;
  readonly embeddings?: EmbeddingsEngine;
  readonly gallery?: Gallery;
  /** By default in memory. */
  readonly files?: FileStore;
  /** The largest file. */
  readonly maxFileBytes?: number;
  readonly publicUrl?: string;
  readonly trustProxy?: boolean;
  /** By default of its own; two gateways with the same are replicas. */
  readonly idempotency?: MemoryIdempotencyBook;
  /** By default in memory. */
  readonly responses?: StoredResponseParts;
  /** The keys that responses in the background are made for; by default there are none. */
  readonly keys?: Pick<CallerDirectory, 'findKey'>;
  /** The time of responses in the background; by default it stands still. */
  readonly timers?: Clock;
  /** How long a paused stack may take to wake. */
  readonly wakeMs?: number;
  /** By default finds nothing. */
  readonly retriever?: Retriever;
  /** By default a fake. */
  readonly pdfEngine?: PdfEngine;
  readonly pdfInFlight?: number;
  readonly notReady?: OperationsSources['notReady'];
  /** By default empty. */
  readonly ledger?: Pick<UsageLedger, 'read'>;
  readonly schemas?: SchemaService;
  /** By default a fake. */
  readonly reader?: DocumentReader;
  /** By default in memory. */
  readonly knowledge?: KnowledgeStore;
  readonly search?: KnowledgeSearch;
  /** By default none. */
  readonly tools?: readonly McpTool[];
  /** How often a running tool tells its progress. */
  readonly progressMs?: number;
  /** Operators by their tokens; by default none. */
  readonly operators?: TestOperators;
  /** The admin API; by default without a database. */
  readonly admin?: Partial<AdminSources>;
  /** The console; by default there is none. */
  readonly console?: TestConsole;
  /** By default plenty. */
  readonly bodyMemoryBytes?: number;
  /** Time limit of an extraction. */
  readonly extractionMs?: number;
}

/** A known key: plan Max, image plan, models `tiny` and `org/large`. */
export const goodKey = 'sk-good';
/** A key without the image plan. */
export const textKey = 'sk-text';
/** A key of a stack with one concurrent request. */
export const narrowKey = 'sk-narrow';

/** The HTTP layer on loopback, with callers in memory. */
export class HttpGateway implements AsyncDisposable {
  readonly drainGate = new DrainGate();
  readonly ring = new RequestRing();
  readonly bodyMemory: BodyMemory;
  readonly uploads = join(tmpdir(), `stackgate-uploads-${randomUUID()}`);
  readonly #largeJson = new LargeJson();
  readonly #spool = new UploadSpool(this.uploads, async () => {});
  /** Requests that went through Node's server rather than the fast path. */
  slowRequests = 0;
  readonly routes: readonly Route[];
  readonly directory: CallerDirectory;
  readonly admission: Admission;
  readonly limits = memoryLimits();
  /** Finished requests of known callers. */
  readonly usage = new FakeUsageRecorder();
  readonly idempotency: MemoryIdempotencyBook;
  readonly pdf: PdfService;
  readonly background: BackgroundResponses;
  readonly #metrics = new Metrics({
    engineStates: () => [],
    queueDepths: () => [],
    logLinesDropped: () => 0,
  });
  readonly #logLines: string[] = [];
  readonly #descriptions = new Map<string, Schema>();
  readonly #schemas: SchemaService;
  readonly #authenticator: Authenticator;
  readonly #server;

  private constructor(options: HttpGatewayOptions) {
    const notReady = options.notReady ?? (() => this.drainGate.fault());
    this.idempotency = options.idempotency ?? new MemoryIdempotencyBook();
    this.bodyMemory = new BodyMemory(options.bodyMemoryBytes ?? 1024 ** 3);
    this.directory = options.directory ?? knownCallers();
    this.#authenticator = new Authenticator(this.directory, options.clock ?? wallClock, {
      afterPause: setImmediate,
    });
    this.admission = options.admission ?? this.limits.admission;
    this.#schemas = options.schemas ?? new SchemaService();
    const { wakeMs, retriever } = options;
    const storage = options.storage ?? storageRoom();
    const metering = {
      budget: options.budget ?? this.limits.budget,
      usage: options.recorder ?? this.usage,
      prices: this.limits.prices,
      money: this.limits.money,
    };
    this.limits.prices.reconfigure(options.prices);
    const fileParts = fileRouteParts({
      storage,
      store: options.files,
      maxBytes: options.maxFileBytes,
      clock: options.clock,
      publicUrl: options.publicUrl,
      behindProxy: options.trustProxy,
    });
    const { files, links } = fileParts;
    const text = textService(options.engines ?? [], { wakeMs, retriever, files });
    const images = options.images ?? imageService([]);
    const hosted = new HostedTools(text, options.hostedTools ?? []);
    this.pdf = new PdfService({
      engine: options.pdfEngine ?? new FakePdfEngine(),
      text,
      maxInFlight: options.pdfInFlight ?? 4,
      cores: 4,
    });
    const responses = responseSources(text, {
      stored: options.responses,
      storage,
      hosted,
      keys: options.keys,
      metering,
      clock: options.timers ?? new HeldClock(),
    });
    this.background = responses.background;
    this.background.start();
    const api = [
      ...allRoutes({
        operations: {
          notReady,
          metrics: () => this.#metrics.render(),
          metricsContentType: this.#metrics.contentType,
        },
        callerLimits: this.limits.callerLimits,
        text,
        hosted,
        responses,
        watch: new StreamWatch({ ...defaultStreamTimes, ...options.streamTimes }),
        schemas: this.#schemas,
        embeddings: options.embeddings ?? new FakeEmbeddings(),
        images,
        storage,
        gallery: options.gallery ?? new MemoryGallery(),
        ...fileParts,
        pdf: this.pdf,
        usage: options.ledger ?? { read: async () => [] },
        extraction: extractionService({
          text,
          schemas: this.#schemas,
          reader: options.reader,
          timeoutMs: options.extractionMs,
        }),
        search: options.search ?? { search: async () => [] },
        knowledge: new KnowledgeService({ store: options.knowledge ?? new MemoryKnowledgeStore() }),
        mcp: {
          server: {
            tools: options.tools ?? [],
            resources: noResources,
            version: '0.0.0',
            ...(options.progressMs !== undefined && { progressMs: options.progressMs }),
          },
          admission: this.admission,
          cors: { origins: options.corsOrigins ?? [] },
        },
        ...adminRouteParts(options.operators, {
          ring: this.ring,
          drainGate: this.drainGate,
          limits: { callerLimits: this.limits.callerLimits, images, storage },
          ...options.admin,
        }),
      }),
      ...(options.routes ?? []),
    ];
    const people = openTestConsole(options.console, {
      authenticator: this.#authenticator,
      directory: this.directory,
      origin: fileParts.origin,
    });
    this.routes = [...api, ...people.routes(api)];
    const serving = {
      pipeline: new RequestPipeline({
        authenticator: this.#authenticator,
        linkCallers: new LinkCallers({ links, directory: this.directory }),
        playgroundCallers: people.playgroundCallers,
        captures: people.captures,
        admission: this.admission,
        callerLimits: this.limits.callerLimits,
        metering,
        ...(options.tracer !== undefined && { tracer: options.tracer }),
        idempotency: new IdempotentRequests({
          book: this.idempotency,
          clock: systemClock,
          log: createLog('trace', this.#logStream()),
        }),
        activity: new StackActivity(),
      }),
      routes: this.routes,
      journal: new RequestJournal({
        metrics: this.#metrics,
        log: createLog('trace', this.#logStream()),
        drainGate: this.drainGate,
        ring: this.ring,
        failures: new EngineFailures(),
      }),
      drainGate: this.drainGate,
      cors: { origins: options.corsOrigins ?? [] },
      bodyMemory: this.bodyMemory,
      largeJson: this.#largeJson,
      trustProxy: options.trustProxy ?? false,
      limits: { ...defaultConnectionLimits, refusalMs: 1, ...options.limits },
    };
    const front = new FastPath({ ...serving, sharesReads: options.sharesReads ?? true });
    const { tlsContext } = options;
    this.#server = buildHttpServer({
      ...serving,
      spool: this.#spool,
      front,
      ...(tlsContext !== undefined && { tlsContext }),
    });
    this.#server.server.on('request', () => {
      this.slowRequests += 1;
    });
  }

  static async start(options: HttpGatewayOptions = {}): Promise<HttpGateway> {
    const gateway = new HttpGateway(options);
    await gateway.#server.listen({ host: '127.0.0.1', port: 0 });
    return gateway;
  }

  /** The API description of the routes at a path, those of the test included; writing all of it takes longer than most tests. */
  description(path: string): Schema {
    const routes = this.routes.filter((route) => isPathOf(route.path, path));
    const template = routes[0]?.path ?? '';
    const description = this.#descriptions.get(template) ?? openApiDocument(routes, '0.0.0');
    this.#descriptions.set(template, description);
    return description;
  }

  get port(): number {
    const address = this.#server.server.address();
    return (address as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get log(): string {
    return this.#logLines.join('');
  }

  async connect(): Promise<RawClient> {
    return await RawClient.connect(this.port);
  }

  /** Open connections, as the server sees it. */
  async connections(): Promise<number> {
    return await new Promise((resolve, reject) =>
      this.#server.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );
  }

  /** A sample of the metrics by name and labels; `undefined` if there is none. */
  async metric(name: string): Promise<number | undefined> {
    const line = (await this.#metrics.render()).split('\n').find((text) => text.startsWith(`${name} `));
    return line === undefined ? undefined : Number(line.slice(name.length));
  }

  /** Requests being served, from the metrics. */
  async inFlight(): Promise<number | undefined> {
    return await this.metric('stackgate_http_requests_in_flight');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.server.closeAllConnections();
    await this.background.stop(AbortSignal.abort());
    await this.#server.close();
    await this.#spool.close();
    await this.#largeJson.stop(AbortSignal.abort());
    await this.limits.keeper.close();
    await this.#schemas.stop(AbortSignal.abort());
  }

  #logStream(): Writable {
    return new Writable({
      write: (chunk, _encoding, done) => {
        this.#logLines.push(String(chunk));
        done();
      },
    });
  }
}

function knownCallers(): FakeCallerDirectory {
  const directory = new FakeCallerDirectory();
  directory.add(goodKey, makeCaller({ stack: { models: ['tiny', 'org/large'] } }));
  directory.add(textKey, makeCaller({ stack: { id: 'text', imagePlan: false } }));
  directory.add(narrowKey, makeCaller({ stack: { id: 'narrow' }, limits: { concurrentRequests: 1 } }));
  return directory;
}
