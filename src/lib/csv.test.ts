import { expect, it } from 'vitest';
import { csv } from './csv.ts';

it('quotes separators and line breaks, and prevents formulas', () => {
  const rows = [
    { name: 'a,b', value: '1' },
    { name: 'say "hi"\nthere', value: '-2.5' },
    { name: '=SUM(A1)', value: '' },
  ];
  expect(csv(rows)).toBe('name,value\r\n"a,b",1\r\n"say ""hi""\nthere",-2.5\r\n\'=SUM(A1),\r\n');
  expect(csv([])).toBe('');
});
