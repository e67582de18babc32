import { expect, it } from 'vitest';
import { whenReachable } from './when-reachable.ts';

const never = new AbortController().signal;

it('begins work anew while the database is away, and tells so once', async () => {
  const told: string[] = [];
  let failures = 3;
  const work = async () => {
    if (failures-- > 0) throw new Error('Connection terminated unexpectedly');
    return 'done';
  };
  const announce = (message: string) => void told.push(message);
  expect(await whenReachable(work, { announce, signal: never, retryMs: 0 })).toBe('done');
  expect(told).toEqual(['waiting for the database: Connection terminated unexpectedly']);
});

it('does not repeat work that failed for another reason', async () => {
  const work = () => Promise.reject(new Error('the stack is refused'));
  const announce = () => {
    throw new Error('there is nothing to wait for');
  };
  await expect(whenReachable(work, { announce, signal: never })).rejects.toThrow('the stack is refused');
});
