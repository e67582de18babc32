import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
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

it('holds no memory for a file on the disk, however small its chunks are, and few writes at a time', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stackgate-arriving-'));
  try {
    const spool = new UploadSpool(folder, async () => {});
    const all = new BodyMemory(1_000_000_000);
    using memory = all.open('shop');
    const arriving = new ArrivingBytes({ memory, stackId: 'shop', spool });
    const whole = Buffer.from(Array.from({ length: 1_200_001 }, (_, at) => at % 251));
    for (let at = 0; at < whole.length; at += 11) arriving.add(Buffer.from(whole.subarray(at, at + 11)));
    while (all.heldBytes > 0) await new Promise((resolve) => setImmediate(resolve));
    expect(await readFile(join(folder, (await readdir(folder))[0] ?? ''))).toHaveLength(whole.length);
    expect(whole.equals(await arriving.finish())).toBe(true);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
