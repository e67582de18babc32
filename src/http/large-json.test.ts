import { afterAll, describe, expect, it } from 'vitest';
import { Fault } from '../faults/fault.ts';
import { JsonSink, LARGE_JSON_BYTES } from './json-sink.ts';
import { LargeJson } from './large-json.ts';
import { parseJson } from './parse-json.ts';

const json = new LargeJson();
afterAll(() => json.stop(AbortSignal.abort()));

const plain = { exactIntegers: false };
const work = { stackId: 'shop', signal: new AbortController().signal };
const faultOf = (outcome: Promise<unknown>) => outcome.catch((error: unknown) => error);

describe('a large body', () => {
  it('is parsed on another thread, to which its bytes move', async () => {
    const value = { text: 'ü"\\'.repeat(500_000), list: [1, null, true, { a: 'b' }] };
    const bytes = Buffer.concat([Buffer.from(JSON.stringify(value))]);
    expect(await json.parse(bytes, plain, work)).toEqual(value);
    expect(bytes.byteLength).toBe(0);
  });

  it('keeps all digits of its integers where that is wanted', async () => {
    const bytes = Buffer.from('{"seed": 18446744073709551615}');
    expect(await json.parse(bytes, { exactIntegers: true }, work)).toEqual(
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

describe('JsonSink', () => {
  it('has only large bodies parsed elsewhere', async () => {
    const apart: number[] = [];
    const parseApart = async (bytes: Buffer) => {
      apart.push(bytes.length);
      return 'elsewhere';
    };
    const read = (text: string) => {
      const sink = new JsonSink({ ...plain, parseApart });
      sink.add(Buffer.from(text));
      return sink.finish();
    };
    const atBound = JSON.stringify('x'.repeat(LARGE_JSON_BYTES - 2));
    expect(read(atBound)).toBe(JSON.parse(atBound));
    expect(await read(` ${atBound}`)).toBe('elsewhere');
    expect(apart).toEqual([LARGE_JSON_BYTES + 1]);
  });
});
