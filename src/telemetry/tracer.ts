import { Buffer } from 'node:buffer';
import { randomFillSync } from 'node:crypto';
import { turnNowMs, turnWallClock } from '../lib/clock.ts';
import type { EndedSpan, RequestTrace } from './request-trace.ts';
import { SampledSpan, type SpanSurroundings } from './sampled-span.ts';
import { UnsampledTrace } from './unsampled-trace.ts';

/** Version, trace, span and flags; other versions are read alike, as W3C asks for. */
const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;
const NO_TRACE = '0'.repeat(32);
const NO_SPAN = '0'.repeat(16);
const SAMPLED = 1;
/** Random digits are made in blocks: one call costs as much as a small block. */
const BLOCK_BYTES = 8_192;

export interface TracerOptions {
  /** The fraction of requests that are sampled, unless their client has decided. */
  readonly sampleRatio: number;
  readonly add: (span: EndedSpan) => void;
  readonly random?: () => number;
  readonly epochMs?: () => number;
  readonly steadyMs?: () => number;
}

/** The parts of the name of a request's span. */
export interface TracedRequest {
  readonly method: string;
  readonly path: string;
}

/** Opens the traces of requests. */
export class Tracer {
  readonly #sampleRatio: number;
  readonly #random: () => number;
  readonly #epochMs: () => number;
  readonly #surroundings: SpanSurroundings;
  /** Kept: new memory for each block cost more than its digits. */
  readonly #block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
  #digits = '';
  #used = 0;

  constructor({
    sampleRatio,
    add,
    random = Math.random,
    epochMs = () => turnWallClock.nowMs(),
    steadyMs = turnNowMs,
  }: TracerOptions) {
    this.#sampleRatio = sampleRatio;
    this.#random = random;
    this.#epochMs = epochMs;
    this.#surroundings = { newId: (digits) => this.#newId(digits), steadyMs, add };
  }

  /** Continues the client's trace, whose decision about sampling holds, or begins one. */
  open(traceparent: string | undefined, { method, path }: TracedRequest): RequestTrace {
    const parent = traceparent === undefined ? undefined : parentOf(traceparent);
    const traceId = parent?.traceId ?? this.#newId(32);
    const isSampled = parent?.isSampled ?? this.#random() < this.#sampleRatio;
    if (!isSampled) return new UnsampledTrace(traceId, this.#newId(16));
    const startedMs = this.#epochMs();
    const zeroMs = startedMs - this.#surroundings.steadyMs();
    const parentSpanId = parent?.parentSpanId;
    const name = `${method} ${path}`;
    const start = { traceId, parentSpanId, name, kind: 'server', startedMs, zeroMs } as const;
    return new SampledSpan(start, this.#surroundings);
  }

  #newId(digits: 16 | 32): string {
    if (this.#used + digits > this.#digits.length) {
      this.#digits = randomFillSync(this.#block).toString('hex');
      this.#used = 0;
    }
    this.#used += digits;
    return this.#digits.slice(this.#used - digits, this.#used);
  }
}

/** Undefined for what is no traceparent: then a new trace begins. */
function parentOf(traceparent: string) {
  const [, traceId = NO_TRACE, parentSpanId = NO_SPAN, flags = ''] = TRACEPARENT.exec(traceparent) ?? [];
  if (traceparent.startsWith('ff') || traceId === NO_TRACE || parentSpanId === NO_SPAN) return undefined;
  return { traceId, parentSpanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED };
}
