import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { FakeCallerDirectory, makeCaller } from '../../testing/fake-callers.ts';
import { goodKey, HttpGateway, narrowKey, textKey } from '../../testing/http-gateway.ts';
import { askNew, postMcp } from '../../testing/mcp/mcp-client.ts';
import { Fault } from '../faults/fault.ts';
import { type McpTool, tool } from '../mcp/tool.ts';

let gateway: HttpGateway;
afterEach(() => gateway[Symbol.asyncDispose]());

async function start(
  tools: readonly McpTool[],
  options: Parameters<typeof HttpGateway.start>[0] = {},
): Promise<void> {
  gateway = await HttpGateway.start({ tools, ...options });
}

function scripted(name: string, call: McpTool['call'], more: Partial<McpTool> = {}): McpTool {
  return tool({
    name,
    title: name,
    description: 'A tool of the test.',
    input: z.object({ word: z.string().optional() }),
    isReadOnly: true,
    scope: 'mcp',
    isForReaders: true,
    isOffered: () => true,
    call,
    ...more,
  });
}

/** Something that one side waits for and the other makes come. */
class Moment<Value> {
  come!: (value: Value) => void;
  readonly coming = new Promise<Value>((resolve) => {
    this.come = resolve;
  });
}

const echo = scripted('echo', async ({ word }) => ({ data: { word } }), {
  output: z.object({ word: z.string() }),
});
const asInitialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'old', version: '1' } },
};

