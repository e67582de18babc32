import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { BrowserGone, CommandFailed } from './browser-errors.ts';
import { DevToolsPipe } from './devtools-pipe.ts';

function setUp() {
  const toBrowser = new PassThrough();
  const fromBrowser = new PassThrough();
  const pipe = new DevToolsPipe(toBrowser, fromBrowser);
  const say = (...messages: readonly object[]) => {
    for (const message of messages) fromBrowser.write(`${JSON.stringify(message)}\0`);
  };
  return { pipe, toBrowser, fromBrowser, say };
}

const signal = new AbortController().signal;

describe('the pipe to a browser', () => {
  it('matches answers to commands in any order, however the bytes come', async () => {
    const { pipe, fromBrowser } = setUp();
    const first = pipe.call('A.one', { x: 1 }, { signal });
    const second = pipe.call('A.two', {}, { signal, sessionId: 's' });
    for (const byte of Buffer.from('{"id":2,"result":{"b":"ö"}}\0{"id":1,"result":{"a":1}}\0')) {
      fromBrowser.write(Buffer.of(byte));
    }
    expect(await Promise.all([first, second])).toEqual([{ a: 1 }, { b: 'ö' }]);
  });

  it('sends one message for each command', () => {
    const { pipe, toBrowser } = setUp();
    pipe.call('A.one', { x: 1 }, { signal, sessionId: 's' }).catch(() => {});
    expect(String(toBrowser.read())).toBe('{"id":1,"method":"A.one","params":{"x":1},"sessionId":"s"}\0');
  });

  it('throws what the browser refuses', async () => {
    const { pipe, say } = setUp();
    const refused = pipe.call('A.one', {}, { signal });
    say({ id: 1, error: { code: -1, message: 'no such thing' } });
    await expect(refused).rejects.toThrow(new CommandFailed('no such thing'));
  });

  it('tells each page its own events until it stops listening', async () => {
    const { pipe, say } = setUp();
    const heard: string[] = [];
    const unlisten = pipe.listen('mine', ({ method }) => heard.push(method));
    say(
      { method: 'P.one', sessionId: 'mine' },
      { method: 'P.two', sessionId: 'other' },
      { method: 'P.three' },
    );
    await expect.poll(() => heard).toEqual(['P.one']);
    unlisten();
    const later = pipe.call('A.one', {}, { signal });
    say({ method: 'P.four', sessionId: 'mine' }, { id: 1, result: {} });
    await later;
    expect(heard).toEqual(['P.one']);
  });

  it('forgets a command whose caller left, and its late answer', async () => {
    const { pipe, say } = setUp();
    const leaving = new AbortController();
    const left = pipe.call('A.one', {}, { signal: leaving.signal });
    leaving.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    const next = pipe.call('A.two', {}, { signal });
    say({ id: 1, result: {} }, { id: 2, result: { ok: true } });
    expect(await next).toEqual({ ok: true });
    await expect(pipe.call('A.three', {}, { signal: leaving.signal })).rejects.toThrow('left');
  });

  it.each(['gibberish', '[', '5', 'null'])('is closed by %j, with all that waits', async (text) => {
    const { pipe, fromBrowser } = setUp();
    const waiting = pipe.call('A.one', {}, { signal });
    fromBrowser.write(`${text}\0`);
    await expect(waiting).rejects.toBeInstanceOf(BrowserGone);
    await expect(pipe.call('A.two', {}, { signal })).rejects.toBeInstanceOf(BrowserGone);
    expect(pipe.closed.aborted).toBe(true);
  });

  it('is closed by a message without end', async () => {
    const { pipe, fromBrowser } = setUp();
    const waiting = pipe.call('A.one', {}, { signal });
    const mebibyte = Buffer.alloc(1024 * 1024, 'x');
    for (let count = 0; count < 65; count++) fromBrowser.write(mebibyte);
    await expect(waiting).rejects.toThrow('without end');
  });
});
