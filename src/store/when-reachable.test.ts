import { expect, it } from 'vitest';
import { Fault } from '../faults/fault.ts';
import { whenReachable } from './when-reachable.ts';

const never = new AbortController().signal;

it('begins work anew while the database is away, and tells so once', async () => {
  const told: string[] = [];
  const failures = [
    new Error('Connection terminated unexpectedly'),
    new Fault('database-away', 'The gateway cannot reach its database at the moment.'),
    new Error('Connection terminated unexpectedly'),
  ];
  const work = async () => {
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
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
