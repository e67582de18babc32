import type { ServerCertificates } from '../../../config/config.ts';
import type { Secret } from '../../../config/secret.ts';
import type { Clock } from '../../../lib/clock.ts';
import { slotsPerStack } from '../../../supervision/slots-per-stack.ts';
import type { Log } from '../../../telemetry/log.ts';
import { askJson } from '../../../upstream/ask-json.ts';
import { parseUpstreamAddress, type UpstreamAddress } from '../../../upstream/upstream-address.ts';
import type { JsonBytes } from '../../../upstream/upstream-call.ts';
import { UpstreamPool } from '../../../upstream/upstream-pool.ts';
import type { OpenAiLimits } from './openai-limits.ts';
import { type ProbeOutcome, type SchemaForm, SchemaForms } from './schema-forms.ts';
import { probeOutcome, schemaProbe } from './schema-probe.ts';

export interface ModelServerOptions {
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey: Secret | undefined;
  readonly clock: Clock;
  readonly limits: OpenAiLimits;
  /** Of the whole engine: all of them may go to this server. */
  readonly countsAtOnce: number;
  readonly certificates: ServerCertificates | undefined;
  readonly log: Log;
  /** Called for each probe of the gateway that finds out how the server accepts schemas. */
  readonly onProbe: () => void;
}

/** A small request besides the answers. */
export interface Errand {
  readonly method: 'GET' | 'POST';
  readonly path: (address: UpstreamAddress) => string;
  /** JSON. */
  readonly body?: string | JsonBytes;
  readonly timeoutMs: number;
  /** Absent: no request is traced by it. */
  readonly traceparent?: string | undefined;
}

/** The path of chat completions. */
export function chatPath({ basePath }: UpstreamAddress): string {
  return `${basePath}/chat/completions`;
}

/** Facts about a server, learned by a check. */
export interface ModelServerFacts {
  readonly contextWindow: number | undefined;
  readonly isVllm: boolean;
}

/** `unknown`: not checked yet. */
type Health = 'unknown' | 'up' | 'down';

const FAILURES_UNTIL_DOWN = 2;
/** A check sends one request after the other; the socket of an aborted one may still be closing. */
const CHECK_CONNECTIONS = 2;
/** Schema probes run one after the other, beside the counts. */
const SCHEMA_PROBES = 1;

/** One model server: its connections and its health. */
export class ModelServer {
  readonly baseUrl: string;
  readonly address: UpstreamAddress;
  readonly answers: UpstreamPool;
  /** The form in which it accepts schemas. */
  readonly schemaForms: SchemaForms;
  readonly #errands: UpstreamPool;
  /** Separate, so that no other request delays a check. */
  readonly #checks: UpstreamPool;
  readonly #apiKey: Secret | undefined;
  readonly #clock: Clock;
  readonly #checkEveryMs: number;
  readonly #closing = new AbortController();
  #health: Health = 'unknown';
  #failures = 0;
  #isSuspect = false;
  /** Whether bytes of a good answer came since the last sweep, and the time of the last sweep that saw some. */
  #hasAnswered = false;
  #answeredMs = Number.NEGATIVE_INFINITY;
  #contextWindow: number | undefined;
  #isVllm = false;

  constructor(options: ModelServerOptions) {
    const { baseUrl, apiKey, clock, limits, countsAtOnce, certificates, log } = options;
    this.baseUrl = baseUrl;
    this.address = parseUpstreamAddress(baseUrl);
    this.#apiKey = apiKey;
    this.#clock = clock;
    this.#checkEveryMs = limits.checkEveryMs;
    const common = { target: { address: this.address, certificates }, apiKey, clock, limits };
    this.answers = new UpstreamPool({
      ...common,
      maximumConnections: limits.connectionsPerServer,
      maximumConnectionsPerStack: slotsPerStack(limits.connectionsPerServer),
      maximumWaiting: limits.waitingPerServer,
      maximumWaitingPerStack: limits.waitingPerStack,
    });
    // Counts were queued before; here, like checks, they only wait for closing sockets.
    const poolFor = (atOnce: number) =>
      new UpstreamPool({ ...common, maximumConnections: atOnce, maximumWaiting: atOnce });
    this.#errands = poolFor(countsAtOnce + SCHEMA_PROBES);
    this.#checks = poolFor(CHECK_CONNECTIONS);
    this.schemaForms = new SchemaForms({
      probe: (form) => this.#probe(form, options),
      nowMs: () => clock.nowMs(),
      onFound: (form) => logForm(log, baseUrl, form),
    });
  }

