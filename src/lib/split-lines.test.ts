import { expect, it } from 'vitest';
import { splitLines } from './split-lines.ts';

async function split(...chunks: readonly (string | Buffer)[]): Promise<readonly string[]> {
  async function* content() {
    for (const chunk of chunks) yield Buffer.from(chunk);
  }
  const lines: string[] = [];
  for await (const line of splitLines(content())) lines.push(line);
  return lines;
}

it('splits at line feeds, wherever the chunks end', async () => {
  expect(await split('a', 'b\nc', '\n', '\nd')).toEqual(['ab', 'c', '', 'd']);
  expect(await split('a\n')).toEqual(['a']);
  expect(await split()).toEqual([]);
});

it('does not split at other ends of lines', async () => {
  expect(await split('a\rb\u2028c\u2029d\r\n')).toEqual(['a\rb\u2028c\u2029d\r']);
});

it('joins a character that two chunks share', async () => {
  const fox = Buffer.from('🦊\n');
  expect(await split(fox.subarray(0, 2), fox.subarray(2))).toEqual(['🦊']);
});

it('fails when its input fails', async () => {
  async function* failing() {
    yield Buffer.from('a');
    throw new Error('cut');
  }
  await expect(splitLines(failing()).next()).rejects.toThrow('cut');
});
