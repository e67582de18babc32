import { expect, it } from 'vitest';
import type { ChildPortListener } from '../../../supervision/child-port.ts';
import { createLog } from '../../../telemetry/log.ts';
import type { EndedSpan } from '../../../telemetry/request-trace.ts';
import { Tracer } from '../../../telemetry/tracer.ts';
import { EmbeddedEmbeddings } from './embedded-embeddings.ts';

it('shows the wait for its process in the trace of a request', async () => {
  const listeners: ChildPortListener[] = [];
  const engine = new EmbeddedEmbeddings({
    log: createLog('silent', { write: () => {} }),
    launch: (listener) => {
      listeners.push(listener);
      return { send: () => {}, kill: () => {} };
    },
  });
  const spans: EndedSpan[] = [];
  const tracer = new Tracer({ sampleRatio: 1, add: (span) => void spans.push(span) });
  const span = tracer
    .open(undefined, { method: 'POST', path: '/v1/embeddings' })
    .start('embeddings tiny', 'client');
  const { signal } = new AbortController();
  const embedded = engine.embed(['a parcel'], { stackId: 'shop', signal, span });
  const [child] = listeners;
  child?.message({ type: 'ready' });
  expect(spans.map(({ name, parentSpanId }) => [name, parentSpanId])).toEqual([['queue', span.spanId]]);
  child?.message({
    type: 'answer',
    id: 1,
    value: { vectors: new Float32Array(512), tokens: 2 },
    memoryBytes: 0,
  });
  expect((await embedded).tokens).toBe(2);
});
