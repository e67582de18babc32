import { describe, expect, it } from 'vitest';
import { CanonicalJson, NotCanonical } from '../../lib/canonical-json.ts';
import { KnownTools } from './known-tools.ts';

/** Reads `{"tools":LIST` up to the end of the list. */
class Reader {
  walks = 0;
  readonly #known = new KnownTools((json) => {
    this.walks += 1;
    const from = json.at + 1;
    json.items(() => json.object());
    return json.bytes.subarray(from, json.at - 1);
  });

  read(list: string, rest = '}') {
    const bytes = Buffer.from(`{"tools":${list}${rest}`);
    const json = new CanonicalJson(bytes);
    json.take('{"tools":');
    const items = this.#known.read(json);
    const left = bytes.toString('utf8', json.at);
    // The bytes of a request are reused for the next one.
    const read = { items: items.toString(), left, weight: json.weight };
    bytes.fill(0);
    return { ...read, later: items };
  }
}

const listOf = (name: string) => JSON.stringify([{ name, of: { type: 'object', required: [name] } }, {}]);

describe('tools that were read before', () => {
  it('are skipped like scanned ones, at any position', () => {
    const reader = new Reader();
    const { later: _walked, ...first } = reader.read(listOf('ä'));
    const { later, ...again } = reader.read(listOf('ä'));
    expect(again).toEqual(first);
    expect(reader.read(listOf('ä'), ',"n":1}').left).toBe(',"n":1}');
    expect(reader.walks).toBe(1);
    expect(later.toString()).toBe(first.items);
  });

  it('are scanned again if a byte differs', () => {
    const reader = new Reader();
    reader.read(listOf('a'));
    expect(reader.read(listOf('b')).items).toBe(listOf('b').slice(1, -1));
    expect(reader.read('[]').items).toBe('');
    expect(reader.walks).toBe(3);
  });

  it('are not found in truncated bytes', () => {
    const reader = new Reader();
    reader.read(listOf('a'));
    expect(() => reader.read(listOf('a').slice(0, -1), '')).toThrow(NotCanonical);
  });

  it('have the same weight as a scan', () => {
    const known = new KnownTools((json) => {
      json.value();
      return json.bytes;
    });
    known.read(new CanonicalJson(Buffer.from(listOf('a'))));
    const nearlyTooLong = new CanonicalJson(Buffer.from(listOf('a')));
    nearlyTooLong.weigh(248_995);
    expect(() => known.read(nearlyTooLong)).toThrow(NotCanonical);
  });

  it('are only the last few, and none that is very long', () => {
    const reader = new Reader();
    const lists = ['a', 'b', 'c', 'd', 'e'].map(listOf);
    for (const list of lists) reader.read(list);
    for (const list of lists.slice(1)) reader.read(list);
    expect(reader.walks).toBe(5);
    reader.read(listOf('a'));
    expect(reader.walks).toBe(6);
    const long = listOf('x'.repeat(300_000));
    reader.read(long);
    reader.read(long);
    expect(reader.walks).toBe(8);
  });
});
