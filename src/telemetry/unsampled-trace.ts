import type { RequestTrace } from './request-trace.ts';

/** A request that is not sent to a collector. It has ids, for the log and for servers that it asks, and stands for its parts. */
export class UnsampledTrace implements RequestTrace {
  readonly isSampled = false;
  readonly traceId: string;
  readonly spanId: string;

  constructor(traceId: string, spanId: string) {
    this.traceId = traceId;
    this.spanId = spanId;
  }

  get traceparent(): string {
    return `00-${this.traceId}-${this.spanId}-00`;
  }

  start(): this {
    return this;
  }

  end(): void {}
}
