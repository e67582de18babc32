import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { HttpGateway } from '../../../testing/http-gateway.ts';
import { LogInWorld } from '../../../testing/people/log-in-world.ts';

const script = 'console.log("hello");'.repeat(100);
let around: string;
let folder: string;
let gateway: HttpGateway;
beforeAll(async () => {
  around = await mkdtemp(join(tmpdir(), 'stackgate-console-'));
  folder = join(around, 'console');
  gateway = await HttpGateway.start({ console: { world: new LogInWorld(), folder } });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await rm(around, { recursive: true });
});

it('says so while the console is not built, and serves it once it is', async () => {
  const missing = await fetch(`${gateway.url}/console/`);
  const notBuilt = { detail: expect.stringContaining('not built') };
  expect([missing.status, await missing.json()]).toEqual([404, notBuilt]);
  await mkdir(join(folder, 'assets'), { recursive: true });
  await writeFile(join(folder, 'assets', 'main-1a2b.js'), script);
  await writeFile(join(folder, 'favicon.svg'), '<svg/>');
  await writeFile(join(folder, 'notes.txt'), 'not served');
  await writeFile(join(folder, 'index.html'), '<!doctype html>');
  await writeFile(join(folder, '..', 'secret.json'), '{}');
  expect((await fetch(`${gateway.url}/console/`)).status).toBe(200);
});

it.each(['/console', '/console/', '/console/stacks/shop', '/console/login?x=1'])(
  'serves the index for %s, under a policy without anything inline',
  async (path) => {
    const answer = await fetch(gateway.url + path);
    expect(await answer.text()).toBe('<!doctype html>');
    const headers = Object.fromEntries(answer.headers);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
  },
);

it('serves files with hashed names for good, compressed where the browser takes it', async () => {
  const url = `${gateway.url}/console/assets/main-1a2b.js`;
  const plain = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
  expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(plain.headers.get('content-encoding')).toBeNull();
  expect(await plain.text()).toBe(script);
  const small = await fetch(url, { headers: { 'accept-encoding': 'gzip, br' } });
  expect(small.headers.get('content-encoding')).toBe('br');
  expect(Number(small.headers.get('content-length'))).toBeLessThan(script.length / 10);
  expect(await small.text()).toBe(script);
});

it.each([
  '/console/assets/none.js',
  '/console/..%2Fsecret.json',
  '/console/%2e%2e/secret.json',
  '/console/assets/..%2f..%2fsecret.json',
  '/console/notes.txt',
  '/console/api/none',
  '/console/api',
])('has no %s', async (path) => {
  const answer = await fetch(gateway.url + path);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/json']);
});
