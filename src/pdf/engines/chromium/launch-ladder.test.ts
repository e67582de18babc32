import { expect, it } from 'vitest';
import { launchLadder, NOBODY } from './launch-ladder.ts';

const asRoot = { isRoot: true, sandbox: 'preferred' } as const;
const asUser = { isRoot: false, sandbox: 'preferred' } as const;

it('begins with the sandbox and gives it up last', () => {
  expect(launchLadder('/opt/browser', asUser).map(({ name }) => name)).toEqual([
    'sandbox, own network namespace',
    'sandbox',
    'no sandbox, own network namespace',
    'no sandbox',
  ]);
});

it('starts as root only if no other user works', () => {
  const ladder = launchLadder('/opt/browser', asRoot);
  expect(ladder.map(({ userId }) => userId)).toEqual([NOBODY, NOBODY, NOBODY, NOBODY, undefined]);
  expect(launchLadder('/opt/browser', asUser).every(({ userId }) => userId === undefined)).toBe(true);
});

it('says --no-sandbox on the rungs that are named so, and on no other', () => {
  for (const { name, isSandboxed, args } of launchLadder('/opt/browser', asRoot)) {
    expect(args.includes('--no-sandbox'), name).toBe(name.startsWith('no sandbox'));
    expect(isSandboxed, name).toBe(!name.startsWith('no sandbox'));
  }
});

it('has no rung without the sandbox where that is required', () => {
  for (const isRoot of [false, true]) {
    const ladder = launchLadder('/opt/browser', { isRoot, sandbox: 'required' });
    expect(ladder.map(({ name }) => name)).toEqual(['sandbox, own network namespace', 'sandbox']);
    expect(ladder.some(({ args }) => args.includes('--no-sandbox'))).toBe(false);
  }
});
