import { expect, it } from 'vitest';
import { requestIdMaker } from './request-id.ts';

it('makes ids of 24 hexadecimal digits, never twice, also over several draws', () => {
  const nextId = requestIdMaker();
  const ids = Array.from({ length: 2_000 }, nextId);
  for (const id of ids) expect(id).toMatch(/^req_[0-9a-f]{24}$/);
  expect(new Set(ids).size).toBe(ids.length);
});
