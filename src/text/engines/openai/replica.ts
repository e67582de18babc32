import type { Secret } from '../../../config/secret.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Log } from '../../../telemetry/log.ts';
import { askJson } from '../../../upstream/ask-json.ts';
import { parseUpstreamAddress, type UpstreamAddress } from '../../../upstream/upstream-address.ts';
import type { JsonBytes } from '../../../upstream/upstream-exchange.ts';
import { UpstreamPool } from '../../../upstream/upstream-pool.ts';
import { ShapeMemory } from './delta-template.ts';
import type { OpenAiLimits } from './openai-limits.ts';
import { type ProbeOutcome, type SchemaForm, SchemaForms } from './schema-forms.ts';
import { probeOutcome, schemaProbe } from './schema-probe.ts';
import { WholeTemplate } from './whole-template.ts';

/** What a replica is made of. */
export interface ReplicaOptions {
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey: Secret | undefined;
  readonly clock: Clock;
  readonly limits: OpenAiLimits;
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

/** What a server told of itself when it was checked. */
export interface ReplicaFacts {
  readonly contextWindow: number | undefined;
  readonly isVllm: boolean;
}

/** `unknown`: not checked yet. */
type Health = 'unknown' | 'up' | 'down';

const FAILURES_UNTIL_DOWN = 2;

/** One server, its connections and what is known of its health. */
export class Replica {
  readonly baseUrl: string;
  readonly address: UpstreamAddress;
  readonly answers: UpstreamPool;
  /** What its answers looked like. */
  readonly shapes = new ShapeMemory();
  readonly wholes = new WholeTemplate();
  /** How it takes schemas. */
  readonly schemaForms: SchemaForms;
  readonly #errands: UpstreamPool;
  readonly #apiKey: Secret | undefined;
  readonly #closing = new AbortController();
  #health: Health = 'unknown';
  #failures = 0;
  #isSuspect = false;
  #contextWindow: number | undefined;
  #isVllm = false;

  constructor(options: ReplicaOptions) {
    const { baseUrl, apiKey, clock, limits, certificateAuthorities, log } = options;
    this.baseUrl = baseUrl;
    this.address = parseUpstreamAddress(baseUrl);
    this.#apiKey = apiKey;
    const common = { target: { address: this.address, certificateAuthorities }, apiKey, clock, limits };
    const { connectionsPerReplica, waitingPerReplica, errandConnections, errandsWaiting } = limits;
    this.answers = new UpstreamPool({
      ...common,
      maximumConnections: connectionsPerReplica,
      maximumWaiting: waitingPerReplica,
    });
    this.#errands = new UpstreamPool({
      ...common,
      maximumConnections: errandConnections,
      maximumWaiting: errandsWaiting,
    });
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
    return this.answers.connections + this.#errands.connections;
  }

  /** Takes the key out of a text, should the server have repeated it. */
  readonly redact = (text: string): string =>
    this.#apiKey === undefined ? text : text.replaceAll(this.#apiKey.reveal(), '[secret]');

  ask({ method, path, body, timeoutMs }: Errand, signal: AbortSignal): Promise<unknown> {
    const request = {
      method,
      path: path(this.address),
      body,
      timeoutMs,
    };
    return askJson({ pool: this.#errands, request, redact: this.redact }, signal);
  }

  suspect(): void {
    this.#isSuspect = true;
  }

  markUp({ contextWindow, isVllm }: ReplicaFacts): void {
    // It may come back as another version.
    if (this.#failures > 0) this.schemaForms.forget();
    this.#health = 'up';
    this.#failures = 0;
    this.#isSuspect = false;
    this.#contextWindow = contextWindow ?? this.#contextWindow;
    this.#isVllm = isVllm;
  }

  /** A check failed. The first ever counts at once, later ones when they repeat. */
  markFailed(): void {
    this.#failures += 1;
    this.#isSuspect = true;
    if (this.#health === 'unknown' || this.#failures >= FAILURES_UNTIL_DOWN) this.#health = 'down';
  }

  sweep(): void {
    this.answers.sweep();
    this.#errands.sweep();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([this.answers.close(), this.#errands.close()]);
  }

  #probe(form: SchemaForm, { model, limits, onProbe }: ReplicaOptions): Promise<ProbeOutcome> {
    onProbe();
    const errand: Errand = {
      method: 'POST',
      path: ({ basePath }) => `${basePath}/chat/completions`,
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
