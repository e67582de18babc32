import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ArrivingBytes } from './arriving-bytes.ts';
import { BodyMemory } from './body-memory.ts';
import { UploadSpool } from './upload-spool.ts';

const CHUNK_BYTES = 64 * 1024;
const CHUNKS = 40;

it('frees the chunks of a large file once they are on the disk, and gives all their bytes back', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stackgate-arriving-'));
  try {
    const spool = new UploadSpool(folder, async () => {});
    using memory = new BodyMemory(1_000_000_000).open('shop');
    const arriving = new ArrivingBytes({ memory, stackId: 'shop', spool });
    const chunks = Array.from({ length: CHUNKS }, (_, each) => Buffer.alloc(CHUNK_BYTES, each));
    const whole = Buffer.concat(chunks);
    for (const chunk of chunks) arriving.add(chunk);
    expect(Buffer.compare(await arriving.finish(), whole)).toBe(0);
    expect(chunks.filter(({ length }) => length > 0)).toEqual([]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
