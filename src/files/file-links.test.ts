import { describe, expect, it } from 'vitest';
import { Fault } from '../faults/fault.ts';
import { type CalledLink, FileLinks, type LinkGrant } from './file-links.ts';

const HOUR_MS = 3_600_000;
const grant: LinkGrant = { method: 'GET', id: 'file_1', stackId: 'shop', keyId: 'web' };
let nowMs = Date.parse('2026-11-18T10:00:00Z');
const clock = { nowMs: () => nowMs };
const secret = async () => Buffer.from('one secret');
const links = new FileLinks({ secret, clock });

async function called(made = grant, by = links): Promise<CalledLink> {
  const { path } = await by.sign(made);
  const { pathname, searchParams } = new URL(path, 'http://gateway.test');
  const id = pathname.slice('/files/'.length);
  return { method: made.method, id, exp: searchParams.get('exp'), sig: searchParams.get('sig') };
}

describe('a link', () => {
  it('allows what it was made for, on every replica, for an hour', async () => {
    const link = await called();
    const replica = new FileLinks({ secret, clock });
    expect(await replica.verify(link)).toEqual(grant);
    expect((await links.sign(grant)).expiresAt.getTime()).toBe(nowMs + HOUR_MS);
    nowMs += HOUR_MS - 1;
    expect(await links.verify(link)).toEqual(grant);
    nowMs += 1;
    expect(await refusal(links.verify(link))).toContain('is over');
  });

  it.each<readonly [string, (link: CalledLink) => Partial<CalledLink>]>([
    ['another method', () => ({ method: 'PUT' })],
    ['a method that no link has', () => ({ method: 'DELETE' })],
    ['another file', () => ({ id: 'file_2' })],
    ['a later end', ({ exp }) => ({ exp: String(Number(exp) + 1) })],
    ['no end', () => ({ exp: null })],
    ['an end that is no number', () => ({ exp: '1e99' })],
    ['another stack', ({ sig }) => ({ sig: String(sig).replace('shop.', 'other.') })],
    ['another key', ({ sig }) => ({ sig: String(sig).replace('.web.', '.app.') })],
    ['a changed code', ({ sig }) => ({ sig: String(sig).replace(/\w{4}$/, 'AAAA') })],
    ['a cut code', ({ sig }) => ({ sig: String(sig).slice(0, -1) })],
    ['a code of other characters', () => ({ sig: `shop.web.${'€'.repeat(43)}` })],
    ['no signature', () => ({ sig: null })],
  ])('is refused with %s', async (_what, change) => {
    const link = await called();
    expect(await refusal(links.verify({ ...link, ...change(link) }))).toContain('does not fit');
  });

  it('is refused where another secret made it', async () => {
    const others = new FileLinks({ secret: async () => Buffer.from('another'), clock });
    expect(await refusal(links.verify(await called(grant, others)))).toContain('does not fit');
  });
});

async function refusal(work: Promise<unknown>): Promise<string> {
  const thrown = await work.catch((error: unknown) => error);
  if (!(thrown instanceof Fault) || thrown.code !== 'link-refused') throw new Error(`not refused: ${thrown}`);
  return thrown.message;
}
