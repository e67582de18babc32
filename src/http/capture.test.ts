import { expect, it } from 'vitest';
import { Capture, MAX_BODY_BYTES } from './capture.ts';

const MAX_BYTES = 16 * 1024 * 1024;
const MAX_ENTRIES = 500;

const at = new Date('2026-01-02T03:04:05Z');
const terms = { id: 'capture', stackId: 'shop', keyId: 'web', by: 'ann', startedAt: at, endsAt: at };

/** A capture of so many requests with a body of this size. */
function captureOf(requests: number, bodyBytes: number): Capture {
  const capture = new Capture(terms);
  const body = Buffer.alloc(bodyBytes, 'x');
  for (let number = 0; number < requests; number += 1) {
    const head = { id: `req_${number}`, at, method: 'POST', endpoint: '/v1/chat/completions' };
    capture.open(head).noteRequest(body);
  }
  return capture;
}

it.each([
  ['its bytes', MAX_BODY_BYTES * 2, MAX_BYTES / MAX_BODY_BYTES],
  ['their number', 1, MAX_ENTRIES],
])('forgets the oldest requests over the bound of %s', (_bound, bodyBytes, most) => {
  expect(captureOf(most, bodyBytes)).toMatchObject({ requests: most, dropped: 0 });
  const over = captureOf(most + 2, bodyBytes);
  expect(over).toMatchObject({ requests: most, dropped: 2 });
  expect([over.entries.at(0)?.id, over.entries.at(-1)?.id]).toEqual([`req_${most + 1}`, 'req_2']);
});
