import { expect, it } from 'vitest';
import { UpstreamExchange } from './upstream-exchange.ts';

const request = { method: 'POST', path: '/', body: undefined, timeoutMs: 1_000 } as const;
const nobody = { onHead: () => {}, onBytes: () => {}, onEnd: () => {}, onFailure: () => {} };

it.each([true, false])('that is answered is dropped only while it is being sent: %s', (isSending) => {
  const dropped: UpstreamExchange[] = [];
  const exchange = new UpstreamExchange(request, nobody, 1_000);
  exchange.heldBy({ drop: (one) => dropped.push(one), setFlowing: () => {}, isSending });
  exchange.release(500);
  expect(dropped).toEqual(isSending ? [exchange] : []);
  expect(exchange.isOver).toBe(isSending);
});
