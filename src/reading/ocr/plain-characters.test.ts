import { describe, expect, it } from 'vitest';
import { plainCharacters } from './plain-characters.ts';

function plain(line: string): string {
  const spotted = Array.from(line, (text, at) => ({ text, at, confidence: 1, spaceBefore: 0 }));
  return plainCharacters(spotted)
    .map(({ text }) => text)
    .join('');
}

describe('a line of Latin letters', () => {
  it.each([
    ['S.H.H. MOTOR （ SUNGAI RENGIT）SDN.BHD', 'S.H.H. MOTOR (SUNGAI RENGIT) SDN.BHD'],
    ['MOTOR（SUNGAI RENGIT ）', 'MOTOR (SUNGAI RENGIT)'],
    ['TEL：07-3826003', 'TEL: 07-3826003'],
    ['TIME：10：30', 'TIME: 10:30'],
    ['TOTAL：１，２００．５０', 'TOTAL: 1,200.50'],
    ['（07）382 6003', '(07) 382 6003'],
    ['Ｓ．Ｈ．Ｈ．', 'S.H.H.'],
    ['Paid，thank you！See【B】', 'Paid, thank you! See [B]'],
    ['50％ ＆ more＠shop', '50% & more@shop'],
    ['SUNGAIーRENGIT。', 'SUNGAI-RENGIT.'],
    ['Part Ⅲ at 20℃ for ￥5', 'Part III at 20°C for ¥5'],
    ['ﬁne oﬃce', 'fine office'],
  ])('%s is %s', (line, expected) => {
    expect(plain(line)).toBe(expected);
  });

  it.each(['f(x) and [y],z ( w )', '12 m², ½ l, Acme™, µg, №…', ''])('stays as it is: %s', (line) => {
    expect(plain(line)).toBe(line);
  });
});

describe('a line of Chinese or Japanese', () => {
  it.each([
    '上海（中国）有限公司，谢谢！',
    '电话：021-1234，传真：5678',
    'コーヒー（ホット）。',
    '发票（Invoice）号码',
  ])('keeps its punctuation: %s', (line) => {
    expect(plain(line)).toBe(line);
  });

  it('has plain figures and Latin letters', () => {
    expect(plain('１２月　ＡＢＣ株式会社（東京）')).toBe('12月　ABC株式会社（東京）');
  });
});

it('puts a space between the characters that it parts', () => {
  const spotted = [...'a（b'].map((text, at) => ({ text, at, confidence: 1, spaceBefore: 0 }));
  expect(plainCharacters(spotted).map(({ at }) => at)).toEqual([0, 0.5, 1, 2]);
});
