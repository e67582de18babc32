import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase } from '../testing/real-postgres/create-database.ts';
import { realPostgresAvailable } from '../testing/real-postgres/postgres-binaries.ts';
import { type GatewayProcess, startGateway } from './gateway-process.ts';
import { runCommand } from './run-command.ts';
import { WorkFolder } from './work-folder.ts';

const run = promisify(execFile);
const webKey = 'sk-web-0123456789abcdef';

const shop = `
data_dir: ./data
engines:
  text:
    gpu: { kind: openai, base_url: http://127.0.0.1:9/v1, model: qwen3-32b, context_window: 32768 }
plans:
  go: { requests_per_minute: 2 }
stacks:
  - id: shop
    account: acme
    plan: pro
    models: [qwen3-32b, qwen]
    keys:
      - { id: web, secret: "\${WEB_KEY}" }
      - { id: made }
  - id: kiosk
    account: acme
    plan: go
    keys: [{ id: till, secret: sk-till-0123456789abcdef }]
`;

describe('a start with a configuration file', () => {
  let folder: WorkFolder;
  let gateway: GatewayProcess;

  beforeAll(async () => {
    folder = await WorkFolder.withDatabase();
    folder.configure(shop);
    gateway = await startGateway(folder, { WEB_KEY: webKey });
  });
  afterAll(async () => {
    await gateway?.[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  it('serves the declared stack to a key whose secret came from the environment', async () => {
    expect(await gateway.modelsFor(webKey)).toEqual(['qwen3-32b', 'qwen']);
    expect(gateway.stdout).not.toContain(webKey);
    expect(gateway.stdout).not.toContain('Your API key');
  });

  it('leaves a key that the file gives no secret in a file', async () => {
    const path = /^Key "made" of stack "shop" is in (\S+); /m.exec(gateway.stdout)?.[1] ?? '';
    const secret = readFileSync(path, 'utf8').trim();
    expect(await gateway.statusFor(secret)).toBe(200);
  });

  it('holds a plan to the limit that the file gives it', async () => {
    const key = 'sk-till-0123456789abcdef';
    expect([await gateway.statusFor(key), await gateway.statusFor(key)]).toEqual([200, 200]);
    const third = await gateway.request('/v1/models', { key });
    expect(third.status).toBe(429);
    expect(Number(third.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  });

  it('refuses images to a stack that is not on the image plan', async () => {
    const answer = await gateway.request('/v1/images/generations', { key: webKey, method: 'POST' });
    expect(answer.status).toBe(403);
    expect(answer.json()).toEqual({ detail: expect.any(String) });
  });

  it('refuses a second server on the data folder, names folder and process, and goes on unharmed', async () => {
    const { code, stdout, stderr } = await runCommand({
      cwd: folder.path,
      environment: { WEB_KEY: webKey },
    });
    expect(code).toBe(4);
    expect(stdout).not.toContain('listening');
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toContain(folder.dataDir);
    expect(stderr).toContain(String(gateway.pid));
    expect(await gateway.statusFor(webKey)).toBe(200);
    expect((await gateway.request('/readyz')).status).toBe(200);
  });
});

describe('a start that cannot be', () => {
  it('names every problem of a bad file with its line, and exits with 2', async () => {
    using folder = WorkFolder.empty();
    folder.configure(
      `server:\n  prot: 8080\nstacks:\n  - id: Shop\n    keys: [{ id: web, secret: "\${NO_SUCH}" }]\n`,
    );
    const { code, stdout, stderr } = await runCommand({ cwd: folder.path });
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^stackgate\.yaml:2: server\.prot: .*port/m);
    expect(stderr).toMatch(/^stackgate\.yaml:5: .*NO_SUCH/m);
    expect(stderr).not.toContain('    at ');
  });

  it('says which file is missing', async () => {
    using folder = WorkFolder.empty();
    const { code, stderr } = await runCommand({ cwd: folder.path, argv: ['serve', '--config', 'none.yaml'] });
    expect(code).toBe(2);
    expect(stderr).toContain('none.yaml');
  });

  it('says in one line that the port is taken, has kept its generated key, and lets go of the folder', async () => {
    using folder = await WorkFolder.withDatabase();
    folder.configure('stacks:\n  - { id: shop, account: acme, keys: [{ id: made }] }\n');
    await using other = await listenSomewhere();
    const { code, stdout, stderr } = await runCommand({
      cwd: folder.path,
      environment: { STACKGATE_PORT: String(other.port) },
    });
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toContain(`127.0.0.1:${other.port}`);
    expect(stdout).not.toContain('listening on');
    // It is not generated again.
    const path = /^Key "made" of stack "shop" is in (\S+); /m.exec(stdout)?.[1] ?? '';
    const secret = readFileSync(path, 'utf8').trim();
    await using gateway = await startGateway(folder);
    expect(await gateway.statusFor(secret)).toBe(200);
  });

  it('says which data folder it cannot use, and exits with 4', async () => {
    using folder = WorkFolder.empty();
    writeFileSync(join(folder.path, 'data'), 'not a folder');
    const { code, stderr } = await runCommand({ cwd: folder.path });
    expect(code).toBe(4);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toContain(folder.dataDir);
    expect(stderr).toContain('data_dir');
  });

  it.runIf(process.getuid?.() !== 0)('says that it may not write to its data folder', async () => {
    using folder = WorkFolder.empty();
    mkdirSync(folder.dataDir, { mode: 0o500 });
    const { code, stderr } = await runCommand({ cwd: folder.path });
    expect(code).toBe(4);
    expect(stderr).toContain(folder.dataDir);
  });
});

describe.runIf(realPostgresAvailable)('a data folder with blanks and signs in its name', () => {
  it('is quoted in the curl line of the second start', async () => {
    using folder = WorkFolder.empty();
    const dataDir = join(folder.path, "it's $HOME here");
    const environment = { STACKGATE_DATA: dataDir, DATABASE_URL: await createDatabase() };
    await using first = await startGateway(folder, environment);
    await first.stop();
    await using second = await startGateway(folder, environment);
    const command = /"(Authorization: .*)"$/m.exec(second.stdout)?.[1];
    const { stdout } = await run('sh', ['-c', `echo "${command}"`]);
    expect(stdout).toMatch(/^Authorization: Bearer sk-\w{40,}$/m);
  });
});

async function listenSomewhere(): Promise<AsyncDisposable & { readonly port: number }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
