import { describe, expect, it } from 'vitest';
import { writtenConfidence } from './written-confidence.ts';

const half = Math.log(0.5);
const token = (text: string | readonly number[], logProbability = 0) => ({
  bytes: Buffer.from(text),
  logProbability,
});

describe('the probability of what a model wrote', () => {
  it('is the product of those of the tokens of a value, its quotes included', () => {
    const tokens = [
      token('{"a', half),
      token('":'),
      token(' "', half),
      token('One'),
      token('"', half),
      token(', "list": [1', half),
      token('2, '),
      token('null', Math.log(0.9)),
      token('], "in": {"x": true'),
      token('}}'),
      token('<end>', half),
    ];
    const raw = '{"a": "One", "list": [12, null], "in": {"x": true}}';
    expect(writtenConfidence(raw, tokens)).toEqual({ a: 0.25, list: [0.5, 0.9], in: { x: 1 } });
  });

  it('counts bytes, since a token may be half of a character', () => {
    const [first = 0, second = 0] = Buffer.from('é');
    const tokens = [token('{"é":"'), token([first], half), token([second], half), token('"}')];
    expect(writtenConfidence('{"é":"é"}', tokens)).toEqual({ é: 0.25 });
  });

  it('ignores reasoning before the text, and a code fence', () => {
    const tokens = [token('Hm. {"a": 1}', half), token('```json\n{"a": ', half), token('1'), token('}\n```')];
    expect(writtenConfidence('```json\n{"a": 1}\n```', tokens)).toEqual({ a: 1 });
  });

  it('is unknown if the tokens spell another text', () => {
    expect(writtenConfidence('{"a": 1}', [token('{"a": 2}')])).toBeUndefined();
    expect(writtenConfidence('{"a": 1}', [])).toBeUndefined();
  });
});
