import { expect } from 'vitest';
import type { Caller } from '../../src/access/caller.ts';
import type { PricesConfig } from '../../src/config/config.ts';
import { Secret } from '../../src/config/secret.ts';
import type { ConnectionLimits } from '../../src/http/node-server.ts';
import type { StreamTimes } from '../../src/http/stream-watch.ts';
import type { Tracer } from '../../src/telemetry/tracer.ts';
import type { OpenAiEngine } from '../../src/text/engines/openai/openai-engine.ts';
import type { HostedTool } from '../../src/text/hosted-tool.ts';
import type { Retriever } from '../../src/text/retriever.ts';
import type { TextEngine } from '../../src/text/text-engine.ts';
import { HeldClock } from '../bad-child/clocks.ts';
import { FakeCallerDirectory, makeCaller } from '../fake-callers.ts';
import {
  type FakeUpstream,
  type FakeUpstreamOptions,
  type RecordedRequest,
  startFakeUpstream,
} from '../fake-upstream/fake-upstream.mjs';
import { HttpGateway } from '../http-gateway.ts';
import { closeWhole, type OpenAiEngineSettings, openAiEngineFor } from './engine-openai.ts';
import type { StoredResponseParts } from './response-sources.ts';
import { TextCall } from './text-call.ts';

export const CHAT = '/v1/chat/completions';
export const MESSAGES = '/v1/messages';
export const COUNT = '/v1/messages/count_tokens';
/** The upstream's key; no client may ever see it. */
export const UPSTREAM_KEY = 'sk-upstream-very-secret';

type Fields = Readonly<Record<string, unknown>>;

export interface TextGatewayOptions {
  readonly upstream?: FakeUpstreamOptions;
  readonly engine?: OpenAiEngineSettings;
  /** Engines besides `gpu`, which uses the fake upstream. */
  readonly engines?: Readonly<Record<string, TextEngine>>;
  /** Callers by key; by default `sk-a` of a plain stack with models `tiny` and `large`. */
  readonly callers?: Readonly<Record<string, Caller>>;
  readonly streamTimes?: Partial<StreamTimes>;
  readonly limits?: Partial<ConnectionLimits>;
  readonly wakeMs?: number;
  /** By default requests are not traced. */
  readonly tracer?: Tracer;
  /** By default nothing costs anything. */
  readonly prices?: PricesConfig;
  /** Whether connections read into one buffer; true by default. */
  readonly sharesReads?: boolean;
  /** By default finds nothing. */
  readonly retriever?: Retriever;
  /** By default none. */
  readonly hostedTools?: readonly HostedTool[];
  /** By default in memory. */
  readonly responses?: StoredResponseParts;
  /** The initial script of the upstream. */
  readonly script?: Parameters<FakeUpstream['script']>[0];
  /** Whether the engine has probed its server before the first request; true by default. */
  readonly isReady?: boolean;
}

/** The HTTP gateway with the real engine and a fake upstream. Time advances for the engine only when told to. */
export class TextGateway implements AsyncDisposable {
  readonly upstream: FakeUpstream;
  readonly engine: OpenAiEngine;
  readonly clock: HeldClock;
  readonly http: HttpGateway;

  private constructor(parts: Pick<TextGateway, 'upstream' | 'engine' | 'clock' | 'http'>) {
    this.upstream = parts.upstream;
    this.engine = parts.engine;
    this.clock = parts.clock;
    this.http = parts.http;
  }

  static async start(options: TextGatewayOptions = {}): Promise<TextGateway> {
    const upstream = await startFakeUpstream({ apiKey: UPSTREAM_KEY, ...options.upstream });
    if (options.script !== undefined) upstream.script(options.script);
    const clock = new HeldClock();
    const settings = options.engine ?? {};
    const engine = openAiEngineFor([upstream], {
      apiKey: new Secret(UPSTREAM_KEY),
      ...settings,
      made: { clock, ...settings.made },
    });
    if (options.isReady !== false) await engine.lifecycle.ready(AbortSignal.timeout(60_000));
    const callers = options.callers ?? { 'sk-a': makeCaller({ stack: { models: ['tiny', 'large'] } }) };
    const directory = new FakeCallerDirectory();
    for (const [key, caller] of Object.entries(callers)) directory.add(key, caller);
    const http = await HttpGateway.start({
      directory,
      engines: [['gpu', engine], ...Object.entries(options.engines ?? {})],
      ...(options.streamTimes === undefined ? {} : { streamTimes: options.streamTimes }),
      ...(options.limits === undefined ? {} : { limits: options.limits }),
      ...(options.wakeMs === undefined ? {} : { wakeMs: options.wakeMs }),
      ...(options.tracer === undefined ? {} : { tracer: options.tracer }),
      ...(options.prices === undefined ? {} : { prices: options.prices }),
      sharesReads: options.sharesReads ?? true,
      ...(options.retriever === undefined ? {} : { retriever: options.retriever }),
      ...(options.responses === undefined ? {} : { responses: options.responses }),
      hostedTools: options.hostedTools ?? [],
    });
    return new TextGateway({ upstream, clock, engine, http });
  }

  /** Sends a body unchanged. */
  post(path: string, body: unknown, key = 'sk-a'): TextCall {
    return new TextCall({ port: this.http.port, path, key, body });
  }

  /** A chat completions request with these fields. */
  chat(fields: Fields = {}, key?: string): TextCall {
    return this.post(CHAT, { model: 'tiny', messages: hello, ...fields }, key);
  }

  /** A messages request with these fields. */
  messages(fields: Fields = {}, key?: string): TextCall {
    return this.post(MESSAGES, { model: 'any', max_tokens: 8000, messages: hello, ...fields }, key);
  }

  count(fields: Fields = {}, key?: string): TextCall {
    return this.post(COUNT, { messages: hello, ...fields }, key);
  }

  /** Chat requests that reached the upstream, oldest first. */
  get asked(): readonly RecordedRequest[] {
    return this.upstream.requests.filter(({ path }) => path === CHAT);
  }

  /** The body of the last one. */
  get lastBody(): Readonly<Record<string, unknown>> {
    const body = this.asked.at(-1)?.body;
    if (typeof body !== 'object' || body === null) throw new Error('the upstream was asked nothing');
    return { ...body };
  }

  /** Resolves when neither the gateway nor the upstream is serving a request. */
  async untilIdle(): Promise<void> {
    await this.upstream.until(({ activeRequests }) => activeRequests === 0, AbortSignal.timeout(60_000));
    await expect.poll(() => this.http.inFlight()).toBe(0);
  }

  /** Checks that nothing is left. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.http[Symbol.asyncDispose]();
    await closeWhole(this.engine, [this.upstream], this.clock);
    await this.upstream.close();
  }
}

const hello = [{ role: 'user', content: 'Say hello.' }];
