import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { errorCode, hasErrorCode } from './error-code.ts';

it('tells the code of an error that has one', async () => {
  const missing: unknown = await readFile('/no/such/file').catch((error: unknown) => error);
  expect(errorCode(missing)).toBe('ENOENT');
  expect(hasErrorCode(missing, 'EACCES', 'ENOENT')).toBe(true);
  expect(hasErrorCode(missing, 'EACCES')).toBe(false);
});

it.each([
  ['an error without a code', new Error('x')],
  ['a code that is a number', Object.assign(new Error('x'), { code: 20 })],
  ['what is no error', { code: 'ENOENT' }],
  ['nothing', undefined],
])('has none for %s', (_what, thrown) => {
  expect(errorCode(thrown)).toBeUndefined();
  expect(hasErrorCode(thrown, 'ENOENT')).toBe(false);
});
