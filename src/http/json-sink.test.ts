import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { ParkedBytes, unpark } from '../lib/parked-bytes.ts';
import { type ApartOptions, JsonSink, LARGE_JSON_BYTES, MAXIMUM_SCANNED_BYTES } from './json-sink.ts';

const CHUNK_BYTES = 64 * 1024;
const CHUNKS = 40;
const exactIntegers = false;

/** The other thread: returns the text of a body, and how it came. */
async function parseApart(bytes: Buffer | ParkedBytes, { isMeasured }: ApartOptions) {
  const isParked = bytes instanceof ParkedBytes;
  const text = (isParked ? unpark(bytes.port) : bytes).toString();
  if (isParked) bytes.free();
  return { text, isParked, isMeasured };
}

function feed(sink: JsonSink, bytes: Buffer, chunkBytes = CHUNK_BYTES): void {
  for (let at = 0; at < bytes.length; at += chunkBytes)
    sink.add(Buffer.concat([bytes.subarray(at, at + chunkBytes)]));
}

/** Twice: memory of buffers is given back at the end of the sweep. What earlier tests left is not freed in between then. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  collect();
  collect();
}

const jsonOf = (sizeBytes: number) => Buffer.from(JSON.stringify('x'.repeat(sizeBytes - 2)));
const LARGE = jsonOf(CHUNKS * CHUNK_BYTES);

describe('a large body', () => {
  it.each([
    ['as it came', undefined, CHUNK_BYTES],
    ['in small chunks', undefined, 100],
    ['on a route that scans small ones', () => undefined, CHUNK_BYTES],
  ])('is parked for the other thread while it arrives: %s', async (_, scan, chunkBytes) => {
    const sink = new JsonSink({ exactIntegers, scan, parseApart });
    feed(sink, LARGE, chunkBytes);
    expect(await sink.finish()).toEqual({ text: LARGE.toString(), isParked: true, isMeasured: true });
  });

  it('is not counted by the collector of this thread, however much of it has come', () => {
    collectGarbage();
    const before = process.memoryUsage();
    const sinks = Array.from({ length: 20 }, () => new JsonSink({ exactIntegers, parseApart }));
    for (const sink of sinks) feed(sink, LARGE);
    const after = process.memoryUsage();
    const heldBytes = sinks.length * LARGE.length;
    expect(after.arrayBuffers - before.arrayBuffers).toBeGreaterThan(0.9 * heldBytes);
    expect(after.external - before.external).toBeLessThan(0.2 * heldBytes);
    for (const sink of sinks) sink.drop();
  });

  it('is refused as soon as it holds too much, in however many chunks', () => {
    const sink = new JsonSink({ exactIntegers, scan: () => undefined, parseApart });
    const chunk = '1,'.repeat(CHUNK_BYTES / 2);
    const faults = Array.from({ length: CHUNKS }, () => sink.add(Buffer.from(chunk))?.code);
    const measuredFrom = MAXIMUM_SCANNED_BYTES / CHUNK_BYTES;
    expect(faults).toEqual([
      ...Array(measuredFrom).fill(undefined),
      ...Array(CHUNKS - measuredFrom).fill('json-too-complex'),
    ]);
    sink.drop();
  });
});

it('frees the memory of a body that will not be complete', async () => {
  collectGarbage();
  const before = process.memoryUsage().arrayBuffers;
  const sinks = Array.from({ length: 20 }, () => new JsonSink({ exactIntegers, parseApart }));
  for (const sink of sinks) feed(sink, LARGE);
  for (const sink of sinks) sink.drop();
  // Ports are closed in a later turn.
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(sinks.length * LARGE.length);
});

it('parses only large bodies on the other thread', async () => {
  const read = (text: string) => {
    const sink = new JsonSink({ exactIntegers, parseApart });
    sink.add(Buffer.from(text));
    return sink.finish();
  };
  const atBound = jsonOf(LARGE_JSON_BYTES).toString();
  expect(read(atBound)).toBe(JSON.parse(atBound));
  expect(await read(` ${atBound}`)).toMatchObject({ text: ` ${atBound}` });
});

it('has a body scanned here up to a size, and there what is not scanned', async () => {
  const scanned: number[] = [];
  const scan = (bytes: Buffer) => void scanned.push(bytes.length);
  const sink = new JsonSink({ exactIntegers, scan, parseApart });
  const bytes = jsonOf(MAXIMUM_SCANNED_BYTES);
  feed(sink, bytes);
  expect(await sink.finish()).toEqual({ text: bytes.toString(), isParked: false, isMeasured: false });
  expect(scanned).toEqual([MAXIMUM_SCANNED_BYTES]);
});
