import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from './gateway-process.ts';
import { WorkFolder } from './work-folder.ts';

const run = promisify(execFile);
const modeOf = (path: string): number => statSync(path).mode & 0o777;
/** The curl line as a person would copy it. */
const curlLine = (gateway: GatewayProcess): string => /^ {2}(curl .*)$/m.exec(gateway.stdout)?.[1] ?? '';
const hasCurl = await run('curl', ['--version']).then(
  () => true,
  () => false,
);

describe('a start with nothing configured', () => {
  const folder = WorkFolder.empty();
  let first: GatewayProcess;
  let secret = '';

  beforeAll(async () => {
    first = await startGateway(folder);
    secret = first.key;
  });
  afterAll(async () => {
    await first[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  it('prints where it listens, where the key is, and a curl line', () => {
    expect(first.stdout).toMatch(/^Stackgate is listening on http:\/\/127\.0\.0\.1:\d+$/m);
    expect(first.stdout).toContain(`Your API key is in ${folder.defaultKeyPath}.`);
    expect(first.stdout).not.toContain(secret);
    expect(secret).toMatch(/^sk-[0-9A-Za-z]{40,}$/);
    expect(curlLine(first)).toContain(first.url);
    expect(first.stderr).toBe('');
  });

  it('prints a link by which the first operator logs in to the console, once', async () => {
    const token = /^Set up the console.*\/console\/#setup=([\w-]{43})$/m.exec(first.stdout)?.[1];
    const setUp = () =>
      fetch(`${first.url}/console/api/setup`, {
        method: 'POST',
        headers: { origin: first.url, 'content-type': 'application/json' },
        body: JSON.stringify({ token, name: 'ann', password: 'correct horse battery' }),
      });
    const done = await setUp();
    expect(await done.json()).toMatchObject({ name: 'ann', role: 'operator' });
    const cookie = done.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    const ask = (path: string) => fetch(first.url + path, { headers: { cookie } });
    expect(await (await ask('/console/api/stacks')).json()).toMatchObject({ data: [{ id: 'default' }] });
    expect((await ask('/console/api/playground/default/v1/models')).status).toBe(200);
    expect((await ask('/v1/models')).status).toBe(401);
    expect((await setUp()).status).toBe(403);
  });

  it.runIf(hasCurl)('prints a curl line that works as printed', async () => {
    const { stdout } = await run('sh', ['-c', `${curlLine(first)} --silent --show-error --noproxy '*'`]);
    expect(JSON.parse(stdout)).toMatchObject({ object: 'list', data: [{ object: 'model' }] });
  });

  it('answers its key and no other', async () => {
    expect(await first.statusFor(secret)).toBe(200);
    expect(await first.statusFor(`${secret}x`)).toBe(401);
  });

  it('keeps folder, database, socket and key to its user', () => {
    expect(modeOf(folder.dataDir)).toBe(0o700);
    expect(modeOf(join(folder.dataDir, 'database'))).toBe(0o700);
    expect(modeOf(join(folder.dataDir, '.s.PGSQL.5432'))).toBe(0o600);
    expect(modeOf(folder.defaultKeyPath)).toBe(0o600);
  });

  it('prints the same at the second start, whose curl line works too', async () => {
    expect(await first.stop()).toEqual({ code: 0, signal: null });
    await using second = await startGateway(folder);
    expect(second.key).toBe(secret);
    expect(second.stdout).toContain(folder.defaultKeyPath);
    expect(second.stdout).not.toContain(secret);
    expect(second.stdout).not.toContain('#setup=');
    expect(await second.statusFor(secret)).toBe(200);
    if (hasCurl) {
      const { stdout } = await run('sh', ['-c', `${curlLine(second)} --silent --noproxy '*'`]);
      expect(JSON.parse(stdout)).toMatchObject({ object: 'list' });
    }
    await second.stop();
    expect(second.log.length).toBeGreaterThan(2);
  });

  it('logs JSON lines that have the request and never the key', () => {
    const lines = first.stdout.split('\n').filter((line) => line !== '');
    const isLog = (line: string): boolean => line.startsWith('{');
    const banner = lines.filter((line) => !isLog(line));
    expect(banner.at(-1)).toBe(`All endpoints: ${first.url}/docs`);
    for (const line of lines.filter(isLog)) {
      expect(JSON.parse(line)).toMatchObject({ level: expect.any(String), time: expect.any(String) });
      expect(line).not.toContain(secret.slice(3));
    }
    expect(first.log).toContainEqual(
      expect.objectContaining({ message: 'request', route: '/v1/models', status: 401, method: 'GET' }),
    );
  });
});
