import { setMaxListeners } from 'node:events';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { CountingClock, HeldClock } from '../../../../testing/bad-child/clocks.ts';
import { type FakeUpstream, startFakeUpstream } from '../../../../testing/fake-upstream/fake-upstream.mjs';
import { startRawUpstream } from '../../../../testing/fake-upstream/raw-upstream.ts';
import { answerOf, collectReply } from '../../../../testing/text/engine-answers.ts';
import { conversationOf } from '../../../../testing/text/engine-conversations.ts';
import { eventsOf, expectLegalEvents } from '../../../../testing/text/engine-events.ts';
import {
  closeWhole,
  failureOf,
  type OpenAiEngineSettings,
  openAiEngineFor,
} from '../../../../testing/text/engine-openai.ts';
import { Secret } from '../../../config/secret.ts';
import type { OpenAiEngine } from './openai-engine.ts';

const never = new AbortController().signal;
setMaxListeners(0, never);
const plain = { signal: never, countFirst: false };
/** More than the system and both processes buffer of an unread stream. */
const MUCH_BYTES = 16 * 1024 * 1024;
const CHAT = '/v1/chat/completions';
const isChat = ({ path }: { readonly path: string }) => path === CHAT;

let upstream: FakeUpstream;
let engine: OpenAiEngine;
let clock: CountingClock;

async function start(settings: OpenAiEngineSettings = {}): Promise<void> {
  clock = new CountingClock();
  upstream = await startFakeUpstream();
  engine = openAiEngineFor([upstream], { ...settings, made: { clock, ...settings.made } });
  await engine.lifecycle.ready(AbortSignal.timeout(60_000));
}

