import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closedPort } from '../../testing/closed-port.ts';
import { describeBlobStore } from '../../testing/describe-blob-store.ts';
import { listBlobs } from '../../testing/list-blobs.ts';
import { parseTestConfig } from '../../testing/parse-test-config.ts';
import { S3Server } from '../../testing/s3/s3-server.ts';
import type { BlobsConfig } from '../config/config.ts';
import { Secret } from '../config/secret.ts';
import { parseBlobKey } from './blob-key.ts';
import { openBlobStore } from './open-blob-store.ts';
import { S3BlobStore } from './s3-blob-store.ts';
import { StorageFull } from './storage-full.ts';

const never = new AbortController().signal;
const key = parseBlobKey('images/ab/one.png');
const bytes = Buffer.from('some bytes');

describeBlobStore('S3BlobStore', async () => {
  const server = await S3Server.start();
  const store = await S3BlobStore.open({ ...configOf(server), url: 's3://pictures/deep/er/' });
  return { store, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
});

describe('S3BlobStore', () => {
  let server: S3Server;
  let store: S3BlobStore;
  beforeEach(async () => {
    server = await S3Server.start();
    store = await S3BlobStore.open(configOf(server));
  });
  afterEach(() => server[Symbol.asyncDispose]());

  it('keeps to its prefix, and sees nothing beside it', async () => {
    await store.put(key, bytes, never);
    const other = await S3BlobStore.open({ ...configOf(server), url: 's3://pictures/other' });
    await other.put(key, bytes, never);
    expect([...server.objects.keys()]).toEqual(['images/ab/one.png', 'other/images/ab/one.png']);
    expect((await listBlobs(other)).map((entry) => entry.key)).toEqual([key]);
  });

  it.each([[{ status: 507, code: 'XMinioStorageFull' }], [{ status: 400, code: 'QuotaExceeded' }]])(
    'says that there is no room when the server says %o',
    async (what) => {
      for (let attempt = 0; attempt < 3; attempt++) server.misbehaviours.push({ method: 'PUT', what });
      await expect(store.put(key, bytes, never)).rejects.toThrow(StorageFull);
      expect(server.objects.size).toBe(0);
    },
  );

  it('tries again when the server fails once', async () => {
    server.misbehaviours.push({ method: 'PUT', what: { status: 500, code: 'InternalError' } });
    server.misbehaviours.push({ method: 'GET', what: { status: 503, code: 'SlowDown' } });
    await store.put(key, bytes, never);
    expect(Buffer.from((await store.get(key, never)) ?? [])).toEqual(bytes);
  });

  it('asks again when its clock was set right and the server refuses its time', async () => {
    await store.put(key, bytes, never);
    // An answer with the right time: by then the client's correction is none, so it does not repeat by itself.
    server.misbehaviours.push({ method: 'GET', what: { status: 403, code: 'RequestTimeTooSkewed' } });
    expect(Buffer.from((await store.get(key, never)) ?? [])).toEqual(bytes);
  });

  it('removes an object stored without a response, and only that', async () => {
    for (let attempt = 0; attempt < 3; attempt++) server.misbehaviours.push({ method: 'PUT', what: 'cut' });
    await expect(store.put(key, bytes, never)).rejects.toThrow();
    expect(server.objects.size).toBe(0);
    await store.put(key, bytes, never);
    for (let attempt = 0; attempt < 3; attempt++)
      server.misbehaviours.push({ method: 'PUT', what: { status: 500, code: 'InternalError' } });
    await expect(store.put(key, Buffer.from('new'), never)).rejects.toThrow();
    expect(Buffer.from((await store.get(key, never)) ?? [])).toEqual(bytes);
  });

  it('stops waiting for a silent server when its signal aborts', async () => {
    const hasty = await S3BlobStore.open(configOf(server), { tidyMs: 50 });
    const leaving = new AbortController();
    server.onStall = () => leaving.abort(new Error('left'));
    for (const method of ['PUT', 'GET', 'HEAD']) server.misbehaviours.push({ method, what: 'stall' });
    await expect(hasty.put(key, bytes, leaving.signal)).rejects.toThrow('left');
    server.misbehaviours.length = 0;
    expect(await store.get(key, never)).toBeUndefined();
  });

  it.each<readonly [string, (config: BlobsConfig) => BlobsConfig, string]>([
    ['no bucket', (config) => ({ ...config, url: 's3://none' }), 'there is no such bucket'],
    ['a wrong key', (config) => ({ ...config, accessKeyId: 'AKIDOTHER' }), 'the access key is unknown'],
    [
      'a wrong secret',
      (config) => ({ ...config, secretAccessKey: new Secret('x') }),
      'the signature is refused',
    ],
  ])('says what to do where there is %s', async (_, change, message) => {
    const broken = await S3BlobStore.open(change(configOf(server)));
    await expect(broken.check(never)).rejects.toThrow(message);
    await expect(broken.get(key, never)).rejects.toThrow();
    expect(server.objects.size).toBe(0);
  });

  it('fails if no server listens', async () => {
    const endpoint = `http://127.0.0.1:${await closedPort()}`;
    const unreachable = await S3BlobStore.open({ ...configOf(server), endpoint });
    await expect(unreachable.check(never)).rejects.toThrow('ECONNREFUSED');
  });

  it('is what the configuration opens where it names a bucket', async () => {
    const config = parseTestConfig(`
blobs:
  url: s3://pictures/kept
  endpoint: ${server.endpoint}
  region: ${server.credentials.region}
  access_key_id: ${server.credentials.accessKeyId}
  secret_access_key: ${server.credentials.secretAccessKey}`);
    const opened = await openBlobStore(config);
    await opened.check(never);
    await opened.put(key, bytes, never);
    expect([...server.objects.keys()]).toEqual(['kept/images/ab/one.png']);
  });
});

function configOf({ endpoint, bucket, credentials }: S3Server): BlobsConfig {
  return {
    url: `s3://${bucket}`,
    endpoint,
    region: credentials.region,
    accessKeyId: credentials.accessKeyId,
    secretAccessKey: new Secret(credentials.secretAccessKey),
  };
}