  get health(): Health {
    return this.#health;
  }

  /** Whether a request failed since the last check. */
  get isSuspect(): boolean {
    return this.#isSuspect;
  }

  get contextWindow(): number | undefined {
    return this.#contextWindow;
  }

  /** Whether the last check showed that it is vLLM. */
  get isVllm(): boolean {
    return this.#isVllm;
  }

  get load(): number {
    return this.answers.load;
  }

  get connections(): number {
    return this.answers.connections + this.#errands.connections + this.#checks.connections;
  }

  /** Removes the API key from a text, in case the server repeats it. */
  readonly redact = (text: string): string =>
    this.#apiKey === undefined ? text : text.replaceAll(this.#apiKey.reveal(), '[secret]');

  async ask(errand: Errand, signal: AbortSignal): Promise<unknown> {
    const answer = await this.#ask(this.#errands, errand, signal);
    this.answered();
    return answer;
  }

  /** Sends a health request. */
  check(errand: Errand, signal: AbortSignal): Promise<unknown> {
    return this.#ask(this.#checks, errand, signal);
  }

  /** Bytes of a good answer came. Only sets a flag: the next sweep reads the clock. */
  answered(): void {
    this.#hasAnswered = true;
  }

  suspect(): void {
    this.#isSuspect = true;
  }

  markUp({ contextWindow, isVllm }: ModelServerFacts): void {
    this.#isUp();
    this.#isSuspect = false;
    this.#contextWindow = contextWindow ?? this.#contextWindow;
    this.#isVllm = isVllm;
  }

  /** A check failed. The very first failure marks the server as down, later ones only if they repeat. */
  markFailed(): void {
    this.#isSuspect = true;
    this.#failures += 1;
    if (this.#health === 'unknown' || this.#failures >= FAILURES_UNTIL_DOWN) this.#health = 'down';
  }

  /** A check timed out, which means nothing if the server has answered other requests meanwhile. */
  markSlow(): void {
    this.#noteAnswers();
    if (this.#clock.nowMs() - this.#answeredMs >= this.#checkEveryMs) {
      this.markFailed();
      return;
    }
    this.#isSuspect = true;
    this.#isUp();
  }

  sweep(): void {
    this.#noteAnswers();
    this.answers.sweep();
    this.#errands.sweep();
    this.#checks.sweep();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([this.answers.close(), this.#errands.close(), this.#checks.close()]);
  }

  #ask(pool: UpstreamPool, errand: Errand, signal: AbortSignal): Promise<unknown> {
    const { method, path, body, timeoutMs, traceparent } = errand;
    const request = { method, path: path(this.address), body, timeoutMs, traceparent };
    return askJson({ pool, request, redact: this.redact }, signal);
  }

  #isUp(): void {
    // It may have been restarted as another version.
    if (this.#failures > 0) this.schemaForms.forget();
    this.#health = 'up';
    this.#failures = 0;
  }

  #noteAnswers(): void {
    if (this.#hasAnswered) this.#answeredMs = this.#clock.nowMs();
    this.#hasAnswered = false;
  }

  #probe(form: SchemaForm, { model, limits, onProbe }: ModelServerOptions): Promise<ProbeOutcome> {
    onProbe();
    const errand: Errand = {
      method: 'POST',
      path: chatPath,
      body: schemaProbe(model, form),
      timeoutMs: limits.probeTimeoutMs,
    };
    return probeOutcome(() => this.ask(errand, this.#closing.signal));
  }
}

function logForm(log: Log, server: string, form: SchemaForm | undefined): void {
  if (form === undefined) log.warn({ server }, 'the model server takes schemas in no form');
  else log.info({ server, form }, 'the model server takes schemas in another form');
}
