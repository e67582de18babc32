import { Fault } from '../../../faults/fault.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { EngineState, Lifecycle } from '../../../supervision/lifecycle.ts';
import { Waiters } from '../../../supervision/waiters.ts';
import type { Log } from '../../../telemetry/log.ts';
import { isWorthAnotherServer, unreachable } from '../../../upstream/engine-faults.ts';
import { checkModelServer } from './check-model-server.ts';
import type { Errand, ModelServer } from './model-server.ts';
import type { OpenAiLimits } from './openai-limits.ts';
import type { SchemaForm } from './schema-forms.ts';

export interface ModelServersOptions {
  readonly servers: readonly ModelServer[];
  readonly model: string;
  /** Whether to ask the servers for their context window. */
  readonly wantsContextWindow: boolean;
  readonly limits: OpenAiLimits;
  readonly clock: Clock;
  readonly log: Log;
  /** From 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
}

const JITTER = 0.2;
/** Delay after a failed check, and the minimum between checks caused by failing requests. */
const RECHECK_MS = 1_000;

interface Member {
  readonly server: ModelServer;
  nextCheckMs: number;
  isBeingChecked: boolean;
  /** Whether the server has answered a check, including the question for its context window. */
  wasAsked: boolean;
}

/** The servers of one engine: checks their health and chooses one for each request. */
export class ModelServers implements Lifecycle {
  readonly #options: ModelServersOptions;
  readonly #members: readonly Member[];
  readonly #waiters = new Waiters();
  readonly #closing = new AbortController();
  #turn = 0;

  constructor(options: ModelServersOptions) {
    this.#options = options;
    const nowMs = options.clock.nowMs();
    this.#members = options.servers.map((server) => ({
      server,
      nextCheckMs: nowMs,
      isBeingChecked: false,
      wasAsked: false,
    }));
  }

  get state(): EngineState {
    const { servers } = this.#options;
    if (servers.some(({ health }) => health === 'up')) return 'ready';
    return servers.some(({ health }) => health === 'unknown') ? 'starting' : 'degraded';
  }

  /** The smallest one, since a request may go to any server. */
  get contextWindow(): number | undefined {
    const known = this.#options.servers.flatMap(({ contextWindow }) => contextWindow ?? []);
    return known.length === 0 ? undefined : Math.min(...known);
  }

  /** The schema form that adds most to a prompt, since a request may go to any server. */
  get widestForm(): SchemaForm {
    const forms = this.#options.servers.map(({ schemaForms }) => schemaForms.current);
    return forms.find((form) => form === 'json_object') ?? forms[0] ?? 'json_schema';
  }

  /** Whether any server is vLLM. */
  get areVllm(): boolean {
    return this.#options.servers.some(({ isVllm }) => isVllm);
  }

  async ready(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.state === 'ready') return;
    for (const member of this.#members) void this.#check(member);
    await this.#waiters.wait(signal);
  }

  /** The least loaded server that was not tried. One that is down is chosen only if all are and none was tried. */
  choose(tried: ReadonlySet<ModelServer>): ModelServer | undefined {
    const { servers } = this.#options;
    const [only] = servers;
    if (servers.length === 1) return only !== undefined && tried.has(only) ? undefined : only;
    const untried = servers.filter((server) => !tried.has(server));
    const well = untried.filter(({ health }) => health !== 'down');
    const candidates = well.length === 0 && tried.size === 0 ? untried : well;
    this.#turn += 1;
    // Servers with equal load take turns.
    const turned = candidates.map((_, index) => candidates[(index + this.#turn) % candidates.length]);
    return turned
      .flatMap((server) => server ?? [])
      .sort((a, b) => Number(a.isSuspect) - Number(b.isSuspect) || a.load - b.load)[0];
  }

  /** A request failed: checks the server soon. */
  suspect(server: ModelServer): void {
    server.suspect();
    const member = this.#members.find((other) => other.server === server);
    if (member === undefined) return;
    member.nextCheckMs = Math.min(member.nextCheckMs, this.#options.clock.nowMs() + RECHECK_MS);
  }

  /** Asks one server, and another if that one fails. */
  async ask(errand: Errand, signal: AbortSignal): Promise<unknown> {
    const tried = new Set<ModelServer>();
    let failure: unknown;
    for (;;) {
      const server = this.choose(tried);
      // Created only if needed: an error with its stack trace was 5 % of a streamed request in a profile.
      if (server === undefined) throw failure ?? unreachable(new Error('no server is configured'));
      tried.add(server);
      try {
        return await server.ask(errand, signal);
      } catch (error) {
        if (!(error instanceof Fault) || !isWorthAnotherServer(error)) throw error;
        failure = error;
      }
    }
  }

  /** Applies time-outs and starts the checks that are due. */
  sweep(): void {
    const nowMs = this.#options.clock.nowMs();
    for (const member of this.#members) {
      member.server.sweep();
      if (nowMs >= member.nextCheckMs) void this.#check(member);
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#waiters.rejectAll(unreachable(new Error('the engine was closed')));
    await Promise.all(this.#options.servers.map((server) => server.close()));
  }

  async #check(member: Member): Promise<void> {
    if (member.isBeingChecked || this.#closing.signal.aborted) return;
    member.isBeingChecked = true;
    const { server } = member;
    const before = server.health;
    try {
      const wantsContextWindow = this.#options.wantsContextWindow && !member.wasAsked;
      const { model, limits } = this.#options;
      const check = { server, model, timeoutMs: limits.checkTimeoutMs, wantsContextWindow };
      const contextWindow = await checkModelServer(check, this.#closing.signal);
      member.wasAsked = true;
      server.markUp(contextWindow);
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      if (error instanceof Fault && error.code === 'engine-timeout') server.markSlow();
      else server.markFailed();
      if (server.health === 'down' && before !== 'down') {
        this.#options.log.warn({ server: server.baseUrl, error }, 'the model server does not answer');
      }
    } finally {
      this.#tellIfUp(server, before);
      member.isBeingChecked = false;
      member.nextCheckMs = this.#options.clock.nowMs() + this.#pauseMs(member);
    }
  }

  #tellIfUp({ health, baseUrl }: ModelServer, before: ModelServer['health']): void {
    if (health !== 'up') return;
    if (before !== 'up') this.#options.log.info({ server: baseUrl }, 'the model server answers');
    this.#waiters.resolveAll();
  }

  #pauseMs({ server: { isSuspect, health }, wasAsked }: Member): number {
    // Until its first answer the server may be starting, or the gateway was too busy starting to notice it.
    if (!wasAsked || (isSuspect && health === 'up')) return RECHECK_MS;
    const { limits, random } = this.#options;
    return limits.checkEveryMs * (1 - JITTER + 2 * JITTER * random());
  }
}
