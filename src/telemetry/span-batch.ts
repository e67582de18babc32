import { Buffer } from 'node:buffer';
import { AttributeWriter } from './attribute-writer.ts';
import { idsOf, type OtlpResource, SPAN_ATTRIBUTES, traceRequest, writeSpan } from './otlp-messages.ts';
import { ProtobufMessage } from './protobuf-message.ts';
import type { EndedSpan } from './request-trace.ts';

/**
 * So many are written at once, while the code for it is in the processor's caches. More would live long enough to be copied by the
 * garbage collection.
 */
const AT_ONCE = 32;

/** Spans that are sent together. All but the last of them wait as bytes, not as objects. */
export class SpanBatch {
  readonly #written = new ProtobufMessage();
  readonly #attributes = new AttributeWriter(SPAN_ATTRIBUTES);
  #latest: EndedSpan[] = [];
  #count = 0;
  /** How often it was sent in vain. */
  attempts = 0;

  get count(): number {
    return this.#count;
  }

  add(span: EndedSpan): void {
    this.#count += 1;
    if (this.#latest.push(span) >= AT_ONCE) this.#write();
  }

  /** Becomes an empty batch: its room is used again, as new room of this size costs as much as writing into it. */
  clear(): this {
    this.#written.clear();
    this.#latest = [];
    this.#count = 0;
    this.attempts = 0;
    return this;
  }

  request(resource: OtlpResource): readonly Buffer[] {
    this.#write();
    return traceRequest(this.#written, resource);
  }

  #write(): void {
    // By one call for all: digit by digit, ids were more than a quarter of what it costs to write a span.
    const ids = Buffer.from(this.#latest.map(idsOf).join(''), 'hex');
    const attributes = this.#attributes;
    let idsFrom = 0;
    for (const span of this.#latest) idsFrom = writeSpan(this.#written, span, { ids, idsFrom, attributes });
    this.#latest = [];
  }
}
