import { Worker } from 'node:worker_threads';
import { compiledFile } from './compiled-file.ts';
import { DatabaseAway } from './database-away.ts';
import type { EmbeddedDatabaseLog } from './embedded-database-event.ts';
import type { ExecuteOptions, SessionBackend } from './session-backend.ts';
import type { WorkerReport, WorkerRequest, WorkerSetup } from './worker-protocol.ts';

const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 10_000;
/** Opening replays the log after a crash; a worker that takes longer is considered hung. */
const OPEN_TIMEOUT_MS = 120_000;
const CLOSE_TIMEOUT_MS = 30_000;

/** Options of a worker backend. */
export interface WorkerBackendOptions extends WorkerSetup {
  readonly statementTimeoutMs: number;
  readonly log: EmbeddedDatabaseLog;
  /** Called when the session is lost. */
  readonly lost: (error: DatabaseAway) => void;
}

interface Pending {
  readonly onData: (bytes: Buffer) => void;
  readonly settle: (error?: Error) => void;
}

/** The one PostgreSQL session, in a worker thread that is restarted after a crash or timeout. */
export class WorkerBackend implements SessionBackend {
  readonly #options: WorkerBackendOptions;
  #worker: Worker | undefined;
  #greeting: Buffer | undefined;
  #pending: Pending | undefined;
  #failure = 'it is starting';
  #retryMs = FIRST_RETRY_MS;
  #retryTimer: NodeJS.Timeout | undefined;
  #isClosing = false;

  constructor(options: WorkerBackendOptions) {
    this.#options = options;
  }

  /** The server messages that open a connection; undefined while the database is away. */
  get greeting(): Buffer | undefined {
    return this.#greeting;
  }

  /** Starts the worker; rejects if it cannot open the database. */
  async open(): Promise<void> {
    await this.#startWorker();
  }

  /** Sends complete messages to PostgreSQL; rejects with DatabaseAway if the worker is not running or is lost meanwhile. */
  async execute(request: Uint8Array, { onData, timeoutMs }: ExecuteOptions): Promise<void> {
    const worker = this.#worker;
    if (worker === undefined || this.#greeting === undefined) {
      throw new DatabaseAway('ECONNREFUSED', this.#failure);
    }
    if (this.#pending !== undefined) throw new Error('the session is taken');
    const limitMs = timeoutMs ?? this.#options.statementTimeoutMs;
    const timer = setTimeout(() => this.#stop(worker, `a statement ran longer than ${limitMs} ms`), limitMs);
    try {
      await new Promise<void>((resolve, reject) => {
        const settle = (error?: Error): void => (error === undefined ? resolve() : reject(error));
        this.#pending = { onData, settle };
        post(worker, { type: 'execute', bytes: request });
      });
    } finally {
      clearTimeout(timer);
      this.#pending = undefined;
    }
  }

  /** Shuts PostgreSQL down and ends the worker. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#retryTimer);
    const worker = this.#worker;
    if (worker === undefined) return;
    this.#greeting = undefined;
    this.#failure = 'it is closed';
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, CLOSE_TIMEOUT_MS);
      const finish = (): void => {
        clearTimeout(timer);
        resolve();
      };
      worker.once('exit', finish);
      worker.on('message', (report: WorkerReport) => report.type === 'closed' && finish());
      post(worker, { type: 'close' });
    });
    await worker.terminate();
  }

  /** Ends the worker like a crash; it is restarted. */
  #stop(worker: Worker, reason: string): void {
    this.#failure = reason;
    void worker.terminate();
  }

  async #startWorker(): Promise<void> {
    const { folder, fullDisk, extensions } = this.#options;
    const setup: WorkerSetup = {
      folder,
      ...(fullDisk !== undefined && { fullDisk }),
      ...(extensions !== undefined && { extensions }),
    };
    const worker = new Worker(compiledFile('database-worker.js'), { workerData: setup });
    this.#worker = worker;
    this.#failure = 'it is starting';
    const timer = setTimeout(() => this.#stop(worker, 'opening took too long'), OPEN_TIMEOUT_MS);
    try {
      await new Promise<void>((resolve, reject) => {
        worker.on('message', (report: WorkerReport) => {
          this.#receive(report);
          if (report.type === 'ready') resolve();
        });
        worker.on('error', (error) => {
          this.#failure = error.message;
        });
        worker.once('exit', () => {
          reject(new Error(`the embedded database did not open: ${this.#failure}`));
          this.#handleExit();
        });
      });
    } finally {
      clearTimeout(timer);
    }
  }

  #receive(report: WorkerReport): void {
    switch (report.type) {
      case 'ready':
        this.#greeting = Buffer.from(report.greeting);
        return;
      case 'data':
        this.#pending?.onData(Buffer.from(report.bytes.buffer, report.bytes.byteOffset, report.bytes.length));
        return;
      case 'done':
        this.#retryMs = FIRST_RETRY_MS;
        this.#pending?.settle();
        return;
      case 'failed':
        this.#failure = report.reason;
        return;
      case 'closed':
        return;
    }
  }

  #handleExit(): void {
    const wasOpen = this.#greeting !== undefined;
    this.#worker = undefined;
    this.#greeting = undefined;
    const error = new DatabaseAway('ECONNRESET', this.#failure);
    this.#pending?.settle(error);
    if (this.#isClosing || !wasOpen) return;
    this.#options.lost(error);
    this.#startAgainLater();
  }

  #startAgainLater(): void {
    const retryInMs = this.#retryMs;
    this.#retryMs = Math.min(this.#retryMs * 2, LONGEST_RETRY_MS);
    this.#options.log({ type: 'worker-lost', message: this.#failure, retryInMs });
    this.#retryTimer = setTimeout(() => {
      this.#startWorker().then(
        () => this.#options.log({ type: 'worker-restored', message: 'the embedded database is back' }),
        () => this.#isClosing || this.#startAgainLater(),
      );
    }, retryInMs);
  }
}

function post(worker: Worker, request: WorkerRequest): void {
  worker.postMessage(request);
}
