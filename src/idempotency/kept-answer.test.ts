import { describe, expect, it } from 'vitest';
import { openAnswer, sealAnswer } from './kept-answer.ts';
import { identityOf } from './request-identity.ts';

const naming = { stackId: 'shop', keyId: 'web', route: '/v1/x', name: 'n-1', contentHash: 'h' };
const answer = { status: 404, lines: 'content-type: text/plain\r\n', body: Buffer.from('not here') };

describe('a sealed answer', () => {
  it('is opened by who has the same Idempotency-Key', () => {
    expect(openAnswer(identityOf(naming), sealAnswer(identityOf(naming), answer))).toEqual(answer);
  });

  it.each([{ name: 'n-2' }, { stackId: 'other' }, { keyId: 'other' }, { route: '/v1/y' }])(
    'is not opened with %o',
    (other) => {
      const sealed = sealAnswer(identityOf(naming), answer);
      expect(() => openAnswer(identityOf({ ...naming, ...other }), sealed)).toThrow();
    },
  );

  it('is not opened when a byte was changed', () => {
    const sealed = sealAnswer(identityOf(naming), answer);
    sealed[20] = (sealed[20] ?? 0) ^ 1;
    expect(() => openAnswer(identityOf(naming), sealed)).toThrow();
  });
});

describe('the identity of a request', () => {
  it('has another fingerprint for other contents, and the same id', () => {
    const [one, other] = [identityOf(naming), identityOf({ ...naming, contentHash: 'i' })];
    expect(other.request.id).toBe(one.request.id);
    expect(other.request.fingerprint).not.toBe(one.request.fingerprint);
  });

  it('tells neither the key nor the contents', () => {
    const stored = JSON.stringify(identityOf({ ...naming, name: 'order-17' }).request);
    expect(stored).not.toMatch(/order-17|"h"/);
  });
});
