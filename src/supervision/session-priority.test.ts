import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { lowerSession } from './session-priority.ts';

const CHILD = 42;
let groups: Map<number | 'self', string>;
let refusals: (string | undefined)[];

beforeEach(() => {
  vi.useFakeTimers();
  groups = new Map<number | 'self', string>([
    ['self', '/autogroup-7 nice 2\n'],
    [CHILD, '/autogroup-9 nice 0\n'],
  ]);
  refusals = [];
});

afterEach(() => {
  vi.useRealTimers();
});

const files = {
  read(id: number | 'self'): string {
    const group = groups.get(id);
    if (group === undefined) throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
    return group;
  },
  write(id: number, niceness: number): void {
    const code = refusals.shift();
    if (code !== undefined) throw Object.assign(new Error(code), { code });
    groups.set(id, `written ${niceness}`);
  },
};

function lower(): void {
  lowerSession(CHILD, (own) => own + 5, files);
}

it('lowers the session of a child below that of this process', () => {
  lower();
  expect(groups.get(CHILD)).toBe('written 7');
});

it('leaves a child in the session of this process alone', () => {
  groups.set(CHILD, '/autogroup-7 nice 2\n');
  lower();
  expect(groups.get(CHILD)).toBe('/autogroup-7 nice 2\n');
});

it('tries again after the kernel asked to wait', () => {
  refusals = ['EAGAIN', 'EAGAIN'];
  lower();
  vi.advanceTimersByTime(200);
  expect(groups.get(CHILD)).toBe('/autogroup-9 nice 0\n');
  vi.advanceTimersByTime(200);
  expect(groups.get(CHILD)).toBe('written 7');
});

it('gives up after a while', () => {
  refusals = new Array<string>(100).fill('EAGAIN');
  lower();
  vi.runAllTimers();
  expect(refusals).toHaveLength(80);
});

it('does not try again without permission', () => {
  refusals = ['EPERM'];
  lower();
  expect(vi.getTimerCount()).toBe(0);
});

it('does nothing for a process that is gone, or on a kernel without sessions of this kind', () => {
  groups.delete(CHILD);
  lower();
  groups.clear();
  lower();
  expect(vi.getTimerCount()).toBe(0);
});
