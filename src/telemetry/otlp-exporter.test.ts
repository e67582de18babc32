import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import root from '@opentelemetry/otlp-transformer/build/src/generated/root.js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { HeldClock } from '../../testing/bad-child/clocks.ts';
import { createLog } from './log.ts';
import { Metrics } from './metrics.ts';
import { OtlpExporter } from './otlp-exporter.ts';
import { Tracer } from './tracer.ts';

interface MessageType {
  decode(bytes: Uint8Array): object;
  verify(message: object): string | null;
  encode(message: object): { finish(): Uint8Array };
  toObject(message: object, options: object): Record<string, unknown>;
}

/** The decoder that the project of the protocol generates; its types leave the messages out. */
const { collector } = (
  root as unknown as {
    opentelemetry: {
      proto: {
        collector: {
          trace: { v1: { ExportTraceServiceRequest: MessageType } };
          metrics: { v1: { ExportMetricsServiceRequest: MessageType } };
        };
      };
    };
  }
).opentelemetry.proto;
const requests = {
  '/v1/traces': collector.trace.v1.ExportTraceServiceRequest,
  '/v1/metrics': collector.metrics.v1.ExportMetricsServiceRequest,
};
const metrics = new Metrics({
  engineStates: () => [['text gpu', 'ready']],
  queueDepths: () => [],
  logLinesDropped: () => 3,
});

