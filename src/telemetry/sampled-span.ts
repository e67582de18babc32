import type { EndedSpan, RequestTrace, SpanAttributes } from './request-trace.ts';

/** The surroundings of the spans of one trace. */
export interface SpanSurroundings {
  /** A random id of so many hexadecimal digits. */
  readonly newId: (digits: 16 | 32) => string;
  /** Milliseconds since any moment, which no step of the clock changes. */
  readonly steadyMs: () => number;
  /** Takes spans that have ended. */
  readonly add: (span: EndedSpan) => void;
}

export interface SpanStart
  extends Pick<EndedSpan, 'traceId' | 'parentSpanId' | 'name' | 'kind' | 'startedMs'> {
  /**
   * The time of day at which the steady clock was at zero, taken once for a trace: so its spans have their lengths also if the clock
   * of the machine is set meanwhile.
   */
  readonly zeroMs: number;
}

const NO_ATTRIBUTES: SpanAttributes = {};

/** A span that is sent to a collector when it ends: that of a request, or of a part of one. It is what is sent, so that a span is one object. */
export class SampledSpan implements RequestTrace, EndedSpan {
  readonly isSampled = true;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly kind: EndedSpan['kind'];
  readonly startedMs: number;
  endedMs = 0;
  attributes = NO_ATTRIBUTES;
  error: string | undefined;
  readonly #zeroMs: number;
  readonly #surroundings: SpanSurroundings;
  #isOver = false;

  constructor(start: SpanStart, surroundings: SpanSurroundings) {
    this.traceId = start.traceId;
    this.spanId = surroundings.newId(16);
    this.parentSpanId = start.parentSpanId;
    this.name = start.name;
    this.kind = start.kind;
    this.startedMs = start.startedMs;
    this.#zeroMs = start.zeroMs;
    this.#surroundings = surroundings;
  }

  get traceparent(): string {
    return `00-${this.traceId}-${this.spanId}-01`;
  }

  start(name: string, kind: EndedSpan['kind']): SampledSpan {
    const { traceId, spanId: parentSpanId } = this;
    const startedMs = this.#nowMs();
    const start = { traceId, parentSpanId, name, kind, startedMs, zeroMs: this.#zeroMs };
    return new SampledSpan(start, this.#surroundings);
  }

  end(attributes: SpanAttributes = NO_ATTRIBUTES, error?: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.endedMs = this.#nowMs();
    this.attributes = attributes;
    this.error = error;
    this.#surroundings.add(this);
  }

  #nowMs(): number {
    return this.#zeroMs + this.#surroundings.steadyMs();
  }
}
