import { describe, expect, it, test } from 'vitest';
import { faultOfStatus, UpstreamRefusal } from './engine-faults.ts';

const PROMPT = 'the patient has';

describe('an upstream refusal', () => {
  test.each([
    [
      `{"error":{"message":"cannot parse: ${PROMPT}","type":"server_error","code":500}}`,
      ' (server_error, 500)',
    ],
    [`{"object":"error","message":"${PROMPT}","type":"BadRequestError","code":null}`, ' (BadRequestError)'],
    [`{"error":{"type":"${PROMPT}","code":"${PROMPT}"}}`, ''],
    [`{"error":"${PROMPT}"}`, ''],
    [`<html>${PROMPT}</html>`, ''],
    ['', ''],
  ])('of %s tells the status and the names of the error, and nothing of its message', (text, names) => {
    expect(new UpstreamRefusal(500, text).message).toBe(`status 500${names}`);
  });

  it('is the cause of the fault, whatever the status', () => {
    for (const status of [400, 401, 404, 408, 413, 422, 429, 500, 502, 503, 504, 529]) {
      const { cause, message } = faultOfStatus({ status, retryAfterSeconds: undefined }, PROMPT);
      expect(String(cause)).toBe(`UpstreamRefusal: status ${status}`);
      expect(message).not.toContain(PROMPT);
    }
  });
});
