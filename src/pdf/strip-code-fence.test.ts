import { expect, it } from 'vitest';
import { stripCodeFence } from './strip-code-fence.ts';

const html = '<!DOCTYPE html>\n<p>Hi</p>';

it.each([
  ['bare HTML', html],
  ['HTML with space around it', `\n\n${html}\n `],
  ['a fence with a language', `\`\`\`html\n${html}\n\`\`\``],
  ['a fence without one', `\`\`\`\n${html}\n\`\`\`\n`],
  ['a fence of tildes', `~~~html\n${html}\n~~~`],
  ['a longer fence', `\`\`\`\`html\n${html}\n\`\`\`\``],
  ['lines that end as on Windows', `\`\`\`html\r\n${html}\r\n\`\`\``],
  ['a fence that is never closed', `\`\`\`html\n${html}`],
  ['words around the fence', `Here is the document:\n\n\`\`\`html\n${html}\n\`\`\`\nEnjoy!`],
])('finds the HTML in %s', (_name, answer) => {
  expect(stripCodeFence(answer)).toBe(html);
});

it('leaves a fence that is a part of the document', () => {
  const tutorial = '<pre>\n```html\n<b>\n```\n</pre>';
  expect(stripCodeFence(tutorial)).toBe(tutorial);
  expect(stripCodeFence(`\`\`\`html\n${tutorial}\n\`\`\``)).toBe(tutorial);
});

it('returns an empty text for an empty answer', () => {
  expect(stripCodeFence('')).toBe('');
  expect(stripCodeFence(' \n')).toBe('');
  expect(stripCodeFence('```html\n```')).toBe('');
});