describe('the tools at /mcp', () => {
  it('are listed and called by a client of 2026, without a handshake', async () => {
    await start([echo]);
    const found = await askNew(gateway, 'server/discover');
    expect(found.messages[0]?.result).toMatchObject({
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: { listChanged: false } },
    });
    const listed = await askNew(gateway, 'tools/list');
    expect(listed.messages[0]?.result?.tools).toMatchObject([
      { name: 'echo', annotations: { readOnlyHint: true, destructiveHint: false } },
    ]);
    const called = await askNew(gateway, 'tools/call', { name: 'echo', arguments: { word: 'fox' } });
    expect(called.headers.get('content-type')).toContain('application/json');
    expect(called.messages[0]?.result).toMatchObject({
      structuredContent: { word: 'fox' },
      content: [{ type: 'text', text: '{"word":"fox"}' }],
    });
  });

  it('are listed and called by a client of 2025, without a session', async () => {
    await start([echo]);
    const begun = await postMcp(gateway, asInitialize);
    expect(begun.messages[0]?.result).toMatchObject({ protocolVersion: '2025-06-18' });
    expect(begun.headers.get('mcp-session-id')).toBeNull();
    const told = await postMcp(gateway, { jsonrpc: '2.0', method: 'notifications/initialized' });
    expect(told).toMatchObject({ status: 202, messages: [] });
    const headers = { 'mcp-protocol-version': '2025-06-18' };
    const listed = await postMcp(gateway, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, { headers });
    expect(listed.messages[0]?.result?.tools).toMatchObject([{ name: 'echo' }]);
    const params = { name: 'echo', arguments: { word: 'fox' } };
    const called = await postMcp(
      gateway,
      { jsonrpc: '2.0', id: 2, method: 'tools/call', params },
      { headers },
    );
    expect(called.messages[0]).toMatchObject({ id: 2, result: { structuredContent: { word: 'fox' } } });
  });

  it('are not listed for a key that may not use them, and cannot be called', async () => {
    const painted = scripted('paint', async () => ({ text: 'done' }), {
      isOffered: ({ stack }) => stack.imagePlan,
    });
    await start([echo, painted]);
    const named = async (key: string) =>
      (await askNew(gateway, 'tools/list', {}, { key })).messages[0]?.result?.tools?.map(({ name }) => name);
    expect(await named(goodKey)).toEqual(['echo', 'paint']);
    expect(await named(textKey)).toEqual(['echo']);
    const called = await askNew(gateway, 'tools/call', { name: 'paint', arguments: {} }, { key: textKey });
    expect(called.messages[0]?.error).toMatchObject({ code: -32_602 });
  });

  it.each([
    ['of an unknown tool', { name: 'nothing', arguments: {} }],
    ['with wrong arguments', { name: 'echo', arguments: { word: 7 } }],
    ['that names no tool', {}],
  ])('count a call %s as a request', async (_what, params) => {
    const directory = new FakeCallerDirectory();
    directory.add(goodKey, makeCaller({ limits: { requestsPerMinute: 2 } }));
    await start([echo], { directory });
    for (const _ of [1, 2]) expect((await askNew(gateway, 'tools/call', params)).status).not.toBe(429);
    expect((await askNew(gateway, 'tools/call', params)).status).toBe(429);
    const sound = await askNew(gateway, 'tools/call', { name: 'echo', arguments: { word: 'fox' } });
    expect([sound.status, sound.messages[0]?.result?.isError]).toEqual([200, true]);
  });

  it('count a call of a tool that the key may not use as a request', async () => {
    const directory = new FakeCallerDirectory();
    const restrictions = { scopes: ['mcp' as const], allowedIps: undefined, readOnly: true };
    directory.add(goodKey, makeCaller({ key: { restrictions }, limits: { requestsPerMinute: 2 } }));
    const outside = scripted('outside', async () => ({ text: 'done' }), { scope: 'files' });
    const costly = scripted('costly', async () => ({ text: 'done' }), { isForReaders: false });
    await start([outside, costly], { directory });
    for (const name of ['outside', 'costly'])
      expect((await askNew(gateway, 'tools/call', { name, arguments: {} })).status).not.toBe(429);
    expect((await askNew(gateway, 'tools/call', { name: 'outside', arguments: {} })).status).toBe(429);
  });

  it('that fail are answered whole to a call with an Idempotency-Key, and run again', async () => {
    let runs = 0;
    const broken = scripted('broken', async () => {
      runs += 1;
      throw new Fault('engine-failed', 'The model server failed.');
    });
    await start([broken]);
    const params = { name: 'broken', arguments: {} };
    const headers = { 'idempotency-key': 'once' };
    // Clients of 2025 are answered by a stream.
    const asOld = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    for (const answer of [
      await askNew(gateway, 'tools/call', params, { headers }),
      await askNew(gateway, 'tools/call', params, { headers }),
      await postMcp(gateway, asOld, { headers: { 'idempotency-key': 'other' } }),
    ])
      expect([answer.status, answer.messages[0]?.result?.isError]).toEqual([200, true]);
    expect(runs).toBe(3);
    expect(gateway.usage.ended.map(({ outcome }) => outcome)).toEqual(['server', 'server', 'server']);
  });

  it('are metered by their names', async () => {
    await start([echo]);
    await askNew(gateway, 'tools/call', { name: 'echo', arguments: { word: 'fox' } });
    expect(gateway.usage.ended).toMatchObject([{ endpoint: '/mcp#echo', outcome: 'ok' }]);
  });

  it('tell a refusal as a result that a model can act on', async () => {
    const full = scripted('full', async () => {
      throw new Fault('image-queue-full', 'Too many images wait.', { retryAfterSeconds: 7 });
    });
    await start([full]);
    const { status, messages } = await askNew(gateway, 'tools/call', { name: 'full', arguments: {} });
    expect(status).toBe(200);
    const text = JSON.stringify({
      error: 'Too many images wait.',
      code: 'queue_full',
      retry_after_seconds: 7,
    });
    expect(messages[0]?.result).toMatchObject({ isError: true, content: [{ type: 'text', text }] });
    // A client of 2025 is answered by a stream, which has begun when the tool refuses.
    const params = { name: 'full', arguments: {} };
    await postMcp(gateway, { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    expect(gateway.usage.ended).toMatchObject([
      { endpoint: '/mcp#full', outcome: 'limit' },
      { endpoint: '/mcp#full', outcome: 'limit' },
    ]);
  });

  it('hide what went wrong inside', async () => {
    const broken = scripted('broken', async () => {
      throw new Error('the password of the database');
    });
    await start([broken]);
    const { messages } = await askNew(gateway, 'tools/call', { name: 'broken', arguments: {} });
    expect(JSON.stringify(messages)).not.toContain('password');
    expect(messages[0]?.result).toMatchObject({ isError: true });
  });

  it('tell wrong arguments as a result', async () => {
    await start([echo]);
    const { messages } = await askNew(gateway, 'tools/call', { name: 'echo', arguments: { word: 7 } });
    expect(messages[0]?.result?.isError).toBe(true);
  });

  it('tell a limit of the stack as a result, and another request as an HTTP error', async () => {
    const [begun, end] = [new Moment<void>(), new Moment<void>()];
    const slow = scripted('slow', async () => {
      begun.come();
      await end.coming;
      return { text: 'done' };
    });
    await start([slow]);
    const first = askNew(gateway, 'tools/call', { name: 'slow', arguments: {} }, { key: narrowKey });
    await begun.coming;
    const second = await askNew(gateway, 'tools/call', { name: 'slow', arguments: {} }, { key: narrowKey });
    expect(second.messages[0]?.result).toMatchObject({ isError: true });
    expect(JSON.stringify(second.messages)).toContain('concurrent_requests');
    const listed = await askNew(gateway, 'tools/list', {}, { key: narrowKey });
    expect(listed.status).toBe(429);
    end.come();
    expect((await first).messages[0]?.result).toMatchObject({ content: [{ text: 'done' }] });
    const third = await askNew(gateway, 'tools/list', {}, { key: narrowKey });
    expect(third.status).toBe(200);
  });

  it('tell their progress to a client that asked for it', async () => {
    const slow = scripted('slow', async () => {
      await setTimeout(100);
      return { text: 'done' };
    });
    await start([slow], { progressMs: 10 });
    const params = { name: 'slow', arguments: {}, _meta: { progressToken: 'p1' } };
    const { headers, messages } = await askNew(gateway, 'tools/call', params);
    expect(headers.get('content-type')).toContain('text/event-stream');
    expect(headers.get('x-accel-buffering')).toBe('no');
    expect(messages[0]).toMatchObject({ method: 'notifications/progress', params: { progressToken: 'p1' } });
    expect(messages.at(-1)?.result).toMatchObject({ content: [{ text: 'done' }] });
  });

  it.each([{}, { _meta: { progressToken: 1 } }])('stop when the client leaves: %j', async (meta) => {
    const begun = new Moment<AbortSignal>();
    const slow = scripted('slow', async (_input, { signal }) => {
      begun.come(signal);
      await once(signal, 'abort');
      throw signal.reason;
    });
    await start([slow], { progressMs: 10 });
    const leaving = new AbortController();
    const params = { name: 'slow', arguments: {}, ...meta };
    const answer = askNew(gateway, 'tools/call', params, { signal: leaving.signal });
    const left = expect(answer).rejects.toThrow();
    const signal = await begun.coming;
    leaving.abort();
    await left;
    if (!signal.aborted) await once(signal, 'abort');
    await vi.waitFor(() =>
      expect(gateway.usage.ended).toMatchObject([{ endpoint: '/mcp#slow', outcome: 'gone' }]),
    );
  });
});

describe('/mcp', () => {
  it('answers a wrong key with 401 and how to send one', async () => {
    await start([echo]);
    const { status, headers, messages } = await askNew(gateway, 'tools/list', {}, { key: 'sk-wrong' });
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe('Bearer');
    expect(messages[0]?.error?.message).toEqual(expect.any(String));
  });

  it.each(['GET', 'DELETE'])('refuses %s', async (method) => {
    await start([]);
    const { status, headers } = await fetch(`${gateway.url}/mcp`, {
      method,
      headers: { authorization: `Bearer ${goodKey}` },
    });
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('refuses pages of other origins, and takes those of the machine and of the configuration', async () => {
    await start([], { corsOrigins: ['https://app.example'] });
    const asked = async (origin: string) =>
      (await askNew(gateway, 'tools/list', {}, { headers: { origin } })).status;
    expect(await asked('https://evil.example')).toBe(403);
    expect(await asked('null')).toBe(403);
    expect(await asked('http://localhost.evil.example')).toBe(403);
    expect(await asked('https://app.example')).toBe(200);
    expect(await asked(gateway.url)).toBe(200);
  });

  it('refuses headers that say something else than the body', async () => {
    await start([echo]);
    const wrongMethod = await askNew(gateway, 'tools/list', {}, { headers: { 'mcp-method': 'tools/call' } });
    expect([wrongMethod.status, wrongMethod.messages[0]?.error?.code]).toEqual([400, -32_020]);
    const params = { name: 'echo', arguments: { word: 'fox' } };
    const wrongName = await askNew(gateway, 'tools/call', params, { headers: { 'mcp-name': 'other' } });
    expect([wrongName.status, wrongName.messages[0]?.error?.code]).toEqual([400, -32_020]);
  });

  it('refuses versions and methods that it does not know', async () => {
    await start([echo]);
    const version = { 'io.modelcontextprotocol/protocolVersion': '2031-01-01' };
    const headers = { 'mcp-protocol-version': '2031-01-01' };
    const unknown = await askNew(gateway, 'tools/list', { _meta: version }, { headers });
    expect([unknown.status, unknown.messages[0]?.error?.code]).toEqual([400, -32_022]);
    const method = await askNew(gateway, 'tools/fly');
    expect([method.status, method.messages[0]?.error?.code]).toEqual([404, -32_601]);
  });

  it.each(['{', '', 'null', '[]', '7'])('answers %j with an error of JSON-RPC', async (body) => {
    await start([echo]);
    const { status, messages } = await postMcp(gateway, body);
    expect(status).toBe(400);
    expect(messages[0]?.error?.code).toEqual(expect.any(Number));
  });
});
