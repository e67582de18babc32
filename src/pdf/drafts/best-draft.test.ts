import { expect, it } from 'vitest';
import { HeldClock } from '../../../testing/held-clock.ts';
import { Fault } from '../../faults/fault.ts';
import { bestDraft, type DraftOrder, type DraftSampling } from './best-draft.ts';

const page = (text: string) => `<!DOCTYPE html><html><body>${text}</body></html>`;
const COMPLETE = page('Zoë, Ben, 7 and 8');
const LACKS_ONE = page('Zoë, Ben and 7');
const LACKS_TWO = page('Zoë and Ben');

/** Writes these drafts, one after the other; an error is thrown. */
async function written(drafts: readonly (string | Error)[], changes: Partial<DraftOrder> = {}) {
  const asked: DraftSampling[] = [];
  const html = await bestDraft({
    instruction: 'A card for Zoë and Ben: 7 and 8',
    most: 3,
    write: async (sampling) => {
      const draft = drafts[asked.push(sampling) - 1] ?? new Error('not expected');
      if (draft instanceof Error) throw draft;
      return draft;
    },
    clock: new HeldClock(),
    signal: new AbortController().signal,
    ...changes,
  });
  return { html, asked };
}

it('a draft without faults is the only one, sampled as usual', async () => {
  expect(await written([COMPLETE])).toEqual({ html: COMPLETE, asked: [{}] });
});

it('drafts are written until one has no faults, each in another way, but always the same', async () => {
  const { html, asked } = await written([LACKS_TWO, LACKS_ONE, COMPLETE]);
  expect(html).toBe(COMPLETE);
  const mostTokens = 1_000;
  expect(asked).toEqual([{}, { isSaidTwice: true, mostTokens }, { temperature: 1, seed: 1, mostTokens }]);
  expect((await written([LACKS_ONE, COMPLETE])).asked).toHaveLength(2);
});

it('a later draft may be some three times as long as the first', async () => {
  const long = page('Zoë'.padEnd(2_000, '.'));
  const { asked } = await written([long, COMPLETE]);
  expect(asked[1]?.mostTokens).toBe(long.length);
});

it('of drafts with faults the one with the fewest is taken, and of equal ones the first', async () => {
  expect((await written([LACKS_TWO, LACKS_ONE, LACKS_TWO])).html).toBe(LACKS_ONE);
  const other = page('Ben, Zoë and 7');
  expect((await written([LACKS_ONE, other, LACKS_TWO])).html).toBe(LACKS_ONE);
});

it('saying something twice is better than saying something false', async () => {
  const twice = page('Zoë, Ben, <table><tr><td>7</td><td>7</td></tr><tr><td>8</td><td>8</td></tr></table>');
  const invented = page('Zoë, Ben, 7, 8 and 9');
  expect((await written([invented, twice, LACKS_ONE])).html).toBe(twice);
});

it('a document that lacks facts is better than none', async () => {
  expect((await written(['Zoë, Ben, 7 and 8', LACKS_TWO, 'Zoë'])).html).toBe(LACKS_TWO);
});

it('an engine that may write once does', async () => {
  expect(await written([LACKS_TWO], { most: 1 })).toEqual({ html: LACKS_TWO, asked: [{}] });
});

it('a later draft that cannot be written leaves the one before', async () => {
  const full = new Fault('engine-failed', 'no');
  expect((await written([LACKS_TWO, LACKS_ONE, full])).html).toBe(LACKS_ONE);
  expect((await written([LACKS_TWO, full, COMPLETE])).html).toBe(COMPLETE);
  expect((await written([LACKS_TWO, full, full])).html).toBe(LACKS_TWO);
  await expect(written([full])).rejects.toBe(full);
  await expect(written([LACKS_TWO, new Error('a bug')])).rejects.toThrow('a bug');
});

it('ends with a caller who leaves', async () => {
  const leaving = new AbortController();
  const write = async ({ isSaidTwice = false }: DraftSampling) => {
    if (!isSaidTwice) return LACKS_TWO;
    leaving.abort(new Error('left'));
    throw new Fault('engine-failed', 'stopped');
  };
  await expect(written([], { write, signal: leaving.signal })).rejects.toThrow('left');
});

it('begins no draft when a minute has gone', async () => {
  const clock = new HeldClock();
  const asked: DraftSampling[] = [];
  const write = async (sampling: DraftSampling) => {
    asked.push(sampling);
    clock.advance(30_000);
    return LACKS_TWO;
  };
  await written([], { write, clock });
  expect(asked).toHaveLength(2);
});
