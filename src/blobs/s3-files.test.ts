import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { S3Server } from '../../testing/s3/s3-server.ts';
import { Secret } from '../config/secret.ts';
import { S3Files } from './s3-files.ts';

const { signal } = new AbortController();
let server: S3Server;
let files: S3Files;
beforeEach(async () => {
  server = await S3Server.start();
  const { accessKeyId, secretAccessKey, region } = server.credentials;
  const config = {
    url: `s3://${server.bucket}/backups`,
    endpoint: server.endpoint,
    region,
    accessKeyId,
    secretAccessKey: new Secret(secretAccessKey),
  };
  files = await S3Files.open(config, { partBytes: 1_000 });
});
afterEach(() => server[Symbol.asyncDispose]());

async function* pieces(count: number, failure?: Error): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < count; index++) yield Buffer.alloc(300, index);
  if (failure !== undefined) throw failure;
}

async function read(name: string): Promise<Buffer | undefined> {
  const found = await files.get(name, signal);
  if (found === undefined) return undefined;
  const all: Uint8Array[] = [];
  for await (const piece of found) all.push(piece);
  return Buffer.concat(all);
}

describe('large files in a bucket', () => {
  it.each([0, 1, 3, 4, 5, 23])('of %i pieces come back as they were sent', async (count) => {
    await files.put('all.backup', pieces(count), signal);
    const expected: Uint8Array[] = [];
    for await (const piece of pieces(count)) expected.push(piece);
    expect((await read('all.backup'))?.equals(Buffer.concat(expected))).toBe(true);
    expect(server.uploads.size).toBe(0);
  });

  it('leave nothing behind when their source fails', async () => {
    await expect(files.put('all.backup', pieces(9, new Error('the disk is gone')), signal)).rejects.toThrow();
    expect([server.objects.size, server.uploads.size]).toEqual([0, 0]);
    expect(await read('all.backup')).toBeUndefined();
  });

  it('are listed by name, on all pages, without those of deeper folders', async () => {
    for (let index = 0; index < 45; index++) await files.put(`b-${index}`, pieces(1), signal);
    await files.put('deeper/b', pieces(1), signal);
    expect(await files.list(signal)).toHaveLength(45);
    await files.delete('b-0', signal);
    expect(await files.list(signal)).not.toContain('b-0');
  });
});
