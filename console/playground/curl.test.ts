import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asCurl } from './curl.ts';

/** The words of a command as a POSIX shell reads them, without expansion. */
function shellWords(command: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < command.length; at += 1) {
    const character = command[at] ?? '';
    if (character === '\\' && command[at + 1] === '\n') at += 1;
    else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (character === "'" || character === '"') {
      const end = command.indexOf(character, at + 1);
      word = (word ?? '') + command.slice(at + 1, end);
      at = end;
    } else if (character === '\\') {
      at += 1;
      word = (word ?? '') + (command[at] ?? '');
    } else word = (word ?? '') + character;
  }
  return word === undefined ? words : [...words, word];
}

const valuesOf = (words: readonly string[], option: string) =>
  words.flatMap((word, index) => (word === option ? [words[index + 1]] : []));

describe('the command', () => {
  it('sends exactly the body, whatever is in it', () => {
    fc.assert(
      fc.property(fc.json(), fc.string({ unit: 'grapheme' }), (json, prompt) => {
        for (const body of [json, JSON.stringify({ prompt: `${prompt}'s "$HOME" \`x\` \\` })]) {
          const words = shellWords(asCurl({ path: '/v1/chat/completions', body }, 'http://localhost:8080'));
          expect(words.slice(0, 2)).toEqual(['curl', 'http://localhost:8080/v1/chat/completions']);
          expect(valuesOf(words, '-d')).toEqual([body]);
          expect(valuesOf(words, '-H')).toEqual([
            'Authorization: Bearer $STACKGATE_KEY',
            'Content-Type: application/json',
          ]);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('sends texts of a form as they are, also where curl would take them for files', () => {
    const words = shellWords(
      asCurl(
        {
          path: '/v1/documents/extract',
          form: [
            { name: 'file', file: 'it"s me.pdf' },
            { name: 'user', text: '@home <b>' },
          ],
        },
        'https://gate.example',
      ),
    );
    expect(valuesOf(words, '-F')).toEqual(['file=@"it\\"s me.pdf"']);
    expect(valuesOf(words, '--form-string')).toEqual(['user=@home <b>']);
  });

  it('names the method only where curl would choose another', () => {
    expect(asCurl({ path: '/v1/models' }, 'http://a')).not.toContain('-X');
    expect(asCurl({ path: '/v1/knowledge/doc_1', method: 'DELETE' }, 'http://a')).toContain('-X DELETE');
    expect(
      asCurl({ path: '/v1/documents/generate', body: '{}', output: 'document.pdf' }, 'http://a'),
    ).toContain('-o document.pdf');
  });
});
