import { describe, expect, it } from 'vitest';
import { passagesOf } from './passages.ts';

const sentence = 'This is a sentence that is long enough to be a passage of its own, surely.';

describe('the passages of a chunk', () => {
  it('are its sentences', () => {
    expect(passagesOf(`${sentence} ${sentence}`)).toEqual([sentence, sentence]);
  });

  it('join what is short', () => {
    expect(passagesOf('Yes. No. Perhaps.')).toEqual(['Yes. No. Perhaps.']);
  });

  it('cut what is long at spaces, and lose nothing', () => {
    const words = Array.from({ length: 300 }, (_, index) => `word${index}`).join(' ');
    const passages = passagesOf(words);
    expect(passages.join(' ')).toBe(words);
    expect(Math.max(...passages.map(({ length }) => length))).toBeLessThanOrEqual(400);
  });

  it('stay few in a long chunk, and none in an empty one', () => {
    expect(passagesOf(`${sentence} `.repeat(200)).length).toBeLessThanOrEqual(64);
    expect(passagesOf(' \n ')).toEqual([]);
  });
});
