import { expect, it } from 'vitest';
import { launchLadder, NOBODY } from './launch-ladder.ts';

it('begins with the sandbox and gives it up last', () => {
  expect(launchLadder('/opt/browser', false).map(({ name }) => name)).toEqual([
    'sandbox, own network namespace',
    'sandbox',
    'no sandbox, own network namespace',
    'no sandbox',
  ]);
});

it('never starts as root what could start as nobody', () => {
  const ladder = launchLadder('/opt/browser', true);
  expect(ladder.map(({ userId }) => userId)).toEqual([NOBODY, NOBODY, NOBODY, NOBODY, undefined]);
  expect(launchLadder('/opt/browser', false).every(({ userId }) => userId === undefined)).toBe(true);
});

it('says --no-sandbox on the rungs that are named so, and on no other', () => {
  for (const { name, args } of launchLadder('/opt/browser', true)) {
    expect(args.includes('--no-sandbox'), name).toBe(name.startsWith('no sandbox'));
  }
});
