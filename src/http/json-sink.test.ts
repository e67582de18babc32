import { expect, it } from 'vitest';
import { JsonSink } from './json-sink.ts';

const CHUNK_BYTES = 64 * 1024;
const CHUNKS = 40;
const parseApart = async (bytes: Buffer): Promise<number> => bytes.length;

function feed(sink: JsonSink): readonly Buffer[] {
  const chunks = Array.from({ length: CHUNKS }, () => Buffer.alloc(CHUNK_BYTES, ' '));
  for (const chunk of chunks) sink.add(chunk);
  return chunks;
}

function freed(chunks: readonly Buffer[]): number {
  return chunks.filter(({ length }) => length === 0).length;
}

it('frees the chunks of a large body of known length as they arrive', async () => {
  const declaredBytes = CHUNKS * CHUNK_BYTES;
  const sink = new JsonSink({ exactIntegers: false, declaredBytes, parseApart });
  expect(freed(feed(sink))).toBe(CHUNKS);
  expect(await sink.finish()).toBe(declaredBytes);
});

it('frees the chunks of a body of unknown length once they are joined', async () => {
  const sink = new JsonSink({ exactIntegers: false, parseApart });
  const chunks = feed(sink);
  expect(freed(chunks)).toBe(0);
  expect(await sink.finish()).toBe(CHUNKS * CHUNK_BYTES);
  expect(freed(chunks)).toBe(CHUNKS);
});

it('frees the chunks of a body that will not be complete', () => {
  const sink = new JsonSink({ exactIntegers: false, parseApart });
  const chunks = feed(sink);
  sink.drop();
  expect(freed(chunks)).toBe(CHUNKS);
});
