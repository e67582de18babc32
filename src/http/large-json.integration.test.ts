import { once } from 'node:events';
import { afterAll, describe, expect, it } from 'vitest';
import { Fault } from '../faults/fault.ts';
import { ParkedBytes } from '../lib/parked-bytes.ts';
import { ScannedBody } from '../text/wire/scanned-body.ts';
import { BodyMemory } from './body-memory.ts';
import { LargeJson } from './large-json.ts';
import { parseJson } from './parse-json.ts';

const json = new LargeJson();
afterAll(() => json.stop(AbortSignal.abort()));

const plain = { exactIntegers: false, isMeasured: false };
const anyChat = { format: 'chat', fromBytes: 0 } as const;
const memory = new BodyMemory(1_000_000_000).open('shop');
const work = { stackId: 'shop', signal: new AbortController().signal, memory };
const faultOf = (outcome: Promise<unknown>) => outcome.catch((error: unknown) => error);

describe('a large body', () => {
  it('is parsed on another thread, to which its bytes move', async () => {
    const value = { text: 'ü"\\'.repeat(500_000), list: [1, null, true, { a: 'b' }] };
    const bytes = Buffer.concat([Buffer.from(JSON.stringify(value))]);
    expect(await json.parse(bytes, plain, work)).toEqual(value);
    expect(bytes.byteLength).toBe(0);
  });

  it('is parsed there from parked bytes, and those are freed that the thread does not take', async () => {
    const park = () => {
      const bytes = new ParkedBytes();
      for (const part of ['["', 'ü'.repeat(40_000), '"]']) bytes.add(Buffer.from(part));
      return bytes;
    };
    expect(await json.parse(park(), plain, work)).toEqual(['ü'.repeat(40_000)]);
    const refused = park();
    const closed = once(refused.port.port, 'close');
    const over = { ...work, signal: AbortSignal.abort(new Error('gone')) };
    expect(await faultOf(json.parse(refused, plain, over))).toMatchObject({ message: 'gone' });
    await closed;
  });

  it('keeps all digits of its integers if asked to', async () => {
    const bytes = Buffer.from('{"seed": 18446744073709551615}');
    expect(await json.parse(bytes, { ...plain, exactIntegers: true }, work)).toEqual(
      parseJson(Buffer.from('{"seed": 18446744073709551615}'), { exactIntegers: true }),
    );
  });

  it.each(['{"a": 1,', '[1] x', `${'['.repeat(201)}${']'.repeat(201)}`, `[${'1,'.repeat(250_000)}1]`])(
    'is refused in the words of a small one: %.20s',
    async (text) => {
      const refused = await faultOf(json.parse(Buffer.from(text), plain, work));
      const inline = await faultOf(Promise.resolve().then(() => parseJson(Buffer.from(text), plain)));
      expect(refused).toBeInstanceOf(Fault);
      expect(refused).toEqual(inline);
    },
  );

  it.each([
    ['as it came', (body: object) => JSON.stringify(body)],
    ['written anew', (body: object) => JSON.stringify(body, null, 1).replaceAll('ü', '\\u00fc')],
  ])('of a chat is scanned there, and comes back %s', async (_, write) => {
    const body = {
      model: 'm',
      temperature: -0,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'ü"\\\n'.repeat(200_000) },
      ],
      tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }],
    };
    const text = write(body).replace('"temperature": 0', '"temperature": -0');
    const { messages, tools, ...fields } = JSON.parse(text);
    const scanned = await json.parse(Buffer.from(text), { ...plain, scan: anyChat }, work);
    if (!(scanned instanceof ScannedBody)) throw new Error('it was not scanned');
    expect(scanned.fields).toEqual(fields);
    expect(scanned.parsed()).toEqual({ ...fields, messages, tools });
    expect(scanned.system).toBe('Be brief.');
    expect(scanned.lists.messages.toString()).toBe(JSON.stringify(messages[1]));
    expect(scanned.lists.tools.toString()).toBe(JSON.stringify(tools[0]));
  });

  it('of a chat is freed with the memory of its request', async () => {
    const held = new BodyMemory(1_000_000_000).open('shop');
    const body = { messages: [{ role: 'user', content: 'x'.repeat(3_000_000) }] };
    const bytes = Buffer.from(JSON.stringify(body));
    const scanned = await json.parse(bytes, { ...plain, scan: anyChat }, { ...work, memory: held });
    if (!(scanned instanceof ScannedBody)) throw new Error('it was not scanned');
    expect(scanned.lists.messages.length).toBeGreaterThan(3_000_000);
    held[Symbol.dispose]();
    expect(scanned.lists.messages).toHaveLength(0);
  });

  it('of a chat that may be counted is hashed there', async () => {
    const hashOf = async (...contents: readonly string[]) => {
      const messages = contents.map((content) => ({ role: 'user', content }));
      const bytes = Buffer.from(JSON.stringify({ model: 'm', messages }));
      const scanned = await json.parse(bytes, { ...plain, scan: anyChat }, work);
      return scanned instanceof ScannedBody ? scanned.lists.hash : expect.unreachable('it was parsed');
    };
    const hashes = await Promise.all([hashOf('a', 'b'), hashOf('ab'), hashOf('a', 'b')]);
    expect(new Set(hashes).size).toBe(2);
    expect(hashes).not.toContain(undefined);
    expect(hashes[2]).toBe(hashes[0]);
  });

  it('of a chat that needs a change is parsed', async () => {
    const body = { model: 'm', messages: [{ content: 'x', role: 'user', name: 'a' }] };
    const parsed = await json.parse(Buffer.from(JSON.stringify(body)), { ...plain, scan: anyChat }, work);
    expect(parsed).toEqual(body);
  });

  it.each([
    ['as it came', (body: object) => JSON.stringify(body)],
    ['with spaces', (body: object) => JSON.stringify(body, null, 1)],
  ])('of a chat is scanned only if its messages are long enough: %s', async (_, write) => {
    const ofLength = (length: number) => ({ messages: [{ role: 'user', content: 'x'.repeat(length) }] });
    const scan = { format: 'chat', fromBytes: 10_000 } as const;
    const read = (body: object) => json.parse(Buffer.from(write(body)), { ...plain, scan }, work);
    expect(await read(ofLength(10_000))).toBeInstanceOf(ScannedBody);
    expect(await read(ofLength(1_000))).toEqual(ofLength(1_000));
    const choosing = { ...ofLength(10_000), tool_choice: 'none' };
    expect(await read(choosing)).toEqual(choosing);
    const tools = [
      { type: 'function', function: { name: 'f', description: 'y'.repeat(10_000), parameters: {} } },
    ];
    expect(await read({ ...ofLength(1_000), tools })).toEqual({ ...ofLength(1_000), tools });
  });

  it('holds memory for its value, and none where it was scanned', async () => {
    const all = new BodyMemory(4_000);
    const bytes = () => Buffer.from('{"model":"m","messages":[{"role":"user","content":"x"}]}');
    const held = all.open('shop');
    await json.parse(bytes(), { ...plain, scan: anyChat }, { ...work, memory: held });
    expect(all.heldBytes).toBe(0);
    await json.parse(bytes(), plain, { ...work, memory: held });
    expect(all.heldBytes).toBe(3 * bytes().length);
    all.open('shop').grow(1_000 - all.heldBytes);
    const refused = json.parse(bytes(), plain, { ...work, memory: all.open('shop') });
    expect(await faultOf(refused)).toMatchObject({ code: 'body-memory-full' });
  });

  it('waits its turn among stacks', async () => {
    const ended: string[] = [];
    const parse = async (stackId: string) => {
      await json.parse(Buffer.from(JSON.stringify('x'.repeat(2_000_000))), plain, { ...work, stackId });
      ended.push(stackId);
    };
    await Promise.all([...Array(5)].map(() => parse('noisy')).concat(parse('quiet')));
    expect(ended.indexOf('quiet')).toBeLessThanOrEqual(2);
  });
});
