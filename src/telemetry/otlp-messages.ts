import { type AttributeWriter, writeAttribute, writeAttributes } from './attribute-writer.ts';
import type { MetricFamily } from './metric-families.ts';
import { ProtobufMessage } from './protobuf-message.ts';
import { type EndedSpan, SPAN_KINDS } from './request-trace.ts';

const NANOSECONDS_PER_MICROSECOND = 1_000;
const TWO_TO_32 = 2 ** 32;
const ERROR_STATUS = 2;
const CUMULATIVE = 2;
const TRACE_ID_BYTES = 16;
const SPAN_ID_BYTES = 8;
/** The field of a span's attributes. */
export const SPAN_ATTRIBUTES = 9;
const SCOPE = 'stackgate';

/** The service that is observed. */
export interface OtlpResource {
  readonly version: string;
  /** Unique to the process. */
  readonly instance: string;
}

/** An `ExportTraceServiceRequest` with spans that are written already, in pieces: they are hundreds of kilobytes. */
export function traceRequest(written: ProtobufMessage, resource: OtlpResource): readonly Buffer[] {
  const spans = written.finish();
  const inScope = new ProtobufMessage();
  writeScope(inScope, resource);
  const scope = inScope.finish();
  const inResource = new ProtobufMessage();
  writeResource(inResource, resource);
  const before = inResource.head(2, scope.length + spans.length).finish();
  const start = new ProtobufMessage().head(1, before.length + scope.length + spans.length).finish();
  return [Buffer.concat([start, before, scope]), spans];
}

/** The digits of the ids of a span, in the order in which `writeSpan` reads them as bytes. */
export function idsOf({ traceId, spanId, parentSpanId }: EndedSpan): string {
  return parentSpanId === undefined ? traceId + spanId : traceId + spanId + parentSpanId;
}

export interface SpanParts {
  /** Where the bytes of its ids are. */
  readonly ids: Uint8Array;
  readonly idsFrom: number;
  readonly attributes: AttributeWriter;
}

/** Adds a span to those of one request, and returns the end of its ids. There are thousands in a second, so without functions and numbers that are made for each field. */
export function writeSpan(
  spans: ProtobufMessage,
  span: EndedSpan,
  { ids, idsFrom, attributes }: SpanParts,
): number {
  const { parentSpanId, startedMs, endedMs, error } = span;
  const start = spans.begin(2);
  spans
    .shortBytes(1, ids, idsFrom, TRACE_ID_BYTES)
    .shortBytes(2, ids, idsFrom + TRACE_ID_BYTES, SPAN_ID_BYTES);
  let idsTo = idsFrom + TRACE_ID_BYTES + SPAN_ID_BYTES;
  if (parentSpanId !== undefined) {
    spans.shortBytes(4, ids, idsTo, SPAN_ID_BYTES);
    idsTo += SPAN_ID_BYTES;
  }
  spans.text(5, span.name).integer(6, SPAN_KINDS[span.kind]);
  writeNanoseconds(spans, 7, startedMs);
  writeNanoseconds(spans, 8, Math.max(startedMs, endedMs));
  attributes.write(spans, span.attributes);
  if (error !== undefined) {
    writeAttribute(spans, SPAN_ATTRIBUTES, 'error.type', error);
    spans.message(15, (status) => status.integer(3, ERROR_STATUS));
  }
  spans.end(start);
  return idsTo;
}

/** An `ExportMetricsServiceRequest`. */
export function metricsRequest(
  families: readonly MetricFamily[],
  times: { readonly startedMs: number; readonly nowMs: number },
  resource: OtlpResource,
): Buffer {
  return new ProtobufMessage()
    .message(1, (resourceMetrics) => {
      writeResource(resourceMetrics, resource);
      resourceMetrics.message(2, (scopeMetrics) => {
        writeScope(scopeMetrics, resource);
        for (const family of families)
          scopeMetrics.message(2, (metric) => writeMetric(metric, family, times));
      });
    })
    .finish();
}

function writeResource(message: ProtobufMessage, { version, instance }: OtlpResource): void {
  message.message(1, (resource) =>
    writeAttributes(resource, 1, {
      'service.name': 'stackgate',
      'service.version': version,
      'service.instance.id': instance,
    }),
  );
}

function writeScope(message: ProtobufMessage, { version }: OtlpResource): void {
  message.message(1, (scope) => scope.text(1, SCOPE).text(2, version));
}

function writeMetric(
  metric: ProtobufMessage,
  { name, help, type, points }: MetricFamily,
  { startedMs, nowMs }: { readonly startedMs: number; readonly nowMs: number },
): void {
  metric.text(1, name).text(2, help);
  const writeTimes = (point: ProtobufMessage) => {
    writeNanoseconds(point, 2, startedMs);
    writeNanoseconds(point, 3, nowMs);
    return point;
  };
  if (type === 'histogram') {
    metric.message(9, (histogram) => {
      for (const { labels, buckets, count, sum } of points) {
        histogram.message(1, (point) => {
          writeTimes(point).fixed64(4, BigInt(count)).double(5, sum);
          point.packed(
            6,
            buckets.map(({ count: each }) => BigInt(each)),
          );
          point.packed(
            7,
            buckets.slice(0, -1).map(({ bound }) => bound),
          );
          writeAttributes(point, 9, labels);
        });
      }
      histogram.integer(2, CUMULATIVE);
    });
    return;
  }
  metric.message(type === 'counter' ? 7 : 5, (data) => {
    for (const { labels, value } of points) {
      data.message(1, (point) => {
        writeTimes(point).double(4, value);
        writeAttributes(point, 7, labels);
      });
    }
    if (type === 'counter') data.integer(2, CUMULATIVE).integer(3, 1);
  });
}

/** A time of day in nanoseconds, which no number of JavaScript holds: by its two halves. */
function writeNanoseconds(message: ProtobufMessage, field: number, epochMs: number): void {
  const microseconds = Math.round(epochMs * 1_000);
  const low = (microseconds % TWO_TO_32) * NANOSECONDS_PER_MICROSECOND;
  const high = Math.floor(microseconds / TWO_TO_32) * NANOSECONDS_PER_MICROSECOND;
  message.fixed64Halves(field, high + Math.floor(low / TWO_TO_32), low % TWO_TO_32);
}
