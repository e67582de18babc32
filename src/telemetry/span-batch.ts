import { type OtlpResource, traceRequest, writeSpan } from './otlp-messages.ts';
import { ProtobufMessage } from './protobuf-message.ts';
import type { EndedSpan } from './request-trace.ts';

/** Spans that are sent together. They wait as bytes: as objects they would be copied by each garbage collection until they are sent. */
export class SpanBatch {
  readonly #spans = new ProtobufMessage();
  #count = 0;
  /** How often it was sent in vain. */
  attempts = 0;

  get count(): number {
    return this.#count;
  }

  add(span: EndedSpan): void {
    writeSpan(this.#spans, span);
    this.#count += 1;
  }

  /** Becomes an empty batch: its room is used again, as new room of this size costs as much as writing into it. */
  clear(): this {
    this.#spans.clear();
    this.#count = 0;
    this.attempts = 0;
    return this;
  }

  request(resource: OtlpResource): Buffer {
    return traceRequest(this.#spans, resource);
  }
}
