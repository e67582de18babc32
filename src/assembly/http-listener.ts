import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { requireFreeDisk } from '../access/storage-room.ts';
import { OperatorError } from '../admin/operator-error.ts';
import { freeBytes } from '../catalogue/disk-space.ts';
import type { Config } from '../config/config.ts';
import { FastPath } from '../fast-path/fast-path.ts';
import { BodyMemory, bodyMemoryBytes } from '../http/body-memory.ts';
import type { DrainGate } from '../http/drain-gate.ts';
import { buildHttpServer, type HttpServer } from '../http/http-server.ts';
import { LargeJson } from '../http/large-json.ts';
import { defaultConnectionLimits } from '../http/node-server.ts';
import type { RequestJournal } from '../http/request-journal.ts';
import type { RequestPipeline } from '../http/request-pipeline.ts';
import type { Route } from '../http/route.ts';
import { TlsCertificates } from '../http/tls-certificates.ts';
import { UploadSpool } from '../http/upload-spool.ts';
import { systemClock } from '../lib/clock.ts';
import type { Log } from '../telemetry/log.ts';

interface HttpListenerOptions {
  readonly config: Config;
  readonly log: Log;
  readonly pipeline: RequestPipeline;
  readonly routes: readonly Route[];
  readonly journal: RequestJournal;
  readonly drainGate: DrainGate;
}

/** The server, the fast path before it, its certificates, and the room for bodies that arrive. */
export class HttpListener {
  readonly #host: string;
  readonly #port: number;
  readonly #drainGate: DrainGate;
  readonly #largeJson = new LargeJson();
  readonly #spool: UploadSpool;
  readonly #certificates: TlsCertificates | undefined;
  readonly #server: HttpServer;

  constructor({ config, log, ...served }: HttpListenerOptions) {
    const { server, dataDir } = config;
    this.#host = server.host;
    this.#port = server.port;
    this.#drainGate = served.drainGate;
    this.#spool = new UploadSpool(join(dataDir, 'tmp', `uploads-${process.pid}`), async () =>
      requireFreeDisk(await freeBytes(dataDir)),
    );
    const serving = {
      ...served,
      cors: server.cors,
      bodyMemory: new BodyMemory(bodyMemoryBytes(server.bodyMemory)),
      trustProxy: server.trustProxy,
      limits: {
        ...defaultConnectionLimits,
        connections: server.maxConnections,
        connectionsPerAddress: server.maxConnectionsPerAddress,
      },
      largeJson: this.#largeJson,
    };
    const certificates = openCertificates(config, log);
    this.#certificates = certificates;
    this.#server = buildHttpServer({
      ...serving,
      spool: this.#spool,
      front: new FastPath({ ...serving, sharesReads: server.sharedReads }),
      ...(certificates !== undefined && { tlsContext: () => certificates.context }),
    });
  }

  /** Starts listening; returns the URL for clients. */
  async listen(): Promise<string> {
    await this.#server.listen({ host: this.#host, port: this.#port });
    this.#certificates?.start();
    const scheme = this.#certificates === undefined ? 'http' : 'https';
    return `${scheme}://${addressOf(this.#host, this.#server.server.address())}`;
  }

  /** Reads the certificate again. */
  reloadCertificate(): void {
    this.#certificates?.reload();
  }

  /** Lets running requests finish until the signal aborts, then closes all connections. */
  async stop(signal: AbortSignal): Promise<void> {
    this.#certificates?.stop();
    await this.#drainGate.drain(signal);
    this.#server.server.closeAllConnections();
    await this.#server.close();
    await this.#spool.close();
    await this.#largeJson.stop(signal);
  }
}

function addressOf(host: string, address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  return `${host.includes(':') ? `[${host}]` : host}:${address.port}`;
}

function openCertificates({ server }: Config, log: Log): TlsCertificates | undefined {
  if (server.tls === undefined) return undefined;
  try {
    return new TlsCertificates({ files: server.tls, clock: systemClock, log });
  } catch (error) {
    throw new OperatorError(`server.tls cannot be used: ${error instanceof Error ? error.message : error}`);
  }
}
