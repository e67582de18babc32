/** The kinds of spans, by their numbers in the protocol. */
export const SPAN_KINDS = { internal: 1, server: 2, client: 3 } as const;

export type SpanAttributes = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** A part of a request that has ended. */
export interface EndedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly kind: keyof typeof SPAN_KINDS;
  /** Milliseconds since 1970. */
  readonly startedMs: number;
  readonly endedMs: number;
  readonly attributes: SpanAttributes;
  /** A code of what went wrong; never a text of a client. */
  readonly error: string | undefined;
}

/** The surroundings of traces. */
export interface TraceSurroundings {
  /** A random id of so many hexadecimal digits. */
  readonly newId: (digits: 16 | 32) => string;
  /** Milliseconds since 1970. */
  readonly epochMs: () => number;
  /** Milliseconds since any moment, which no step of the clock changes. */
  readonly steadyMs: () => number;
  /** Takes spans of sampled traces. */
  readonly add: (span: EndedSpan) => void;
}

export interface TraceStart {
  readonly traceId: string;
  /** The client's span, if it sent one. */
  readonly parentSpanId: string | undefined;
  readonly isSampled: boolean;
  readonly name: string;
}

/** A part of a request that is going on. */
export interface TraceSpan {
  /** The header that tells a server which span its work belongs to. */
  readonly traceparent: string;
  /** Ends it, once; a later end is ignored. */
  end(attributes?: SpanAttributes, error?: string): void;
}

/** A request or a part of it, under which parts begin. */
export interface SpanParent {
  /** The header that tells a server which span its work belongs to. */
  readonly traceparent: string;
  /** Begins a part of it. */
  start(name: string, kind: EndedSpan['kind']): PartSpan;
}

/** One request in a trace: its own span, and those of its parts. Parts of a request that is not sampled cost nothing. */
export class RequestTrace implements TraceSpan, SpanParent {
  readonly traceId: string;
  readonly #start: TraceStart;
  readonly #surroundings: TraceSurroundings;
  readonly #spanId: string;
  readonly #startedMs: number;
  readonly #steadyStartMs: number;
  #isOver = false;
  /** Stands for all parts of a request that is not sampled. */
  #noPart: PartSpan | undefined;

  constructor(start: TraceStart, surroundings: TraceSurroundings) {
    this.traceId = start.traceId;
    this.#start = start;
    this.#surroundings = surroundings;
    this.#spanId = surroundings.newId(16);
    // Times are of sampled requests only.
    this.#startedMs = start.isSampled ? surroundings.epochMs() : 0;
    this.#steadyStartMs = start.isSampled ? surroundings.steadyMs() : 0;
  }

  get traceparent(): string {
    return this.#traceparentOf(this.#spanId);
  }

  /** Begins a part of the request. */
  start(name: string, kind: EndedSpan['kind']): PartSpan {
    if (this.#start.isSampled) return this.#startPart(name, kind, this.#spanId);
    this.#noPart ??= noPart(this.#spanId, this.traceparent);
    return this.#noPart;
  }

  end(attributes: SpanAttributes = {}, error?: string): void {
    if (this.#isOver || !this.#start.isSampled) return;
    this.#isOver = true;
    const { parentSpanId, name } = this.#start;
    this.#surroundings.add({
      traceId: this.traceId,
      spanId: this.#spanId,
      parentSpanId,
      name,
      kind: 'server',
      startedMs: this.#startedMs,
      endedMs: this.#nowMs(),
      attributes,
      error,
    });
  }

  #startPart(name: string, kind: EndedSpan['kind'], parentSpanId: string): PartSpan {
    const { newId, add } = this.#surroundings;
    const { traceId } = this;
    const spanId = newId(16);
    const startedMs = this.#nowMs();
    let isOver = false;
    return {
      spanId,
      traceparent: this.#traceparentOf(spanId),
      start: (part, partKind) => this.#startPart(part, partKind, spanId),
      end: (attributes = {}, error) => {
        if (isOver) return;
        isOver = true;
        const endedMs = this.#nowMs();
        add({ traceId, spanId, parentSpanId, name, kind, startedMs, endedMs, attributes, error });
      },
    };
  }

  /** The request's start by the clock of the machine, and a duration: a span has its length also if the clock is set meanwhile. */
  #nowMs(): number {
    return this.#startedMs + this.#surroundings.steadyMs() - this.#steadyStartMs;
  }

  #traceparentOf(spanId: string): string {
    return `00-${this.traceId}-${spanId}-${this.#start.isSampled ? '01' : '00'}`;
  }
}

/** A part of a request, which may have parts itself. */
export interface PartSpan extends TraceSpan, SpanParent {
  readonly spanId: string;
}

function noPart(spanId: string, traceparent: string): PartSpan {
  const part: PartSpan = { spanId, traceparent, start: () => part, end: () => {} };
  return part;
}
