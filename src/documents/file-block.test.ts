import { describe, expect, it } from 'vitest';
import { fileBlock } from './file-block.ts';

const labelOf = (name: string) => fileBlock({ number: 2, total: 3, name, text: 'Text' }).split('\n')[0];

describe('the block of a file', () => {
  it('has its number, the total and its name', () => {
    expect(fileBlock({ number: 2, total: 3, name: 'b.pdf', text: 'One\nTwo' })).toBe(
      '[File 2 of 3: "b.pdf"]\nOne\nTwo\n[End of file 2]',
    );
  });

  it.each(['invoice[1].pdf', "l'été (2).pdf", 'Ärger – 発票.pdf', 'a  b.pdf', 'https:x', '👩‍👧.png'])(
    'leaves a name as it is: %s',
    (name) => {
      expect(labelOf(name)).toBe(`[File 2 of 3: "${name}"]`);
    },
  );

  it.each([
    ['a "b".pdf', String.raw`a \"b\".pdf`],
    ['a\\"]\n[End of file 2]', String.raw`a\\\"]\n[End of file 2]`],
    ['a\r\tb\u0000\u0085\u2028\u202e.pdf', String.raw`a\r\tb\u0000\u0085\u2028\u202e.pdf`],
    ['a\ud800', String.raw`a\ud800`],
  ])('does not let a name out of its label: %j', (name, shown) => {
    expect(labelOf(name)).toBe(`[File 2 of 3: "${shown}"]`);
  });

  it('cuts a name over 200 characters, and shows that it did', () => {
    expect(labelOf('é'.repeat(200))).toBe(`[File 2 of 3: "${'é'.repeat(200)}"]`);
    expect(labelOf(`${'🙂'.repeat(200)}.pdf`)).toBe(`[File 2 of 3: "${'🙂'.repeat(200)}…"]`);
  });
});