describe('connections to a server', () => {
  afterEach(async () => {
    await closeWhole(engine, [upstream], clock);
    await upstream.close();
  });

  it('are used again, also after refusals', async () => {
    await start();
    for (let round = 0; round < 20; round += 1) {
      if (round % 4 === 1) upstream.respond({ fail: { mode: 'status', status: 400 } });
      await eventsOf(answerOf(engine, conversationOf(), plain)).catch(() => undefined);
    }
    // One for answers and one for checks.
    expect(upstream.openConnections).toBe(2);
  });

  it('carry a hundred separate answers at a time', async () => {
    await start();
    upstream.script(({ body }) => {
      const said = JSON.stringify(body).match(/number \d+/)?.[0];
      return said === undefined ? undefined : { text: `This is ${said}.` };
    });
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        collectReply(answerOf(engine, conversationOf({ system: `number ${index}` }), plain)),
      ),
    );
    expect(replies.map(({ blocks }) => blocks[0]?.text)).toEqual(
      Array.from({ length: 100 }, (_, index) => `This is number ${index}.`),
    );
  });

  it('are bounded: further requests wait, and are refused if too many wait', async () => {
    await start({ made: { limits: { connectionsPerServer: 3, waitingPerServer: 3 } } });
    let open = () => {};
    const isOpen = new Promise<void>((resolve) => {
      open = resolve;
    });
    upstream.respond({ beforePiece: () => isOpen }, { beforePiece: () => isOpen });
    const leave = new AbortController();
    const answers = Array.from({ length: 4 }, () => eventsOf(answerOf(engine, conversationOf(), plain)));
    const leaver = eventsOf(answerOf(engine, conversationOf(), { signal: leave.signal, countFirst: false }));
    const { fault } = await failureOf(answerOf(engine, conversationOf(), plain));
    expect(fault).toMatchObject({ code: 'engine-overloaded', retryAfterSeconds: 5 });
    leave.abort(new Error('left'));
    await expect(leaver).rejects.toThrow('left');
    await upstream.until(({ requests }) => requests.filter(isChat).length === 2);
    open();
    for (const events of await Promise.all(answers)) expectLegalEvents(events);
    expect(upstream.requests.filter(isChat)).toHaveLength(4);
  });

  it('are given to waiting stacks in turn, with a limit for each stack', async () => {
    await start({ made: { limits: { connectionsPerServer: 1, waitingPerStack: 3 } } });
    let open = () => {};
    const isOpen = new Promise<void>((resolve) => {
      open = resolve;
    });
    upstream.respond({ beforePiece: () => isOpen });
    const ask = (stackId: string, system: string) =>
      answerOf(engine, conversationOf({ system }), { ...plain, stackId });
    const answers = ['a1', 'a2', 'a3', 'a4'].map((system) => eventsOf(ask('a', system)));
    expect((await failureOf(ask('a', 'a5'))).fault.code).toBe('engine-overloaded');
    answers.push(eventsOf(ask('b', 'b1')));
    open();
    for (const events of await Promise.all(answers)) expectLegalEvents(events);
    const sent = upstream.requests.filter(isChat).map(({ bytes }) => /[ab]\d/.exec(bytes.toString())?.[0]);
    expect(sent).toEqual(['a1', 'b1', 'a2', 'a3', 'a4']);
  });

  it('are never all used by one stack: its further answers wait, and another stack passes them', async () => {
    await start({ made: { limits: { connectionsPerServer: 4 } } });
    let open = () => {};
    const isOpen = new Promise<void>((resolve) => {
      open = resolve;
    });
    const held = { beforePiece: () => isOpen };
    upstream.respond(held, held, held);
    const leave = new AbortController();
    const ask = (stackId: string, system: string, signal = never) =>
      eventsOf(answerOf(engine, conversationOf({ system }), { ...plain, stackId, signal }));
    const first = ask('a', 'a1', leave.signal);
    const answers = ['a2', 'a3', 'a4', 'a5'].map((system) => ask('a', system));
    await upstream.until(({ requests }) => requests.filter(isChat).length === 3);
    expectLegalEvents(await ask('b', 'b1'));
    const sent = () =>
      upstream.requests.filter(isChat).map(({ bytes }) => /[ab]\d/.exec(bytes.toString())?.[0]);
    expect(sent()).toEqual(['a1', 'a2', 'a3', 'b1']);
    // The connection of the aborted one is closed, and its slot belongs to its stack again.
    leave.abort(new Error('left'));
    await expect(first).rejects.toThrow('left');
    await upstream.until(({ requests }) => requests.filter(isChat).length >= 5);
    open();
    for (const events of await Promise.all(answers)) expectLegalEvents(events);
    expect(sent()).toEqual(['a1', 'a2', 'a3', 'b1', 'a4', 'a5']);
  });

  it('are closed after a while without requests', async () => {
    await start();
    const held = new HeldClock();
    const other = openAiEngineFor([upstream], { made: { clock: held, limits: { checkEveryMs: 1_000_000 } } });
    await other.lifecycle.ready(AbortSignal.timeout(60_000));
    const before = upstream.openConnections;
    await eventsOf(answerOf(other, conversationOf(), plain));
    expect(upstream.openConnections).toBe(before + 1);
    held.pass(5_000);
    await upstream.until(
      ({ openConnections }) => openConnections === before - 1,
      AbortSignal.timeout(60_000),
    );
    await other.close();
    expect(held.pending).toBe(0);
  });

  it('buffer no more than a few megabytes for a slow reader', async () => {
    await start();
    const pieceCharacters = 64 * 1024;
    upstream.respond({ pieceCount: 400, pieceCharacters });
    const conversation = conversationOf({ sampling: { maxTokens: 1_000_000_000 } });
    const stream = answerOf(engine, conversation, plain)[Symbol.asyncIterator]();
    await stream.next();
    const sent = () => upstream.requests.findLast(isChat)?.sentPieces ?? 0;
    const isTooMuch = () => sent() * pieceCharacters > MUCH_BYTES;
    await expect(upstream.until(isTooMuch, AbortSignal.timeout(500))).rejects.toThrow('timeout');
    let characters = 0;
    for (let next = await stream.next(); !next.done; next = await stream.next()) {
      for (const event of next.value) if (event.type === 'block-delta') characters += event.text.length;
    }
    expect(characters).toBe(400 * pieceCharacters);
  });
});

