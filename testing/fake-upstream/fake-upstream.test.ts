import { afterEach, describe, expect, it } from 'vitest';
import { type FakeUpstream, type FakeUpstreamOptions, startFakeUpstream } from './fake-upstream.mjs';
import { makePng } from './make-png.mjs';
import { countPromptTokens } from './prompt-tokens.mjs';
import { CHAT, deltasOf, messages, send, sendForJson, sendWhole, streamChat } from './raw-chat.ts';
import { readPng } from './read-png.ts';

let upstream: FakeUpstream;

const start = async (options?: FakeUpstreamOptions): Promise<void> => {
  upstream = await startFakeUpstream(options);
};

afterEach(async () => {
  await upstream.close();
  expect(upstream.openConnections).toBe(0);
  expect(upstream.activeRequests).toBe(0);
});

describe('the fake upstream answering chats', () => {
  it('says a scripted text as one body with exact usage', async () => {
    await start();
    upstream.respond({ text: 'Hello, you.', reasoning: 'Be kind.', stopReason: 'END' });
    expect(await sendForJson(upstream, CHAT, { messages })).toMatchObject({
      object: 'chat.completion',
      model: 'fake-model',
      choices: [
        {
          message: { role: 'assistant', content: 'Hello, you.', reasoning_content: 'Be kind.' },
          finish_reason: 'stop',
          stop_reason: 'END',
        },
      ],
      usage: { prompt_tokens: countPromptTokens({ messages }), completion_tokens: 5 },
    });
  });

  it('streams role, reasoning, text, finish, usage when asked, and [DONE]', async () => {
    await start();
    const plan = { text: ['Hel', 'lo'], reasoning: 'Hm.', stopReason: 'END' };
    const { chunks, last } = await streamChat(upstream, plan, { stream_options: { include_usage: true } });
    expect(deltasOf(chunks)).toEqual([
      { role: 'assistant', content: '' },
      { reasoning_content: 'Hm.' },
      { content: 'Hel' },
      { content: 'lo' },
      {},
    ]);
    expect(chunks.at(-2)?.choices).toMatchObject([{ finish_reason: 'stop', stop_reason: 'END' }]);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 2 } });
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
    expect(last).toBe('[DONE]');
    expect((await streamChat(upstream, {})).chunks.some(({ usage }) => usage !== undefined)).toBe(false);
  });

  it('streams parallel tool calls one after another or with their fragments in turns', async () => {
    await start();
    const toolCalls = [
      { name: 'look', arguments: { where: 'left' } },
      { id: 'call_b', name: 'look', arguments: '{"where":"right"}' },
    ];
    for (const interleaved of [false, true]) {
      const { chunks } = await streamChat(upstream, { toolCalls, interleaved });
      const fragments = deltasOf(chunks).flatMap((delta) => delta.tool_calls ?? []);
      const order = fragments.map(({ index }) => index);
      expect(order.toSorted().join() === order.join()).toBe(!interleaved);
      const whole = [0, 1].map((index) => fragments.filter((fragment) => fragment.index === index));
      expect(whole.map((parts) => parts.map((part) => part.function.arguments).join(''))).toEqual([
        '{"where":"left"}',
        '{"where":"right"}',
      ]);
      expect(whole.map(([first]) => [first?.id, first?.function.name])).toEqual([
        ['call_fake_0', 'look'],
        ['call_b', 'look'],
      ]);
      expect(chunks.at(-1)?.choices).toMatchObject([{ finish_reason: 'tool_calls' }]);
    }
    upstream.respond({ toolCalls });
    expect(await sendForJson(upstream, CHAT, { messages })).toMatchObject({
      choices: [{ message: { content: null, tool_calls: [{ id: 'call_fake_0' }, { id: 'call_b' }] } }],
    });
  });

  it('streams as many pieces of the size that is asked for', async () => {
    await start();
    const { chunks } = await streamChat(upstream, {
      pieceCount: 500,
      pieceCharacters: 7,
      eventsPerWrite: 10,
    });
    const texts = deltasOf(chunks).flatMap(({ content }) => (content ? [content] : []));
    expect(texts).toHaveLength(500);
    expect(new Set(texts.map((text) => String(text).length))).toEqual(new Set([7]));
  });

  it('stops at max_tokens', async () => {
    await start();
    upstream.respond({ text: 'one two three' });
    expect(await sendForJson(upstream, CHAT, { messages, max_tokens: 1 })).toMatchObject({
      choices: [{ message: { content: 'one ' }, finish_reason: 'length' }],
      usage: { completion_tokens: 1, prompt_tokens: countPromptTokens({ messages }) },
    });
  });

  it('lets a test hold every event back', async () => {
    await start();
    let proceed = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      proceed = resolve;
    });
    upstream.respond({ text: ['a', 'b'], beforePiece: (index) => (index === 2 ? gate : undefined) });
    const exchange = send(upstream, CHAT, { messages, stream: true });
    await exchange.until('"content":"a"');
    expect(upstream.requests[0]?.sentPieces).toBe(2);
    expect(exchange.received().includes('"content":"b"')).toBe(false);
    proceed();
    await exchange.ended;
    expect(exchange.received().includes('[DONE]')).toBe(true);
  });

  it('answers 413 to a larger body than it takes, and the next request as usual', async () => {
    await start({ maximumBodyBytes: 1_000 });
    const large = { messages: [{ role: 'user', content: 'x'.repeat(1_000) }] };
    expect((await sendWhole(upstream, CHAT, large)).status).toBe(413);
    expect((await sendWhole(upstream, CHAT, { messages })).status).toBe(200);
    expect(upstream.requests).toHaveLength(1);
  });

  it('stops producing when the client does not read', async () => {
    await start();
    const pieceCount = 2_000;
    upstream.respond({ pieceCount, pieceCharacters: 20_000 });
    const exchange = send(upstream, CHAT, { messages, stream: true });
    exchange.socket.pause();
    await upstream.until(({ requests }) => (requests[0]?.sentPieces ?? 0) > 10);
    // Until the system's buffers are full, far below the 40 MB of the whole.
    for (let before = -1; before !== upstream.requests[0]?.sentPieces; ) {
      before = upstream.requests[0]?.sentPieces ?? 0;
      for (let round = 0; round < 20; round += 1) await sendWhole(upstream, '/health');
    }
    expect(upstream.requests[0]?.sentPieces).toBeLessThan(pieceCount / 2);
    exchange.socket.destroy();
    expect(await upstream.requests[0]?.ended).toBe('client-gone');
  });
});

