import { expect, it } from 'vitest';
import { UpstreamCall } from './upstream-call.ts';

const request = { method: 'POST', path: '/', body: undefined, timeoutMs: 1_000 } as const;
const ignored = { onHead: () => {}, onBytes: () => {}, onEnd: () => {}, onFailure: () => {} };

it.each([true, false])('that is answered is dropped only while it is being sent: %s', (isSending) => {
  const dropped: UpstreamCall[] = [];
  const call = new UpstreamCall(request, ignored, 1_000);
  call.heldBy({ drop: (one) => dropped.push(one), setFlowing: () => {}, isSending });
  call.release(500);
  expect(dropped).toEqual(isSending ? [call] : []);
  expect(call.isOver).toBe(isSending);
});
