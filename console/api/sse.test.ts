import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readEvents, type ServerEvent } from './sse.ts';

const STREAM =
  ': hello\r\n\r\nevent: request\nid: 7\ndata: {"é": 1}\n\ndata: one\ndata: two 🦊\n\nevent: ping\n\ndata:[DONE]\n\ndata: cut off';
const EVENTS = [
  { event: 'request', data: '{"é": 1}', id: '7' },
  { event: 'message', data: 'one\ntwo 🦊', id: '7' },
  { event: 'message', data: '[DONE]', id: '7' },
];

async function eventsOf(chunks: readonly Uint8Array[]): Promise<readonly ServerEvent[]> {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  const all: ServerEvent[] = [];
  for await (const event of readEvents(body)) all.push(event);
  return all;
}

it('reads the same events however the bytes are cut, and none that is not ended', async () => {
  const bytes = new TextEncoder().encode(STREAM);
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.nat(bytes.length), { maxLength: 12 }), async (cuts) => {
      const ends = [...cuts.sort((one, other) => one - other), bytes.length];
      const chunks = ends.map((end, index) => bytes.slice(ends[index - 1] ?? 0, end));
      expect(await eventsOf(chunks)).toEqual(EVENTS);
    }),
    { numRuns: 100 },
  );
});
