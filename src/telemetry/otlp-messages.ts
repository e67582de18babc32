import type { MetricFamily } from './metric-families.ts';
import { ProtobufMessage } from './protobuf-message.ts';
import { type EndedSpan, SPAN_KINDS, type SpanAttributes } from './request-trace.ts';

const NANOSECONDS_PER_MICROSECOND = 1_000n;
const ERROR_STATUS = 2;
const CUMULATIVE = 2;
const SCOPE = 'stackgate';

/** The service that is observed. */
export interface OtlpResource {
  readonly version: string;
  /** Unique to the process. */
  readonly instance: string;
}

/** An `ExportTraceServiceRequest`. */
export function traceRequest(spans: readonly EndedSpan[], resource: OtlpResource): Buffer {
  return new ProtobufMessage()
    .message(1, (resourceSpans) => {
      writeResource(resourceSpans, resource);
      resourceSpans.message(2, (scopeSpans) => {
        writeScope(scopeSpans, resource);
        for (const span of spans) scopeSpans.message(2, (message) => writeSpan(message, span));
      });
    })
    .finish();
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

function writeSpan(message: ProtobufMessage, span: EndedSpan): void {
  message.hex(1, span.traceId).hex(2, span.spanId);
  if (span.parentSpanId !== undefined) message.hex(4, span.parentSpanId);
  message.text(5, span.name).integer(6, SPAN_KINDS[span.kind]);
  message
    .fixed64(7, nanoseconds(span.startedMs))
    .fixed64(8, nanoseconds(Math.max(span.startedMs, span.endedMs)));
  const { error } = span;
  writeAttributes(
    message,
    9,
    error === undefined ? span.attributes : { ...span.attributes, 'error.type': error },
  );
  if (error !== undefined) message.message(15, (status) => status.integer(3, ERROR_STATUS));
}

function writeMetric(
  metric: ProtobufMessage,
  { name, help, type, points }: MetricFamily,
  { startedMs, nowMs }: { readonly startedMs: number; readonly nowMs: number },
): void {
  metric.text(1, name).text(2, help);
  const writeTimes = (point: ProtobufMessage) =>
    point.fixed64(2, nanoseconds(startedMs)).fixed64(3, nanoseconds(nowMs));
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

function writeAttributes(message: ProtobufMessage, field: number, attributes: SpanAttributes): void {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined) continue;
    message.message(field, (pair) => pair.text(1, key).message(2, (any) => writeValue(any, value)));
  }
}

function writeValue(any: ProtobufMessage, value: string | number | readonly string[]): void {
  if (typeof value === 'string') any.text(1, value);
  else if (typeof value !== 'number')
    any.message(5, (list) => {
      for (const each of value) list.message(1, (element) => element.text(1, each));
    });
  else if (Number.isSafeInteger(value) && value >= 0) any.integer(3, value);
  else any.double(4, value);
}

function nanoseconds(epochMs: number): bigint {
  return BigInt(Math.round(epochMs * 1_000)) * NANOSECONDS_PER_MICROSECOND;
}
