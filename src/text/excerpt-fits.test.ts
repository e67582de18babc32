import { expect, test } from 'vitest';
import { conversation } from '../../testing/text/conversations.ts';
import { FakeTextEngine } from '../../testing/text/fake-text-engine.ts';
import { excerptFits } from './excerpt-fits.ts';

const signal = new AbortController().signal;

test.each([
  [16_384, 2_048],
  [200_000, 4_096],
  [undefined, 2_048],
])('of a window of %s tokens an excerpt may take %i', async (window, most) => {
  const engine = new FakeTextEngine();
  const fits = excerptFits({
    engine,
    window,
    conversation: conversation(),
    cacheScope: 'scope',
    signal,
    stackId: 'shop',
  });
  const text = 'x'.repeat(20_000);
  engine.tokens = most;
  expect(await fits(text)).toBe(true);
  engine.tokens = most + 1;
  expect(await fits(text)).toBe(false);
});

test('a short excerpt is not counted, and a count is of the excerpt alone', async () => {
  const engine = new FakeTextEngine();
  const long = conversation({ system: 'long'.repeat(10_000) });
  const fits = excerptFits({
    engine,
    window: 16_384,
    conversation: long,
    cacheScope: 'scope',
    signal,
    stackId: 'shop',
  });
  expect(await fits('short')).toBe(true);
  expect(engine.counted).toHaveLength(0);
  await fits('x'.repeat(2_000));
  expect(engine.counted).toMatchObject([{ system: 'x'.repeat(2_000), tools: [], cacheScope: 'scope' }]);
});
