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

/** A span that is sent to a collector when it ends: that of a request, or of a part of one. */
export class SampledSpan implements RequestTrace {
  readonly isSampled = true;
  readonly spanId: string;
  readonly #start: SpanStart;
  readonly #surroundings: SpanSurroundings;
  #isOver = false;

  constructor(start: SpanStart, surroundings: SpanSurroundings) {
    this.#start = start;
    this.#surroundings = surroundings;
    this.spanId = surroundings.newId(16);
  }

  get traceId(): string {
    return this.#start.traceId;
  }

  get traceparent(): string {
    return `00-${this.traceId}-${this.spanId}-01`;
  }

  start(name: string, kind: EndedSpan['kind']): SampledSpan {
    const { traceId, zeroMs } = this.#start;
    const startedMs = this.#nowMs();
    const start = { traceId, parentSpanId: this.spanId, name, kind, startedMs, zeroMs };
    return new SampledSpan(start, this.#surroundings);
  }

  end(attributes: SpanAttributes = {}, error?: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { traceId, parentSpanId, name, kind, startedMs } = this.#start;
    const { spanId } = this;
    const endedMs = this.#nowMs();
    const { add } = this.#surroundings;
    add({ traceId, spanId, parentSpanId, name, kind, startedMs, endedMs, attributes, error });
  }

  #nowMs(): number {
    return this.#start.zeroMs + this.#surroundings.steadyMs();
  }
}
