import { isRefusedPayment } from '../../../access/refused-payment.ts';
import type { OpenAiConfig } from '../../../config/config.ts';
import { Fault, toFault } from '../../../faults/fault.ts';
import type { Clock } from '../../../lib/clock.ts';
import { isRecord, type JsonRecord } from '../../../lib/json-record.ts';
import { GATEWAY_STACK } from '../../../supervision/round-robin-queue.ts';
import type { PartSpan } from '../../../telemetry/request-trace.ts';
import { unusable } from '../../../upstream/engine-faults.ts';
import type { UpstreamAddress } from '../../../upstream/upstream-address.ts';
import type { JsonBytes } from '../../../upstream/upstream-call.ts';
import { tokensOfBytes } from '../../prompt-size.ts';
import type { CountOptions, ProbeMeter } from '../../text-engine.ts';
import { CountQueue } from './count-queue.ts';
import { type CountingMethod, CountingMethods } from './counting-methods.ts';
import { chatPath, type Errand } from './model-server.ts';
import type { ModelServers } from './model-servers.ts';
import type { OpenAiLimits } from './openai-limits.ts';
import { type Counted, SharedCounts } from './shared-counts.ts';
import type { WrittenBody } from './written-body.ts';

export interface TokenCounterOptions {
  readonly servers: ModelServers;
  readonly tokenize: OpenAiConfig['tokenize'];
  readonly limits: OpenAiLimits;
  /** Concurrent counts at all servers together. */
  readonly countsAtOnce: number;
  /** For a probe, which waits in the server's queue and reads the whole prompt; also the maximum for a tokenizer. */
  readonly probeTimeoutMs: number;
  /** Whether a probe may contain the cache salt of its scope. */
  readonly mayTakeSalts: () => boolean;
  readonly clock: Clock;
}

/** A prompt to be counted. */
interface Counting {
  readonly body: WrittenBody;
  readonly signal: AbortSignal;
  /** Of the request that started the count; other requests may wait for the same one. */
  readonly meter: ProbeMeter | undefined;
  readonly span: PartSpan | undefined;
}

/** Counts the tokens of a prompt with the server's own tokenizer, so that the count is what `usage` will say. */
export class TokenCounter {
  readonly #options: TokenCounterOptions;
  readonly #counts = new SharedCounts();
  readonly #methods: CountingMethods;
  readonly #queue: CountQueue;
  readonly #timeoutMs: number;

