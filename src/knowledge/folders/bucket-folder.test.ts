import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { S3Server } from '../../../testing/s3/s3-server.ts';
import { Secret } from '../../config/secret.ts';
import { BucketFolder } from './bucket-folder.ts';

const { signal } = new AbortController();

describe('a folder in a bucket', () => {
  let server: S3Server;
  beforeEach(async () => {
    server = await S3Server.start();
  });
  afterEach(() => server[Symbol.asyncDispose]());

  it('lists the objects under its prefix, over several pages', async () => {
    for (let index = 10; index < 60; index += 1) put(`docs/${index}.md`, 'x');
    for (const key of ['docs-old/a.md', 'docs/', 'docs/.b.md', 'docs/x/~$c.docx', 'docs/de/']) put(key, 'x');
    put('docs/de/a.md', 'x');
    const { files } = await (await open()).list(signal);
    expect(files).toHaveLength(51);
    expect(files.map(({ path }) => path)).toContain('de/a.md');
    expect(files[0]).toMatchObject({ path: '10.md', sizeBytes: 1, isWaiting: false });
  });

  it('reads what was listed, and nothing that was replaced or removed since', async () => {
    put('docs/a.md', 'one');
    const folder = await open();
    const [file] = (await folder.list(signal)).files;
    if (file === undefined) throw new Error('it is not listed');
    expect(Buffer.from((await folder.read(file, signal)) ?? []).toString()).toBe('one');
    put('docs/a.md', 'two');
    expect(await folder.read(file, signal)).toBeUndefined();
    expect((await folder.list(signal)).files[0]?.mark).not.toBe(file.mark);
    server.objects.clear();
    expect(await folder.read(file, signal)).toBeUndefined();
  });

  it('says what to correct when the bucket cannot be used', async () => {
    const folder = await open('s3://none/docs');
    await expect(folder.list(signal)).rejects.toThrow(
      'the bucket "none" cannot be used: there is no such bucket: make it, or correct knowledge.url',
    );
  });

  const put = (key: string, text: string) =>
    server.objects.set(key, { bytes: Buffer.from(text), metadata: {}, modifiedAt: new Date() });

  function open(url = `s3://${server.bucket}/docs`): Promise<BucketFolder> {
    const { accessKeyId, secretAccessKey, region } = server.credentials;
    const { endpoint } = server;
    return BucketFolder.open({
      url,
      endpoint,
      region,
      accessKeyId,
      secretAccessKey: new Secret(secretAccessKey),
    });
  }
});
