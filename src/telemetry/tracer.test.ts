import { expect, it } from 'vitest';
import type { EndedSpan } from './request-trace.ts';
import { Tracer } from './tracer.ts';

const TRACE = 'ab'.repeat(16);
const SPAN = 'cd'.repeat(8);
const REQUEST = { method: 'POST', path: '/x' };

function tracer(sampleRatio: number, random = 0.5): { readonly tracer: Tracer; readonly spans: EndedSpan[] } {
  const spans: EndedSpan[] = [];
  return {
    tracer: new Tracer({ sampleRatio, random: () => random, add: (span) => void spans.push(span) }),
    spans,
  };
}

it.each([
  [`00-${TRACE}-${SPAN}-01`, 1],
  [`00-${TRACE}-${SPAN}-00`, 0],
  [`cc-${TRACE}-${SPAN}-01-more`, 1],
])("keeps to the client's trace and decision: %s", (traceparent, sampled) => {
  const { tracer: one, spans } = tracer(sampled === 1 ? 0 : 1);
  const trace = one.open(traceparent, REQUEST);
  trace.start('part', 'internal').end();
  trace.end();
  expect(trace.traceId).toBe(TRACE);
  expect(spans.length).toBe(2 * sampled);
  expect(trace.start('part', 'client').traceparent).toMatch(
    new RegExp(`^00-${TRACE}-[0-9a-f]{16}-0${sampled}$`),
  );
});

it.each([
  undefined,
  '',
  'nonsense',
  `00-${'0'.repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `ff-${TRACE}-${SPAN}-01`,
])('begins a trace without a sound one: %s', (traceparent) => {
  const { tracer: one } = tracer(1);
  const [first, second] = [one.open(traceparent, REQUEST), one.open(traceparent, REQUEST)];
  expect(first.traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(new Set([TRACE, first.traceId, second.traceId]).size).toBe(3);
});

it('samples the fraction that is asked for', () => {
  for (const [random, sampled] of [
    [0.09, 1],
    [0.1, 0],
  ] as const) {
    const { tracer: one, spans } = tracer(0.1, random);
    one.open(undefined, REQUEST).end();
    expect(spans.length).toBe(sampled);
  }
});

it('begins requests at the time of the machine, and gives spans their length also if the clock is set meanwhile', () => {
  const spans: EndedSpan[] = [];
  let [epochMs, steadyMs] = [1_000_000, 7];
  const clocks = { epochMs: () => epochMs, steadyMs: () => steadyMs };
  const one = new Tracer({ sampleRatio: 1, add: (span) => void spans.push(span), ...clocks });
  const trace = one.open(undefined, REQUEST);
  steadyMs += 2.5;
  const part = trace.start('part', 'internal');
  epochMs += 3_600_000;
  steadyMs += 1;
  part.end();
  trace.end();
  one.open(undefined, REQUEST).end();
  expect(spans.map(({ startedMs, endedMs }) => [startedMs, endedMs])).toEqual([
    [1_000_002.5, 1_000_003.5],
    [1_000_000, 1_000_003.5],
    [4_600_000, 4_600_000],
  ]);
});

it('has a request that is not sampled stand for its parts, so that they cost nothing', () => {
  const { tracer: one, spans } = tracer(0);
  const trace = one.open(undefined, REQUEST);
  const part = trace.start('part', 'client');
  expect([part.isSampled, part.spanId, part.traceparent]).toEqual([false, trace.spanId, trace.traceparent]);
  expect(part.traceparent).toBe(`00-${trace.traceId}-${trace.spanId}-00`);
  part.end({ never: 'sent' });
  expect(spans).toEqual([]);
});