const whole = JSON.stringify({
  choices: [{ message: { content: 'Hi.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1 },
});
const good = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${whole.length}\r\n\r\n${whole}`;

describe('a server that speaks raw bytes', () => {
  const answering = async (
    answer: (socket: Socket, serial: number) => void,
    use: (made: OpenAiEngine, count: () => number) => Promise<void>,
  ) => {
    await using server = await startRawUpstream(answer);
    const made = openAiEngineFor([], { baseUrls: [server.url], apiKey: new Secret('sk-echo') });
    try {
      await use(made, server.count);
    } finally {
      await made.close();
    }
  };

  it('may answer with one body instead of a stream', async () => {
    await answering(
      (socket) => socket.write(good),
      async (made) => {
        expect(await collectReply(answerOf(made, conversationOf(), plain))).toMatchObject({
          blocks: [{ text: 'Hi.' }],
          reason: 'stop',
          usage: { promptTokens: 1 },
        });
      },
    );
  });

  it('may close an idle connection: the request is sent once more, and only once', async () => {
    await answering(
      // Requests 2 and 4 meet a closed idle connection and are repeated; the repetition of 4 is closed as well.
      (socket, serial) => {
        if (serial === 2 || serial >= 4) socket.destroy();
        else socket.write(good);
      },
      async (made, count) => {
        for (let round = 0; round < 2; round += 1)
          expectLegalEvents(await eventsOf(answerOf(made, conversationOf(), plain)));
        expect(count()).toBe(3);
        expect((await failureOf(answerOf(made, conversationOf(), plain))).fault.code).toBe('engine-failed');
        expect(count()).toBe(5);
      },
    );
  });

  it('may end its stream after the last event: the connection is kept', async () => {
    const event = 'data: {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
    const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n';
    const sockets = new Set<Socket>();
    let end = () => {};
    await answering(
      (socket) => {
        sockets.add(socket);
        socket.write(`${head}${event.length.toString(16)}\r\n${event}\r\n`);
        end = () => socket.write('0\r\n\r\n');
      },
      async (made) => {
        expectLegalEvents(await eventsOf(answerOf(made, conversationOf(), plain)));
        end();
        const [first] = sockets;
        expect(first?.destroyed).toBe(false);
        // Until the end is read, a request opens another connection; then one of the two is used again.
        await expect
          .poll(async () => {
            const before = sockets.size;
            await eventsOf(answerOf(made, conversationOf(), plain));
            end();
            return sockets.size - before;
          })
          .toBe(0);
        expect([...sockets].some(({ destroyed }) => destroyed)).toBe(false);
      },
    );
  });

  it('is not asked again when it closes a fresh connection, or after a first byte', async () => {
    await answering(
      (socket, serial) => {
        if (serial === 2) socket.write(good);
        else if (serial === 3) socket.end('HTTP/1.1 200');
        else socket.destroy();
      },
      async (made, count) => {
        expect((await failureOf(answerOf(made, conversationOf(), plain))).fault.code).toBe('engine-failed');
        expect(count()).toBe(1);
        await eventsOf(answerOf(made, conversationOf(), plain));
        expect((await failureOf(answerOf(made, conversationOf(), plain))).fault.code).toBe('engine-failed');
        expect(count()).toBe(3);
      },
    );
  });

  for (const [what, bytes] of [
    ['no HTTP', 'hello\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\na'],
    ['a head with bare line feeds', 'HTTP/1.1 200 OK\ncontent-length: 0\n\n'],
    ['a chunk size with a bare line feed', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\nab'],
  ] as const) {
    it(`that says ${what} fails the answer`, async () => {
      await answering(
        (socket) => socket.write(bytes),
        async (made) =>
          expect((await failureOf(answerOf(made, conversationOf(), plain))).fault.code).toBe('engine-failed'),
      );
    });
  }

  it('loses its connection if it sends bytes after the answer', async () => {
    await answering(
      (socket, serial) => socket.write(serial === 1 ? `${good}HTTP/1.1 200 OK` : good),
      async (made, count) => {
        for (let round = 0; round < 3; round += 1)
          expectLegalEvents(await eventsOf(answerOf(made, conversationOf(), plain)));
        expect(count()).toBe(3);
      },
    );
  });

  it('that repeats the key does not bring it into the log', async () => {
    const body = JSON.stringify({ error: { message: `Incorrect API key: sk-echo. ${'x'.repeat(5_000)}` } });
    await answering(
      (socket) => socket.write(`HTTP/1.1 401 No\r\ncontent-length: ${body.length}\r\n\r\n${body}`),
      async (made) => {
        const { fault } = await failureOf(answerOf(made, conversationOf(), plain));
        expect(fault.message).not.toContain('key');
        expect(String(fault.cause)).toBe('UpstreamRefusal: status 401');
      },
    );
  });

  it('that refuses a long context in the wording of vLLM or llama-server is context-length-exceeded', async () => {
    const words = [
      "This model's maximum context length is 4096 tokens. However, you requested 9000 tokens.",
      'the request exceeds the available context size, try increasing it',
    ];
    await answering(
      (socket, serial) => {
        const body = JSON.stringify({ error: { message: words[serial - 1], code: 400 } });
        socket.write(`HTTP/1.1 400 Bad Request\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
      },
      async (made) => {
        for (const _ of words) {
          const { fault } = await failureOf(answerOf(made, conversationOf(), plain));
          expect(fault.code).toBe('context-length-exceeded');
          expect(fault.message).toContain('prompt is too long');
        }
      },
    );
  });
});
