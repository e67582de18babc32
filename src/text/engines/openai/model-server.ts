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

/** What a server is made of. */
export interface ModelServerOptions {
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey: Secret | undefined;
  readonly clock: Clock;
  readonly limits: OpenAiLimits;
  /** Of the whole engine: all of them may be at this server. */
  readonly countsAtOnce: number;
  readonly certificateAuthorities: string | undefined;
  readonly log: Log;
  /** Told of each question that the gateway asks for itself to find out how the server takes schemas. */
  readonly onProbe: () => void;
}

/** A small question beside the answers. */
export interface Errand {
  readonly method: 'GET' | 'POST';
  readonly path: (address: UpstreamAddress) => string;
  /** JSON. */
  readonly body?: string | JsonBytes;
  readonly timeoutMs: number;
}

/** Where a server answers conversations. */
export function chatPath({ basePath }: UpstreamAddress): string {
  return `${basePath}/chat/completions`;
}

/** What a server told of itself when it was checked. */
export interface ModelServerFacts {
  readonly contextWindow: number | undefined;
  readonly isVllm: boolean;
}

/** `unknown`: not checked yet. */
type Health = 'unknown' | 'up' | 'down';

const FAILURES_UNTIL_DOWN = 2;
/** A check asks one thing after the other; the socket of one that was given up may still be closing. */
const CHECK_CONNECTIONS = 2;
/** Questions about schemas are asked one after the other, beside the counts. */
const SCHEMA_PROBES = 1;

/** One server, its connections and what is known of its health. */
export class ModelServer {
  readonly baseUrl: string;
  readonly address: UpstreamAddress;
  readonly answers: UpstreamPool;
  /** How it takes schemas. */
  readonly schemaForms: SchemaForms;
  readonly #errands: UpstreamPool;
  /** Apart, so that nothing else that is asked of the server can hold up a check. */
  readonly #checks: UpstreamPool;
  readonly #apiKey: Secret | undefined;
  readonly #clock: Clock;
  readonly #checkEveryMs: number;
  readonly #closing = new AbortController();
  #health: Health = 'unknown';
  #failures = 0;
  #isSuspect = false;
  /** Whether something of a good answer came since the last sweep, and when that was seen last. */
  #hasAnswered = false;
  #answeredMs = Number.NEGATIVE_INFINITY;
  #contextWindow: number | undefined;
  #isVllm = false;

  constructor(options: ModelServerOptions) {
    const { baseUrl, apiKey, clock, limits, countsAtOnce, certificateAuthorities, log } = options;
    this.baseUrl = baseUrl;
    this.address = parseUpstreamAddress(baseUrl);
    this.#apiKey = apiKey;
    this.#clock = clock;
    this.#checkEveryMs = limits.checkEveryMs;
    const common = { target: { address: this.address, certificateAuthorities }, apiKey, clock, limits };
    this.answers = new UpstreamPool({
      ...common,
      maximumConnections: limits.connectionsPerServer,
      maximumConnectionsPerStack: slotsPerStack(limits.connectionsPerServer),
      maximumWaiting: limits.waitingPerServer,
      maximumWaitingPerStack: limits.waitingPerStack,
    });
    // Counts have had their turn before; here, as checks do, they only wait for sockets that are closing.
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

  /** Whether its last check said that it is vLLM. */
  get isVllm(): boolean {
    return this.#isVllm;
  }

  get load(): number {
    return this.answers.load;
  }

  get connections(): number {
    return this.answers.connections + this.#errands.connections + this.#checks.connections;
  }

  /** Takes the key out of a text, should the server have repeated it. */
  readonly redact = (text: string): string =>
    this.#apiKey === undefined ? text : text.replaceAll(this.#apiKey.reveal(), '[secret]');

  async ask(errand: Errand, signal: AbortSignal): Promise<unknown> {
    const answer = await this.#ask(this.#errands, errand, signal);
    this.answered();
    return answer;
  }

  /** Asks about its health. */
  check(errand: Errand, signal: AbortSignal): Promise<unknown> {
    return this.#ask(this.#checks, errand, signal);
  }

  /** Something of a good answer came. Only noted: the time is read by the next sweep. */
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

  /** A check failed. The first ever counts at once, later ones when they repeat. */
  markFailed(): void {
    this.#isSuspect = true;
    this.#failures += 1;
    if (this.#health === 'unknown' || this.#failures >= FAILURES_UNTIL_DOWN) this.#health = 'down';
  }

  /** A check took too long, which says nothing of a server that was seen at work meanwhile. */
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
    const { method, path, body, timeoutMs } = errand;
    const request = { method, path: path(this.address), body, timeoutMs };
    return askJson({ pool, request, redact: this.redact }, signal);
  }

  #isUp(): void {
    // It may come back as another version.
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
