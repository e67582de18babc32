import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeCaller } from '../../testing/fake-callers.ts';
import { FakeTextEngine, textAnswer } from '../../testing/text/fake-text-engine.ts';
import { hold } from '../../testing/text/held.ts';
import { streamEvents } from '../../testing/text/stream-events.ts';
import type { TextCall } from '../../testing/text/text-call.ts';
import { TextGateway, type TextGatewayOptions } from '../../testing/text/text-gateway.ts';
import { clientWires } from '../../testing/text/text-wires.ts';

let gateway: TextGateway;
afterEach(async () => {
  await gateway[Symbol.asyncDispose]();
});

const ways = [
  { name: 'chat', ask: () => gateway.chat() },
  { name: 'chat, streamed', ask: () => gateway.chat({ stream: true }) },
  { name: 'messages', ask: () => gateway.messages() },
  { name: 'messages, streamed', ask: () => gateway.messages({ stream: true }) },
  { name: 'count_tokens', ask: () => gateway.count() },
] as const;

/** Refused as HTTP, in the shape of the family, with a delay. */
async function expectNotReady(name: string, call: TextCall): Promise<void> {
  const { status, headers, body } = await call.answer();
  expect([status, headers['content-type']]).toEqual([503, 'application/json']);
  expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
  expect(Number(headers['retry-after'])).toBeLessThanOrEqual(59);
  const message = expect.any(String);
  expect(JSON.parse(body)).toEqual(
    name.startsWith('chat')
      ? { error: { message, type: 'server_error', param: null, code: 'model_not_ready' } }
      : { type: 'error', error: { type: 'overloaded_error', message }, request_id: headers['request-id'] },
  );
}

/** A gateway whose engine does not know its server's state until it is told to go on. */
async function startWaiting(options: TextGatewayOptions = {}) {
  const knowing = hold();
  const script = async ({ path }: { readonly path: string }) => {
    if (path === '/v1/models') await knowing.until;
    return undefined;
  };
  gateway = await TextGateway.start({ isReady: false, script, ...options });
  return knowing;
}

describe('an engine that is not ready', () => {
  it.each(ways)('answers 503 at once while it starts: $name', async ({ name, ask }) => {
    await startWaiting();
    expect(gateway.engine.lifecycle.state).toBe('starting');
    await expectNotReady(name, ask());
    expect(gateway.asked).toHaveLength(0);
  });

  it.each(ways)('answers 503 at once while it is degraded: $name', async ({ name, ask }) => {
    gateway = await TextGateway.start({ isReady: false, upstream: { refusing: true } });
    await expect.poll(() => gateway.engine.lifecycle.state).toBe('degraded');
    await expectNotReady(name, ask());
  });

  it.each(ways)('answers 503 when the stack names one that is not there: $name', async ({ name, ask }) => {
    gateway = await TextGateway.start({
      callers: { 'sk-a': makeCaller({ stack: { textEngines: ['gone'] } }) },
    });
    await expectNotReady(name, ask());
  });
});

describe('a paused stack', () => {
  const paused = { 'sk-a': makeCaller({ stack: { paused: true } }) };

  it.each(ways)('wakes, and the request that woke it is answered: $name', async ({ ask }) => {
    const knowing = await startWaiting({ callers: paused });
    const call = ask();
    await expect.poll(() => gateway.http.inFlight()).toBe(1);
    expect(gateway.asked).toHaveLength(0);
    knowing.release();
    expect((await call.answer()).status).toBe(200);
  });

  it.each(ways)('that does not wake in time answers 503: $name', async ({ name, ask }) => {
    await startWaiting({ callers: paused, wakeMs: 5 });
    await expectNotReady(name, ask());
  });

  it.each(ways)('is not waited for by a client that left: $name', async ({ ask }) => {
    await startWaiting({ callers: paused });
    const call = ask();
    await expect.poll(() => gateway.http.inFlight()).toBe(1);
    call.leave();
    await expect.poll(() => gateway.http.inFlight()).toBe(0);
    expect(gateway.http.log).not.toContain('request failed');
  });
});

