import type { ServerCredentials } from '../../../config/config.ts';
import { Fault } from '../../../faults/fault.ts';
import { type Clock, systemClock, type Timer } from '../../../lib/clock.ts';
import type { EngineState, Lifecycle } from '../../../supervision/lifecycle.ts';
import { GATEWAY_STACK } from '../../../supervision/round-robin-queue.ts';
import type { StackWork } from '../../../supervision/stack-work.ts';
import type { Log } from '../../../telemetry/log.ts';
import { askJson } from '../../../upstream/ask-json.ts';
import { isWorthAnotherServer } from '../../../upstream/engine-faults.ts';
import { parseUpstreamAddress, type UpstreamAddress } from '../../../upstream/upstream-address.ts';
import { UpstreamPool } from '../../../upstream/upstream-pool.ts';
import type { Embeddings, EmbeddingsEngine } from '../../embeddings-engine.ts';
import { parseEmbeddingsAnswer } from './embeddings-answer.ts';

export interface OpenAiEmbeddingsOptions {
  readonly config: ServerCredentials & { readonly baseUrl: string; readonly model: string };
  readonly log: Log;
  readonly clock?: Clock;
}

/** Texts per request: common servers accept this many. */
const BATCH_TEXTS = 32;
/** Attempts per batch. */
const MAX_ATTEMPTS = 3;
const RETRY_AFTER_MS = 200;
const TIMEOUT_MS = 60_000;
const SWEEP_MS = 250;
const MAX_CONNECTIONS = 8;
const MAX_WAITING = 256;
const limits = { connectMs: 5_000, silenceMs: 60_000, idleConnectionMs: 4_000 };

/** Embeddings from any server with the OpenAI embeddings route. */
export class OpenAiEmbeddings implements EmbeddingsEngine {
  readonly model: string;
  readonly lifecycle: Lifecycle;
  readonly #options: OpenAiEmbeddingsOptions;
  readonly #clock: Clock;
  readonly #address: UpstreamAddress;
  readonly #pool: UpstreamPool;
  #state: EngineState = 'starting';
  #timer: Timer | undefined;

  constructor(options: OpenAiEmbeddingsOptions) {
    const { config, clock = systemClock } = options;
    this.model = config.model;
    this.#options = options;
    this.#clock = clock;
    this.#address = parseUpstreamAddress(config.baseUrl);
    this.#pool = new UpstreamPool({
      target: { address: this.#address, certificates: config.certificates },
      apiKey: config.apiKey,
      clock,
      limits,
      maximumConnections: MAX_CONNECTIONS,
      maximumWaiting: MAX_WAITING,
    });
    this.lifecycle = lifecycleOf(this, () => this.#state);
    this.#sweep();
  }

  async embed(texts: readonly string[], { signal, span }: StackWork): Promise<Embeddings> {
    const vectors: Float32Array[] = [];
    let tokens = 0;
    for (let start = 0; start < texts.length; start += BATCH_TEXTS) {
      const batch = await this.#embedBatch(texts.slice(start, start + BATCH_TEXTS), { signal, span });
      vectors.push(...batch.vectors);
      tokens += batch.tokens;
    }
    return { vectors, tokens };
  }

  /** Aborts all work and closes every connection. */
  async stop(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = undefined;
    await this.#pool.close();
  }

  async #embedBatch(
    texts: readonly string[],
    { signal, span }: Omit<StackWork, 'stackId'>,
  ): Promise<Embeddings> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const embeddings = parseEmbeddingsAnswer(await this.#ask(texts, { signal, span }), texts);
        this.#become('ready');
        return embeddings;
      } catch (error) {
        signal.throwIfAborted();
        const mayPass = error instanceof Fault && isWorthAnotherServer(error);
        if (mayPass) this.#become('degraded', error);
        if (!mayPass || attempt === MAX_ATTEMPTS) throw error;
        await this.#pause(attempt * RETRY_AFTER_MS, signal);
      }
    }
  }

  #ask(texts: readonly string[], { signal, span }: Omit<StackWork, 'stackId'>): Promise<unknown> {
    const key = this.#options.config.apiKey?.reveal();
    const body = JSON.stringify({ model: this.model, input: texts, encoding_format: 'float' });
    const request = {
      method: 'POST' as const,
      path: `${this.#address.basePath}/embeddings`,
      body,
      timeoutMs: TIMEOUT_MS,
      traceparent: span?.traceparent,
    };
    const redact = (text: string) => (key === undefined ? text : text.replaceAll(key, '[secret]'));
    return askJson({ pool: this.#pool, request, redact }, signal);
  }

  #become(state: EngineState, error?: unknown): void {
    if (this.#state === state) return;
    this.#state = state;
    const server = this.#options.config.baseUrl;
    if (state === 'ready') this.#options.log.info({ server }, 'the embeddings server answers');
    else this.#options.log.warn({ server, error }, 'the embeddings server does not answer');
  }

  #pause(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const abort = () => {
        timer.cancel();
        reject(signal.reason);
      };
      const timer = this.#clock.after(ms, () => {
        signal.removeEventListener('abort', abort);
        resolve();
      });
      signal.addEventListener('abort', abort, { once: true });
    });
  }

  #sweep(): void {
    this.#timer = this.#clock.after(SWEEP_MS, () => this.#sweep());
    this.#pool.sweep();
  }
}

/** A server's state is known from its answers only, so waking it embeds a word. */
function lifecycleOf(engine: EmbeddingsEngine, state: () => EngineState): Lifecycle {
  return {
    get state() {
      return state();
    },
    async ready(signal) {
      if (state() !== 'ready') await engine.embed(['ready'], { stackId: GATEWAY_STACK, signal });
    },
  };
}
