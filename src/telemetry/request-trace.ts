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

/** A part of a request that is going on. */
export interface TraceSpan {
  /** Whether it is sent to a collector. If not, nothing needs to be put together for its end. */
  readonly isSampled: boolean;
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

/** A part of a request, which may have parts itself. */
export interface PartSpan extends TraceSpan, SpanParent {
  readonly spanId: string;
}

/** One request in a trace: its own span, under which its parts begin. */
export interface RequestTrace extends PartSpan {
  readonly traceId: string;
}
