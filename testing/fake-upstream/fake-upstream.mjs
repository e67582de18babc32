import { createServer } from 'node:http';
import { deliver } from './deliver.mjs';
import { failureOf } from './failure-modes.mjs';
import { RequestLog } from './request-log.mjs';
import { answerRequest, isWorkPath } from './routes.mjs';

const LISTEN_BACKLOG = 4_096;
const MAXIMUM_BODY_BYTES = 256 * 1024 * 1024;
const KEEP_ALIVE_MS = 60_000;

/**
 * Starts a fake OpenAI-compatible server on loopback; see fake-upstream.d.mts for what it can do.
 * @param {import('./fake-upstream.d.mts').FakeUpstreamOptions} [options]
 * @returns {Promise<import('./fake-upstream.d.mts').FakeUpstream>}
 */
export async function startFakeUpstream(options = {}) {
  const upstream = new FakeUpstream(options);
  await upstream.accept();
  if (options.refusing) await upstream.refuse();
  return upstream;
}

class FakeUpstream {
  #options;
  #server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: 0 });
  #port;
  #log;
  #queue = [];
  #script = () => undefined;
  #openConnections = 0;

  constructor(options) {
    this.#options = {
      model: 'fake-model',
      contextWindow: 32_768,
      flavour: 'vllm',
      plan: {},
      maximumBodyBytes: MAXIMUM_BODY_BYTES,
      ...options,
    };
    this.#port = options.port ?? 0;
    this.#log = new RequestLog(options);
    this.#server.on('connection', (socket) => {
      this.#openConnections += 1;
      socket.once('close', () => {
        this.#openConnections -= 1;
        this.#log.wakeWaiters();
      });
      this.#log.wakeWaiters();
    });
    this.#server.on('request', (request, response) => void this.#serve(request, response));
  }

  get url() {
    return `http://127.0.0.1:${this.#port}`;
  }

  get model() {
    return this.#options.model;
  }

  get requests() {
    return this.#log.requests;
  }

  get totalRequests() {
    return this.#log.total;
  }

  get activeRequests() {
    return this.#log.active;
  }

  get openConnections() {
    return this.#openConnections;
  }

  respond(...plans) {
    this.#queue.push(...plans);
  }

  script(next) {
    this.#script = next;
  }

  /** @param {(upstream: FakeUpstream) => boolean} condition */
  async until(condition, signal) {
    await this.#log.until(() => condition(this), signal);
  }

  async clientGone(signal) {
    return await this.#log.nextGone(signal);
  }

  async refuse() {
    if (!this.#server.listening) return;
    this.#log.isClosing = true;
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
    await this.#log.until(() => this.#openConnections === 0 && this.#log.active === 0);
  }

  async accept() {
    if (this.#server.listening) return;
    await new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ port: this.#port, host: '127.0.0.1', backlog: LISTEN_BACKLOG }, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
    this.#port = this.#server.address().port;
    this.#log.isClosing = false;
  }

  async close() {
    await this.refuse();
  }

  async [Symbol.asyncDispose]() {
    await this.close();
  }

  async #serve(request, response) {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const entry = this.#log.open(request, response);
    try {
      const bytes = await readBody(request, this.#options.maximumBodyBytes);
      if (bytes === undefined) response.writeHead(413).end();
      else {
        await entry.take(bytes);
        await this.#answer(entry, response, gone.signal);
      }
    } catch (error) {
      if (!gone.signal.aborted) this.#breakOff(response, error);
    }
  }

  async #answer(entry, response, gone) {
    const { recorded } = entry;
    const isWork = isWorkPath(recorded.path);
    const plan =
      (await this.#script(recorded)) ?? (isWork ? (this.#queue.shift() ?? this.#options.plan) : {});
    const failure = failureOf(plan);
    if (failure?.breaksTransport) entry.expectCut();
    const answer = answerRequest({ recorded, plan, mode: failure?.mode, options: this.#options });
    await deliver({ response, answer, plan, failure, gone, onPiece: () => entry.countPiece() });
  }

  /** A mistake in a script must fail the test rather than hang the request. */
  #breakOff(response, error) {
    if (response.headersSent) response.destroy();
    else response.writeHead(500, { 'content-type': 'text/plain' }).end(`fake upstream: ${error.stack}`);
  }
}

/** The whole body, or nothing if it is too large: the rest is read and dropped. */
async function readBody(request, maximumBytes) {
  let chunks = [];
  let sizeBytes = 0;
  for await (const chunk of request) {
    sizeBytes += chunk.length;
    if (sizeBytes <= maximumBytes) chunks.push(chunk);
    else chunks = [];
  }
  return sizeBytes <= maximumBytes ? Buffer.concat(chunks) : undefined;
}
