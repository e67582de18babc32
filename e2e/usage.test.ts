import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FakeUpstream, startFakeUpstream } from '../testing/fake-upstream/fake-upstream.mjs';
import { eventually } from './eventually.ts';
import { type GatewayProcess, startGateway } from './gateway-process.ts';
import { runForJson } from './run-command.ts';
import { WorkFolder } from './work-folder.ts';

const KEY = 'sk-e2e-usage-0123456789';
const CHAT = '/v1/chat/completions';
const cleanExit = { code: 0, signal: null };

interface Usage {
  readonly endpoint: string;
  readonly requests: number;
  readonly prompt_tokens: number;
  readonly errors: { readonly gone: number };
}

let folder: WorkFolder;
let upstream: FakeUpstream;
beforeAll(async () => {
  upstream = await startFakeUpstream({});
});
afterAll(() => upstream?.close());
beforeEach(async () => {
  folder = await WorkFolder.withDatabase();
  folder.configure(`server: { drain_delay_seconds: 0 }
engines:
  text: { gpu: { kind: openai, base_url: ${upstream.url}/v1, model: tiny } }
stacks:
  - { id: shop, account: acme, plan: go, keys: [{ id: web, secret: ${KEY} }] }
`);
});
afterEach(() => folder[Symbol.dispose]());

/** A gateway whose engine is ready. */
async function startReady(): Promise<GatewayProcess> {
  const gateway = await startGateway(folder);
  await eventually('the engine is ready', async () => {
    const { text } = await gateway.request('/metrics');
    return text.includes('stackgate_engine_state{engine="text:gpu",state="ready"} 1') || undefined;
  });
  return gateway;
}

/** Resolves when the next chat has reached the model server. */
function nextAsked(): Promise<void> {
  const chats = () => upstream.requests.filter(({ path }) => path === CHAT).length;
  const before = chats();
  return upstream.until(() => chats() > before);
}

async function chat(gateway: GatewayProcess): Promise<number> {
  const body = JSON.stringify({ model: 'tiny', messages: [{ role: 'user', content: 'Hello' }] });
  const headers = { 'content-type': 'application/json' };
  const answer = await gateway.request(CHAT, { method: 'POST', key: KEY, headers, body });
  expect(answer.status).toBe(200);
  return (answer.json() as { usage: { prompt_tokens: number } }).usage.prompt_tokens;
}

/** Read by a command that has the database to itself. */
async function usageOfChats(gateway: GatewayProcess): Promise<Usage | undefined> {
  const groups = (await runForJson(gateway.command(['usage', '--by', 'endpoint']))) as readonly Usage[];
  return groups.find(({ endpoint }) => endpoint === CHAT);
}

describe('the usage of a real process', () => {
  it('is whole after SIGTERM, with what was in flight', async () => {
    await using gateway = await startReady();
    const promptTokens = await chat(gateway);
    await chat(gateway);
    let answer = () => {};
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    upstream.respond({ text: 'at last', beforePiece: () => asked });
    const reached = nextAsked();
    const last = chat(gateway);
    await reached;
    gateway.signal('SIGTERM');
    await gateway.logged('draining');
    answer();
    await last;
    expect(await gateway.exited).toEqual(cleanExit);
    expect(await usageOfChats(gateway)).toMatchObject({ requests: 3, prompt_tokens: 3 * promptTokens });
  });

  it('has what a second signal cut', async () => {
    await using gateway = await startReady();
    upstream.respond({ text: 'never', beforePiece: () => new Promise<void>(() => {}) });
    const reached = nextAsked();
    const cut = chat(gateway).catch((error: unknown) => error);
    await reached;
    gateway.signal('SIGTERM');
    await gateway.logged('draining');
    gateway.signal('SIGTERM');
    expect(await cut).toBeInstanceOf(Error);
    expect(await gateway.exited).toEqual(cleanExit);
    expect(await usageOfChats(gateway)).toMatchObject({ requests: 1, errors: { gone: 1 } });
  });

  it('is soon seen by its stack, and whole at the next start after kill -9', async () => {
    await using gateway = await startReady();
    for (let index = 0; index < 3; index++) await chat(gateway);
    await eventually('three chats are told of', async () => {
      const answer = await gateway.request('/v1/usage?by=endpoint', { key: KEY });
      const { data } = answer.json() as { data: readonly Usage[] };
      return data.find(({ endpoint }) => endpoint === CHAT)?.requests === 3 || undefined;
    });
    const promptTokens = await chat(gateway);
    await gateway.kill();
    await using next = await startGateway(folder);
    const left = 'the usage of a killed process was written';
    // Two, where the kill came before the segment of what was told already was removed.
    expect((await next.logged(left)).length).toBeGreaterThan(0);
    expect(await usageOfChats(next)).toMatchObject({ requests: 4, prompt_tokens: 4 * promptTokens });
  });
});