  constructor(options: TokenCounterOptions) {
    this.#options = options;
    const { tokenize, limits, countsAtOnce, probeTimeoutMs, clock } = options;
    this.#methods = new CountingMethods(tokenize, () => clock.nowMs());
    this.#timeoutMs = Math.min(limits.countTimeoutMs, probeTimeoutMs);
    this.#queue = new CountQueue({
      capacity: countsAtOnce,
      maxWaiting: limits.countsWaiting,
      maxWaitingPerStack: limits.countsWaitingPerStack,
      patienceMs: this.#timeoutMs,
      clock,
    });
  }

  /** Whether the server's tokenizer is vLLM's. */
  get isLikeVllm(): boolean {
    return this.#methods.proven === 'vllm';
  }

  async count(
    body: WrittenBody,
    signal: AbortSignal,
    { meter, stackId = GATEWAY_STACK, span: parent }: CountOptions = {},
  ): Promise<number> {
    let isOwn = false;
    // Other requests may still wait for the count after the one that started it is over.
    const begin = async (shared: AbortSignal) => {
      isOwn = true;
      using _held = body.hold();
      const span = parent?.start('count tokens', 'client');
      const counting = { body: body.detached(), signal: shared, meter, span };
      return await traced(span, () =>
        this.#queue.run(stackId, shared, () => this.#countByAnyMethod(counting)),
      );
    };
    const hash = body.promptHash();
    const name = typeof hash === 'string' ? hash : await hash;
    let counted: Counted | undefined;
    while (counted === undefined) {
      counted = await this.#counts.get(name, begin, signal).catch((error: unknown) => {
        // This key may pay for a call that another key may not.
        if (isOwn || !isRefusedPayment(error)) throw error;
        return undefined;
      });
    }
    // The first request that is still there when a probe ends pays for it.
    const { tokens, unpaid } = counted;
    counted.unpaid = undefined;
    if (unpaid !== undefined) meter?.add(unpaid);
    return tokens;
  }

  /** Refuses waiting and new counts. */
  close(): void {
    this.#queue.close();
  }

  async #countByAnyMethod(counting: Counting): Promise<Counted> {
    // Tokenizers count an image as its placeholder only.
    if (counting.body.hasImages) return await this.#countBy('probe', counting);
    const { proven } = this.#methods;
    let failure: unknown;
    let isRefused = false;
    for (const method of this.#methods.next()) {
      try {
        const counted = await this.#countBy(method, counting);
        this.#methods.worked(method);
        if (method === 'probe' && failure !== undefined && !isRefused) this.#methods.doubt();
        return counted;
      } catch (error) {
        counting.signal.throwIfAborted();
        if (isRefusedPayment(error)) throw error;
        failure = error;
        // The refusal is about this prompt, and no reason to doubt the tokenizer.
        isRefused ||= method === proven && isRefusal(error);
      }
    }
    throw failure instanceof Fault ? failure : unusable(failure);
  }

  async #countBy(method: CountingMethod, counting: Counting): Promise<Counted> {
    if (method === 'probe') return await this.#countByProbe(counting);
    const tokens = method === 'vllm' ? this.#countLikeVllm(counting) : this.#countLikeLlamaServer(counting);
    return { tokens: await tokens, unpaid: undefined };
  }

  async #countLikeVllm(counting: Counting): Promise<number> {
    const { body } = counting;
    const { model, chat_template_kwargs } = body.fields;
    const question = body.json({ model, add_generation_prompt: true, chat_template_kwargs });
    const { count } = await this.#post('/tokenize', question, counting);
    return tokenCount(count);
  }

  /** Sends the whole request, since the template may use any field of it. */
  async #countLikeLlamaServer(counting: Counting): Promise<number> {
    const { body } = counting;
    const { prompt } = await this.#post('/apply-template', body.json(body.fields), counting);
    if (typeof prompt !== 'string') throw new Error('the template gave no prompt');
    const question = JSON.stringify({ content: prompt, add_special: true, parse_special: true });
    const { tokens } = await this.#post('/tokenize', question, counting);
    if (!Array.isArray(tokens)) throw new Error('the tokenizer gave no tokens');
    return tokenCount(tokens.length);
  }

  /** Makes the model write one token, which costs as much as any answer. */
  async #countByProbe(counting: Counting): Promise<Counted> {
    const { body, meter } = counting;
    await meter?.reserveTokens(tokensOfBytes(body.sizeBytes) + 1);
    const salt = this.#options.mayTakeSalts() ? body.cacheScope : undefined;
    try {
      return await this.#probe(counting, salt);
    } catch (error) {
      if (salt === undefined || !isRefusal(error)) throw error;
      return await this.#probe(counting, undefined);
    }
  }

  async #probe(counting: Counting, salt: string | undefined): Promise<Counted> {
    const { body } = counting;
    const question = body.json({ ...body.fields, cache_salt: salt, max_tokens: 1, stream: false });
    const timeoutMs = this.#options.probeTimeoutMs;
    const { usage } = await this.#ask(
      { method: 'POST', path: chatPath, body: question, timeoutMs },
      counting,
    );
    if (!isRecord(usage)) throw new Error('the probe has no usage');
    const tokens = tokenCount(usage.prompt_tokens);
    return { tokens, unpaid: { promptTokens: tokens, completionTokens: 1 } };
  }

  /** Sends a request to a tokenizer. */
  #post(name: string, body: string | JsonBytes, counting: Counting): Promise<JsonRecord> {
    const path = ({ rootPath }: UpstreamAddress) => rootPath + name;
    return this.#ask({ method: 'POST', path, body, timeoutMs: this.#timeoutMs }, counting);
  }

  async #ask(errand: Errand, { signal, span }: Counting): Promise<JsonRecord> {
    const traced = { ...errand, traceparent: span?.traceparent };
    const answer = await this.#options.servers.ask(traced, signal);
    if (!isRecord(answer)) throw new Error('the answer is no object');
    return answer;
  }
}

/** Ends the span of a count with what it found. */
async function traced(span: PartSpan | undefined, count: () => Promise<Counted>): Promise<Counted> {
  try {
    const counted = await count();
    span?.end({ 'gen_ai.usage.input_tokens': counted.tokens });
    return counted;
  } catch (error) {
    span?.end({}, toFault(error).code);
    throw error;
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof Fault && error.code === 'engine-refused';
}

function tokenCount(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value <= 0) {
    throw new Error('the count is no number');
  }
  return value;
}