describe.each(clientWires)('a fallback engine, asked by $name', (wire) => {
  let spare: FakeTextEngine;
  beforeEach(async () => {
    spare = new FakeTextEngine();
    spare.script = textAnswer('from the spare');
    const callers = { 'sk-a': makeCaller({ stack: { textEngines: ['gpu', 'spare'] } }) };
    gateway = await TextGateway.start({ callers, engines: { spare } });
  });

  describe.each([true, false])('stream: %s', (stream) => {
    it.each(['reset-before-headers', 'garbage-sse', 'status'] as const)(
      'answers once instead of a server that fails by %s',
      async (fail) => {
        gateway.upstream.respond({ fail });
        const answer = await wire.ask(gateway, { stream }).answer();
        expect(wire.textOf(answer)).toBe('from the spare');
        if (wire.name === 'messages' && stream) {
          const names = streamEvents(answer.body).map(({ name }) => name);
          expect(names.filter((name) => name === 'message_start')).toHaveLength(1);
        }
        expect(spare.asked).toHaveLength(1);
      },
    );

    it('names its model, and no other', async () => {
      // A count that hangs keeps the stream of messages from beginning under the name of the first.
      const counting = hold();
      gateway.upstream.script(async ({ path }) => {
        if (path === '/tokenize') await counting.until;
        return undefined;
      });
      gateway.upstream.respond({ fail: 'status' });
      const { body } = await wire.ask(gateway, { stream }).answer();
      counting.release();
      expect(new Set(body.match(/"model":"[^"]*"/g))).toEqual(new Set(['"model":"fake"']));
    });

    it('answers instead of an overloaded server', async () => {
      gateway.upstream.respond({ fail: { mode: 'status', status: 429 } });
      expect(wire.textOf(await wire.ask(gateway, { stream }).answer())).toBe('from the spare');
    });

    it('is not asked when the server refuses the request', async () => {
      gateway.upstream.respond({ fail: { mode: 'status', status: 400 } });
      expect((await wire.ask(gateway, { stream }).answer()).body).not.toContain('from the spare');
      expect(spare.asked).toHaveLength(0);
    });

    it('is not asked when the server answers', async () => {
      expect(wire.textOf(await wire.ask(gateway, { stream }).answer())).toBe('Hello from the fake upstream.');
      expect(spare.asked).toHaveLength(0);
    });
  });

  it('is not asked after the first words of a stream', async () => {
    const seen = hold();
    gateway.upstream.respond({ text: 'some words', fail: 'reset-mid-stream', beforeCut: () => seen.until });
    const call = wire.ask(gateway, { stream: true });
    await call.until((received) => wire.hasSaid(received, 'some'));
    seen.release();
    wire.failureOf(await call.answer());
    expect(spare.asked).toHaveLength(0);
  });
});

it('a stream of messages that has begun keeps its name when another engine takes over', async () => {
  const spare = new FakeTextEngine();
  const callers = { 'sk-a': makeCaller({ stack: { textEngines: ['gpu', 'spare'] } }) };
  gateway = await TextGateway.start({ callers, engines: { spare } });
  const held = hold();
  gateway.upstream.script(async ({ path }) => {
    if (path !== '/tokenize') await held.until;
    return undefined;
  });
  gateway.upstream.respond({ fail: 'status' });
  const call = gateway.messages({ stream: true });
  await call.until((received) => received.includes('message_start'));
  held.release();
  const { body } = await call.answer();
  expect([body.match(/"model":"[^"]*"/g), spare.asked.length]).toEqual([['"model":"tiny"'], 1]);
  expect(body).toContain('event: message_stop');
});

it('two keys of different stacks have their own engines, models, prompts and temperatures', async () => {
  const other = new FakeTextEngine();
  other.script = textAnswer('from the other');
  const callers = {
    'sk-a': makeCaller({ stack: { id: 'a', models: ['one'], systemPrompt: 'Be kind.', temperature: 0.1 } }),
    'sk-b': makeCaller({
      stack: { id: 'b', models: ['two'], systemPrompt: 'Be brief.', textEngines: ['other'] },
    }),
  };
  gateway = await TextGateway.start({ callers, engines: { other } });
  const [first, second] = [gateway.chat({ model: 'one' }, 'sk-a'), gateway.chat({ model: 'two' }, 'sk-b')];
  expect(JSON.parse((await first.answer()).body)).toMatchObject({ model: 'one' });
  expect(JSON.parse((await second.answer()).body)).toMatchObject({
    model: 'two',
    choices: [{ message: { content: 'from the other' } }],
  });
  expect(gateway.lastBody).toMatchObject({ temperature: 0.1 });
  expect(JSON.stringify(gateway.lastBody)).toContain('Be kind.');
  expect(other.asked).toMatchObject([{ system: 'Be brief.', sampling: { temperature: 0.7 } }]);
  expect((await gateway.chat({ model: 'one' }, 'sk-b').answer()).status).toBe(404);
  expect(JSON.parse((await gateway.messages({ model: 'one' }, 'sk-b').answer()).body)).toMatchObject({
    model: 'two',
  });
});