let server: Server;
/** Zero: it does not answer. */
let status: number;
/** Called before the collector answers. */
let whenAsked: () => void;
let bodies: { readonly path: string; readonly decoded: Record<string, unknown> }[];
let clock: HeldClock;
let exporter: OtlpExporter;
beforeEach(async () => {
  status = 200;
  whenAsked = () => {};
  bodies = [];
  server = createServer(async (request, response) => {
    const path = request.url as keyof typeof requests;
    bodies.push({ path, decoded: decoded(path, await buffer(request)) });
    whenAsked();
    if (status > 0) response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  clock = new HeldClock();
  const { port } = server.address() as AddressInfo;
  const log = createLog('silent', { write: () => {} });
  exporter = new OtlpExporter({
    endpoint: `http://127.0.0.1:${port}`,
    version: '1.2.3',
    metrics: () => metrics.render(),
    clock,
    log,
  });
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

/** Strict: a field that the protocol does not have, or has otherwise, would be missing when it is written again. */
function decoded(path: keyof typeof requests, body: Buffer): Record<string, unknown> {
  const type = requests[path];
  const message = type.decode(body);
  expect(type.verify(message)).toBeNull();
  expect(Buffer.from(type.encode(message).finish()).length).toBe(body.length);
  return type.toObject(message, { longs: Number, bytes: String, enums: String });
}

/** The first element of a list of messages. */
function listIn(value: unknown): [Record<string, unknown>] {
  if (!Array.isArray(value) || value.length !== 1) throw new Error('expected a list of one');
  return [value[0]];
}

const PARENT = `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`;
const REQUEST = { method: 'POST', path: '/x' };

it('sends spans as the protocol says, a request with its parts', async () => {
  let steadyMs = 5;
  const times = { epochMs: () => 1_790_000_000_000.25, steadyMs: () => steadyMs++ };
  const tracer = new Tracer({ sampleRatio: 0, add: (span) => exporter.add(span), ...times });
  const trace = tracer.open(PARENT, { method: 'POST', path: '/v1/chat/completions' });
  const span = trace.start('chat tiny', 'client');
  span.start('queue', 'internal').end();
  span.end(
    { 'gen_ai.usage.input_tokens': 12, 'gen_ai.response.finish_reasons': ['stop'], ratio: 0.5 },
    'engine-failed',
  );
  span.end();
  trace.end({ 'http.response.status_code': 502 }, '502');
  await exporter.send();
  const [sent] = bodies;
  const [{ resource, scopeSpans }] = listIn(sent?.decoded.resourceSpans);
  expect(resource).toMatchObject({
    attributes: expect.arrayContaining([{ key: 'service.name', value: { stringValue: 'stackgate' } }]),
  });
  const [queue, chat, request] = (scopeSpans as { spans: Record<string, unknown>[] }[])[0]?.spans ?? [];
  const hex = (bytes: unknown) => Buffer.from(String(bytes), 'base64').toString('hex');
  expect([queue, chat, request].map((each) => hex(each?.traceId))).toEqual(Array(3).fill('ab'.repeat(16)));
  expect(hex(request?.parentSpanId)).toBe('cd'.repeat(8));
  expect([chat?.parentSpanId, queue?.parentSpanId]).toEqual([request?.spanId, chat?.spanId]);
  expect(chat).toMatchObject({
    name: 'chat tiny',
    kind: 'SPAN_KIND_CLIENT',
    startTimeUnixNano: 1_790_000_000_001_250_000,
    status: { code: 'STATUS_CODE_ERROR' },
    attributes: [
      { key: 'gen_ai.usage.input_tokens', value: { intValue: 12 } },
      { key: 'gen_ai.response.finish_reasons', value: { arrayValue: { values: [{ stringValue: 'stop' }] } } },
      { key: 'ratio', value: { doubleValue: 0.5 } },
      { key: 'error.type', value: { stringValue: 'engine-failed' } },
    ],
  });
});

it('sends the attributes of each span, whether they are those of earlier spans or others', async () => {
  const tracer = new Tracer({ sampleRatio: 1, add: (span) => exporter.add(span) });
  const reasons = ['stop'] as const;
  const many = [...Array(5).fill('a'), 'b', 'b', 'a', 'a', 'a'].map((stack, index) => ({
    stack,
    size: index < 7 ? 7 : 400 + index,
    note: 'é'.repeat(100 + (index % 2)),
    reasons,
  }));
  const told = () =>
    bodies.flatMap(({ decoded: { resourceSpans } }) => {
      const [{ scopeSpans }] = listIn(resourceSpans);
      return (scopeSpans as { spans: { attributes: unknown }[] }[])[0]?.spans.map((span) => span.attributes);
    });
  for (const attributes of many) tracer.open(undefined, REQUEST).end(attributes);
  await exporter.send();
  // A batch that was sent is used again.
  for (const attributes of many) tracer.open(undefined, REQUEST).end(attributes);
  await exporter.send();
  const expected = many.map(({ stack, size, note }) => [
    { key: 'stack', value: { stringValue: stack } },
    { key: 'size', value: { intValue: size } },
    { key: 'note', value: { stringValue: note } },
    { key: 'reasons', value: { arrayValue: { values: [{ stringValue: 'stop' }] } } },
  ]);
  expect(told()).toEqual([...expected, ...expected]);
});

it('sends the metrics every 30 seconds, as /metrics has them', async () => {
  const route = metrics.forRoute('/v1/models', 'models');
  route.started();
  route.ended(200, 0.004);
  exporter.start();
  for (let beats = 0; beats < 15; beats++) {
    clock.pass(2_000);
    await exporter.send();
  }
  await exporter.stop();
  const sent = bodies.filter(({ path }) => path === '/v1/metrics');
  const [{ scopeMetrics }] = listIn(sent[0]?.decoded.resourceMetrics);
  const all = (scopeMetrics as { metrics: { name: string }[] }[])[0]?.metrics ?? [];
  const named = (name: string) => all.find((metric) => metric.name === name);
  expect(named('stackgate_log_lines_dropped_total')).toMatchObject({
    sum: { isMonotonic: true, dataPoints: [{ asDouble: 3 }] },
  });
  expect(named('stackgate_engine_state')).toMatchObject({
    gauge: {
      dataPoints: [
        {
          asDouble: 1,
          attributes: expect.arrayContaining([{ key: 'state', value: { stringValue: 'ready' } }]),
        },
      ],
    },
  });
  expect(named('stackgate_http_request_duration_seconds')).toMatchObject({
    histogram: { dataPoints: [{ count: 1, sum: 0.004 }] },
  });
});

it('drops and counts what the collector does not take, and keeps no more than its bound', async () => {
  status = 503;
  const tracer = new Tracer({ sampleRatio: 1, add: (span) => exporter.add(span) });
  for (let count = 0; count < 8_200; count++) tracer.open(undefined, REQUEST).end();
  expect(exporter.dropped).toBe(8);
  for (let attempt = 0; attempt < 3; attempt++) await exporter.send();
  expect(exporter.dropped).toBe(8 + 2_048);
  status = 200;
  await exporter.send();
  expect(exporter.dropped).toBe(8 + 2_048);
});

/** How many spans each request to the collector had. */
function spanCounts(): number[] {
  return bodies.map(({ decoded: { resourceSpans } }) => {
    const [{ scopeSpans }] = listIn(resourceSpans);
    return (scopeSpans as { spans: unknown[] }[])[0]?.spans.length ?? 0;
  });
}

it('sends two thousand spans as soon as they have ended', async () => {
  const tracer = new Tracer({ sampleRatio: 1, add: (span) => exporter.add(span) });
  for (let count = 0; count < 2_054; count++) tracer.open(undefined, REQUEST).end();
  await expect.poll(spanCounts).toEqual([2_048]);
  await exporter.send();
  expect(spanCounts()).toEqual([2_048, 6]);
});

it('has spans that end while others are sent wait for the next time', async () => {
  const tracer = new Tracer({ sampleRatio: 1, add: (span) => exporter.add(span) });
  whenAsked = () => {
    if (bodies.length < 3) tracer.open(undefined, REQUEST).end();
  };
  tracer.open(undefined, REQUEST).end();
  await exporter.send();
  expect(spanCounts()).toEqual([1]);
  await exporter.send();
  expect(spanCounts()).toEqual([1, 1]);
});

it('does not wait long at the end for a collector that does not answer', async () => {
  status = 0;
  new Tracer({ sampleRatio: 1, add: (span) => exporter.add(span) }).open(undefined, REQUEST).end();
  const stopping = exporter.stop();
  await expect.poll(() => bodies.map(({ path }) => path)).toEqual(['/v1/traces']);
  clock.pass(3_000);
  await stopping;
  expect(bodies).toHaveLength(1);
});
