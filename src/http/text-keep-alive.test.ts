import { afterEach, describe, expect, it } from 'vitest';
import { hold } from '../../testing/text/held.ts';
import { streamEvents } from '../../testing/text/stream-events.ts';
import { TextGateway, type TextGatewayOptions } from '../../testing/text/text-gateway.ts';
import { clientWires } from '../../testing/text/text-wires.ts';

const soon = { firstPingMs: 10, nextPingMs: 10 };
const COMMENT = ': ping\n\n';
const PING = 'event: ping\ndata: {"type":"ping"}\n\n';

let gateway: TextGateway;
afterEach(async () => {
  await gateway[Symbol.asyncDispose]();
});

async function start(options: TextGatewayOptions = { streamTimes: soon }): Promise<void> {
  gateway = await TextGateway.start(options);
}

const repeated = (text: string, times: number) => (received: string) => received.split(text).length > times;

describe('a chat stream', () => {
  it('is kept alive by comments before its first word and between words', async () => {
    await start();
    const [first, second] = [hold(), hold()];
    gateway.upstream.respond({
      text: ['One', ' two'],
      beforePiece: async (index) => await [undefined, first.until, second.until][index],
    });
    const call = gateway.chat({ stream: true });
    await call.until(repeated(COMMENT, 2));
    expect(call.received.replaceAll(COMMENT, '')).toBe('');
    first.release();
    await call.until((received) => received.includes('"One"'));
    await call.until((received) => repeated(COMMENT, 2)(received.slice(received.indexOf('"One"'))));
    second.release();
    expect(clientWires[0]?.textOf(await call.answer())).toBe('One two');
  });

  it('that fails after a comment ends with an error event', async () => {
    await start();
    const held = hold();
    gateway.upstream.script(() => held.until.then(() => undefined));
    gateway.upstream.respond({ fail: 'status' });
    const call = gateway.chat({ stream: true });
    await call.until((received) => received.includes(COMMENT));
    held.release();
    const answer = await call.answer();
    expect(answer.status).toBe(200);
    expect(clientWires[0]?.failureOf(answer)).toMatchObject({ error: { type: 'upstream_error' } });
    expect(streamEvents(answer.body)).toHaveLength(1);
  });

  it('has no byte before its first block', async () => {
    await start({});
    const held = hold();
    gateway.upstream.respond({
      text: 'Hi',
      // The role comes at once, and begins no block.
      beforePiece: async (index) => {
        if (index === 1) await held.until;
      },
    });
    const call = gateway.chat({ stream: true });
    await gateway.upstream.until(() => gateway.asked[0]?.sentPieces === 1);
    // Another whole exchange comes and goes meanwhile.
    await gateway.chat().answer();
    expect(call.received).toBe('');
    const early = await Promise.race([call.head, Promise.resolve('none yet')]);
    expect(early).toBe('none yet');
    held.release();
    const { body } = await call.answer();
    expect(JSON.parse(streamEvents(body)[0]?.data ?? '')).toMatchObject({
      choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }],
    });
  });
});

describe('a messages stream', () => {
  it.each([
    ['what was counted', 60_000, 9],
    ['an estimate where counting takes long', 1, 10],
  ])('begins with message_start before the first ping, with %s', async (_, beginMs, tokens) => {
    await start({ streamTimes: { ...soon, beginMs } });
    const [counting, answering] = [hold(), hold()];
    gateway.upstream.script(({ path }) =>
      path === '/tokenize' ? counting.until.then(() => undefined) : { beforePiece: () => answering.until },
    );
    const call = gateway.messages({ stream: true });
    await gateway.upstream.until(() => gateway.asked.length > 0);
    if (beginMs > 1) counting.release();
    await call.until(repeated(PING, 2));
    counting.release();
    answering.release();
    const { body } = await call.answer();
    const names = streamEvents(body).map(({ name }) => name);
    expect(names[0]).toBe('message_start');
    expect(names.filter((name) => name === 'message_start')).toHaveLength(1);
    expect(names.at(-1)).toBe('message_stop');
    expect(body).toContain(`"usage":{"input_tokens":${tokens},"output_tokens":0,`);
    // The server's count at the end is always right.
    expect(body.slice(body.indexOf('message_delta'))).toContain('"usage":{"input_tokens":9,');
  });

  it('is kept alive by pings while the model reads the prompt', async () => {
    await start();
    const held = hold();
    gateway.upstream.respond({ text: 'Hi', beforePiece: () => held.until });
    const call = gateway.messages({ stream: true });
    await call.until((received) => repeated(PING, 2)(received.slice(received.indexOf('message_start'))));
    held.release();
    const { body } = await call.answer();
    expect(clientWires[1]?.textOf({ status: 200, headers: {}, body: body.replaceAll(PING, '') })).toBe('Hi');
  });

  it('has its head and message_start before the model has said anything', async () => {
    await start({});
    const held = hold();
    gateway.upstream.respond({ text: 'Hi', beforePiece: () => held.until });
    const call = gateway.messages({ stream: true });
    await call.until((received) => received.endsWith('\n\n'));
    expect(streamEvents(call.received).map(({ name }) => name)).toEqual(['message_start']);
    held.release();
    await call.answer();
  });

  it('that fails after a ping ends with an error event and without message_stop', async () => {
    await start();
    const held = hold();
    gateway.upstream.script(({ path }) =>
      path === '/tokenize' ? undefined : held.until.then(() => undefined),
    );
    gateway.upstream.respond({ fail: { mode: 'status', status: 529 } });
    const call = gateway.messages({ stream: true });
    await call.until((received) => received.includes(PING));
    held.release();
    expect(clientWires[1]?.failureOf(await call.answer())).toMatchObject({
      type: 'error',
      error: { type: 'overloaded_error' },
    });
  });
});

it.each(clientWires)('a whole answer by $name never has a keep-alive', async (wire) => {
  await start({ streamTimes: { firstPingMs: 1, nextPingMs: 1 } });
  const held = hold();
  gateway.upstream.respond({ text: 'Hi', beforePiece: () => held.until });
  const call = wire.ask(gateway);
  await gateway.upstream.until(() => gateway.asked.length === 1);
  const streamed = gateway.messages({ stream: true });
  await streamed.until((received) => received.includes('message_stop'));
  held.release();
  expect(wire.textOf(await call.answer())).toBe('Hi');
});
