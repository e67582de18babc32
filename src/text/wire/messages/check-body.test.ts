import { expect, it } from 'vitest';
import { checkCount, checkRequest } from './check-body.ts';

const good = { role: 'user', content: 'Hi' };
/** A value that throws when it is read. */
const untouchable = new Proxy(
  {},
  {
    get: () => {
      throw new Error('it was looked at');
    },
  },
);

it.each([
  ['messages[0].role', { messages: [{}, untouchable] }],
  ['messages[1].content', { messages: [good, { role: 'user', content: [1] }, untouchable] }],
  ['tools[0]', { messages: [good], tools: [1, untouchable] }],
  ['system', { messages: [untouchable], system: [1] }],
])('stops at the first fault, %s, and reads nothing after it', (param, body) => {
  expect(() => checkCount(body)).toThrow(expect.objectContaining({ code: 'invalid-request', param }));
  expect(() => checkRequest({ model: 'any', ...body })).toThrow(expect.objectContaining({ param }));
});

it('returns the same body', () => {
  const body = { model: 'any', messages: [good], newer: { field: 1 } };
  expect(checkRequest(body)).toBe(body);
  expect(checkCount(body)).toBe(body);
});
