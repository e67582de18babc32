import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isRunning, processTree } from '../src/pdf/engines/chromium/process-tree.ts';
import { type FakeUpstream, startFakeUpstream } from '../testing/fake-upstream/fake-upstream.mjs';
import { eventually } from './eventually.ts';
import { type GatewayProcess, startGateway } from './gateway-process.ts';
import { WorkFolder } from './work-folder.ts';

const PATH = '/v1/documents/generate';
const KEY = 'sk-e2e-pdf-0123456789';

let folder: WorkFolder;
let upstream: FakeUpstream;
let gateway: GatewayProcess;

beforeAll(async () => {
  upstream = await startFakeUpstream({});
  folder = await WorkFolder.withDatabase();
  folder.configure(`engines:
  text: { gpu: { kind: openai, base_url: ${upstream.url}/v1, model: tiny } }
stacks:
  - { id: shop, account: acme, plan: go, keys: [{ id: web, secret: ${KEY} }] }
`);
  gateway = await startGateway(folder, { TMPDIR: tmpdir() });
});
afterAll(async () => {
  await gateway?.[Symbol.asyncDispose]();
  await upstream?.close();
  folder?.[Symbol.dispose]();
});

async function post(body: object): Promise<Response> {
  return await fetch(gateway.url + PATH, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

async function browserIds(): Promise<readonly number[]> {
  const tree = processTree(gateway.pid);
  return tree.map(({ id }) => id).filter((id) => id !== gateway.pid);
}

describe('PDF generation in a real process', () => {
  it('prints with plain curl, and says how many pages and what was not fetched', async () => {
    const file = join(folder.path, 'hello.pdf');
    const { stdout } = await promisify(execFile)('curl', [
      '-sS',
      '-o',
      file,
      '-D',
      '-',
      '-H',
      `Authorization: Bearer ${KEY}`,
      '-H',
      'Content-Type: application/json',
      '-d',
      '{"html": "<title>Hello</title><h1>Hello</h1><img src=\\"https://example.com/logo.png\\">"}',
      gateway.url + PATH,
    ]);
    expect(stdout).toMatch(/^HTTP\/1\.1 200 /);
    expect(stdout).toMatch(/^content-type: application\/pdf\r$/m);
    expect(stdout).toMatch(/^x-pdf-pages: 1\r$/m);
    expect(stdout).toMatch(/^x-pdf-blocked-references: 1\r$/m);
    const pdf = readFileSync(file, 'latin1');
    expect(pdf.slice(0, 5)).toBe('%PDF-');
    expect(pdf).toContain('/Producer (Stackgate)');
  });

  it('prints what a model writes', async () => {
    const answer = await post({ user: 'A letter', max_tokens: 500 });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-pdf-pages')).toBe('1');
    const asked = upstream.requests.findLast(({ path }) => path === '/v1/chat/completions');
    expect(asked?.body).toMatchObject({ max_tokens: 500 });
  });

  it('refuses too many pages of the plan', async () => {
    const pages = (count: number) => '<p style="break-after: page">x'.repeat(count - 1).concat('<p>y');
    expect((await post({ html: pages(20) })).status).toBe(200);
    const over = await post({ html: pages(21) });
    expect(over.status).toBe(413);
    expect(await over.json()).toEqual({ detail: expect.stringContaining('20 pages') });
  });

  it('counts in the metrics and logs how the browser was started', async () => {
    const { text } = await gateway.request('/metrics');
    expect(text).toMatch(/^stackgate_pdf_documents_total\{outcome="printed"\} [1-9]/m);
    expect(text).toMatch(/^stackgate_pdf_documents_total\{outcome="too-many-pages"\} 1$/m);
    expect(text).toMatch(/^stackgate_pdf_step_duration_seconds_count\{step="layout"\} [1-9]/m);
    expect(text).toMatch(/^stackgate_engine_state\{engine="pdf:chromium",state="ready"\} 1$/m);
    expect(text.match(/^stackgate_pdf_sandbox\{rung="(no )?sandbox[^"]*"\} 1$/gm)).toHaveLength(1);
    expect(await gateway.logged('pdf browser started')).toMatchObject([{ rung: expect.any(String) }]);
  });

  it('leaves no browser and no file behind, also when it is killed', async () => {
    const first = await browserIds();
    expect(first.length).toBeGreaterThan(0);
    const killed = gateway.pid;
    await gateway.kill();
    expect(homesOf(killed)).toHaveLength(1);
    await eventually('the browsers end by themselves', async () => {
      const running = first.map(isRunning);
      return running.includes(true) ? undefined : true;
    });

    gateway = await startGateway(folder, { TMPDIR: tmpdir() });
    expect((await post({ html: '<p>again' })).status).toBe(200);
    // The start of the first browser removed the leftovers of the killed process.
    expect(homesOf(killed)).toEqual([]);
    const second = await browserIds();
    await gateway.stop();
    expect(second.map(isRunning).includes(true)).toBe(false);
    expect(homesOf(gateway.pid)).toEqual([]);
    gateway = await startGateway(folder, { TMPDIR: tmpdir() });
  });
});

/** The browser homes of a gateway. */
function homesOf(gatewayId: number): readonly string[] {
  const isRoot = process.getuid?.() === 0;
  const path = isRoot ? join(tmpdir(), 'stackgate-pdf') : join(folder.dataDir, 'pdf', 'run');
  return existsSync(path) ? readdirSync(path).filter((name) => name.includes(`-${gatewayId}-`)) : [];
}
