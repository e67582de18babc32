import type { Token } from 'node-llama-cpp';
import { describe, expect, it } from 'vitest';
import { TokenText } from './token-text.ts';

/** Each token is a list of bytes. */
function textOf(tokens: readonly (readonly number[])[]): {
  readonly pieces: readonly string[];
  readonly end: string;
} {
  const ids = tokens.map((_, index) => index as Token);
  const text = new TokenText((some) => Buffer.from(some.flatMap((id) => tokens[id] ?? [])).toString());
  return { pieces: ids.map((id) => text.push(id)), end: text.flush() };
}

const bytes = (text: string) => [...Buffer.from(text)];

describe('text of tokens', () => {
  it('never shows a character before it is whole', () => {
    const smile = bytes('🙂');
    const tokens = [bytes('a'), ...smile.map((byte) => [byte]), bytes('b')];
    expect(textOf(tokens)).toEqual({ pieces: ['a', '', '', '', '🙂', 'b'], end: '' });
    expect(
      textOf([
        [...bytes('a'), 0xc3],
        [0xa9, ...bytes('z')],
      ]),
    ).toEqual({ pieces: ['', 'aéz'], end: '' });
  });

  it('drops a character that the end cut off', () => {
    expect(textOf([bytes('a'), [...bytes('b'), 0xf0, 0x9f]])).toEqual({ pieces: ['a', ''], end: 'b' });
  });

  it('holds back invalid bytes only briefly', () => {
    const { pieces } = textOf([[0xff], [0xff], [0xff], [0xff], bytes('x')]);
    expect(pieces[3]).toContain('\uFFFD');
    expect(pieces[4]).toBe('x');
  });
});
