import { expect, it } from 'vitest';
import { RequestRing, RING_CAPACITY } from './request-ring.ts';

const request = {
  sequence: 0,
  atMs: 0,
  id: 'req_1',
  stack: 'shop',
  key: 'web',
  endpoint: '/v1/chat/completions',
  model: 'tiny',
  status: 200,
  errorCode: undefined,
  inputTokens: 3,
  outputTokens: 4,
  firstTokenMs: 5,
  durationMs: 6,
  streamed: true,
};

it('remembers the last requests, oldest first', () => {
  const ring = new RequestRing();
  for (let each = 0; each < RING_CAPACITY + 5; each++) ring.add({ ...request });
  const all = ring.after(0);
  expect(all).toHaveLength(RING_CAPACITY);
  expect([all[0]?.sequence, all.at(-1)?.sequence]).toEqual([6, RING_CAPACITY + 5]);
  expect(ring.after(RING_CAPACITY + 3).map(({ sequence }) => sequence)).toEqual([
    RING_CAPACITY + 4,
    RING_CAPACITY + 5,
  ]);
  expect(ring.after(0, 1)).toHaveLength(1);
});

it('tells watchers of the next request, and forgets those who left', async () => {
  const ring = new RequestRing();
  const leaving = new AbortController();
  const left = ring.whenAfter(0, leaving.signal);
  leaving.abort();
  await left;
  const next = ring.whenAfter(0, new AbortController().signal);
  ring.add({ ...request });
  await next;
  expect(ring.after(0)).toMatchObject([{ ...request, sequence: 1, atMs: expect.any(Number) }]);
});

it('sums up the last minute, of all and of one stack', () => {
  const ring = new RequestRing();
  ring.add({ ...request });
  ring.add({ ...request, stack: 'depot', status: 503 });
  expect(ring.lastMinute()).toEqual({ requests: 2, errors: 1, tokens: 14 });
  expect(ring.lastMinuteOf('shop')).toEqual({ requests: 1, errors: 0, tokens: 7 });
});