describe('the fake upstream counting tokens', () => {
  const body = {
    messages: [
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What?' },
          { type: 'image_url', image_url: { url: 'data:' } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'a', function: { name: 'look', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'a cat' },
    ],
    tools: [{ type: 'function', function: { name: 'look', parameters: {} } }],
  };

  it('says the same in usage and by the tokenizer of vLLM', async () => {
    await start();
    const count = countPromptTokens(body);
    expect(await sendForJson(upstream, CHAT, { ...body, max_tokens: 1 })).toMatchObject({
      usage: { prompt_tokens: count },
    });
    expect(await sendForJson(upstream, '/tokenize', body)).toMatchObject({
      count,
      tokens: { length: count },
      max_model_len: 32_768,
    });
    expect(await sendForJson(upstream, '/tokenize', { prompt: 'abcdefgh' })).toMatchObject({ count: 3 });
    expect(
      await sendForJson(upstream, '/tokenize', { prompt: 'abcdefgh', add_special_tokens: false }),
    ).toMatchObject({
      count: 2,
    });
    expect(await sendWhole(upstream, '/apply-template', body)).toMatchObject({ status: 404 });
  });

  it('says the same in usage and by template and tokenizer of llama-server', async () => {
    await start({ flavour: 'llama-server' });
    const count = countPromptTokens(body);
    const { prompt } = Object(await sendForJson(upstream, '/apply-template', body));
    expect(await sendForJson(upstream, '/tokenize', { content: prompt, add_special: true })).toMatchObject({
      tokens: { length: count },
    });
    expect(await sendForJson(upstream, '/tokenize', { content: prompt })).toMatchObject({
      tokens: { length: count - 1 },
    });
    expect(await sendForJson(upstream, CHAT, body)).toMatchObject({ usage: { prompt_tokens: count } });
  });

  it('cannot count when it is a plain server', async () => {
    await start({ flavour: 'plain' });
    expect(await sendWhole(upstream, '/tokenize', body)).toMatchObject({ status: 404 });
    expect(await sendForJson(upstream, '/v1/models')).toEqual({
      object: 'list',
      data: [expect.not.objectContaining({ max_model_len: 1 })],
    });
  });
});

describe('the fake upstream painting', () => {
  it('answers generations and edits with images of the asked size', async () => {
    await start();
    const made = Object(
      await sendForJson(upstream, '/v1/images/generations', {
        prompt: 'a cat',
        size: '64x32',
        n: 2,
        seed: 3,
      }),
    );
    expect(made.data).toHaveLength(2);
    expect(readPng(Buffer.from(made.data[1].b64_json, 'base64'))).toMatchObject({ width: 64, height: 32 });

    const form = new FormData();
    form.append('image[]', new Blob([makePng({ width: 1, height: 1 })], { type: 'image/png' }), 'one.png');
    form.append('prompt', 'a dog');
    form.append('size', '16x24');
    const response = await fetch(`${upstream.url}/v1/images/edits`, { method: 'POST', body: form });
    const edited = Object(await response.json());
    expect(readPng(Buffer.from(edited.data[0].b64_json, 'base64'))).toMatchObject({ width: 16, height: 24 });
    expect(upstream.requests.at(-1)?.form).toEqual([
      {
        name: 'image[]',
        fileName: 'one.png',
        contentType: 'image/png',
        bytes: makePng({ width: 1, height: 1 }),
      },
      { name: 'prompt', value: 'a dog' },
      { name: 'size', value: '16x24' },
    ]);
    expect(await sendWhole(upstream, '/v1/images/generations', { prompt: 'x', size: 'huge' })).toMatchObject({
      status: 400,
    });
  });

  it('answers sdapi with the seeds it used', async () => {
    await start();
    for (const path of ['/sdapi/v1/txt2img', '/sdapi/v1/img2img']) {
      const made = Object(
        await sendForJson(upstream, path, {
          prompt: 'a cat',
          width: 8,
          height: 4,
          seed: 9,
          init_images: ['x'],
        }),
      );
      expect(readPng(Buffer.from(made.images[0], 'base64'))).toMatchObject({ width: 8, height: 4 });
      expect(JSON.parse(made.info)).toMatchObject({ seed: 9, all_seeds: [9] });
    }
  });
});

describe('the fake upstream as a witness', () => {
  it('records what was asked, within its bound', async () => {
    await start({ maximumRequests: 2 });
    for (const path of ['/health?a=1', '/v1/models', '/health?b=2']) await sendWhole(upstream, path);
    expect(upstream.totalRequests).toBe(3);
    expect(upstream.requests.map(({ path, query, serial }) => [path, query, serial])).toEqual([
      ['/v1/models', '', 2],
      ['/health', '?b=2', 3],
    ]);
  });

  it('lets a script answer any path, then the queue, then the default plan', async () => {
    await start({ plan: { text: 'default' } });
    upstream.respond({ text: 'queued' });
    upstream.script(({ path }) =>
      path === '/health' ? { fail: { mode: 'status', status: 503 } } : undefined,
    );
    expect(await sendWhole(upstream, '/health')).toMatchObject({ status: 503 });
    expect(await sendForJson(upstream, CHAT, { messages })).toMatchObject({
      choices: [{ message: { content: 'queued' } }],
    });
    expect(await sendForJson(upstream, CHAT, { messages })).toMatchObject({
      choices: [{ message: { content: 'default' } }],
    });
  });

  it('shows a mistake in a script instead of hanging', async () => {
    await start();
    upstream.script(() => {
      throw new Error('no such thing');
    });
    expect((await sendWhole(upstream, '/health')).body.toString()).toContain('no such thing');
  });

  it('asks for its key', async () => {
    await start({ apiKey: 'secret' });
    expect(await sendWhole(upstream, '/v1/models')).toMatchObject({ status: 401 });
    const headers = { authorization: 'Bearer secret' };
    expect((await fetch(`${upstream.url}/v1/models`, { headers })).status).toBe(200);
  });

  it('notices a client that leaves, before and after the first byte', async () => {
    await start();
    for (const fail of ['stall-before-headers', 'stall-mid-stream'] as const) {
      upstream.respond({ fail });
      const serial = upstream.totalRequests + 1;
      const gone = upstream.clientGone();
      const exchange = send(upstream, CHAT, { messages, stream: true });
      await upstream.until(
        ({ activeRequests, requests }) => activeRequests === 1 && requests.length === serial,
      );
      if (fail === 'stall-mid-stream') await exchange.until('data: ');
      expect(upstream.openConnections).toBe(1);
      exchange.socket.destroy();
      expect((await gone).serial).toBe(serial);
      expect(await upstream.requests.at(-1)?.ended).toBe('client-gone');
      await upstream.until(({ activeRequests, openConnections }) => activeRequests + openConnections === 0);
    }
    await sendWhole(upstream, '/health');
    expect(await upstream.requests.at(-1)?.ended).toBe('answered');
  });

  it('gives up waiting when told to', async () => {
    await start();
    const abort = new AbortController();
    const waits = [upstream.clientGone(abort.signal), upstream.until(() => false, abort.signal)];
    abort.abort(new Error('enough'));
    for (const wait of waits) await expect(wait).rejects.toThrow('enough');
  });
});
