import { expect, it } from 'vitest';
import { makeDataFolder } from '../../testing/data-folder.ts';
import { asSpaceProblem, freeBytes } from './disk-space.ts';
import { ModelTooLarge } from './fetch-failures.ts';

it('asks the operating system what is free', async () => {
  expect(await freeBytes(makeDataFolder())).toBeGreaterThan(0);
});

it('tells a disk that became full from other errors', () => {
  const target = { folder: '/data/models', modelName: 'tiny' };
  const full = Object.assign(new Error('write'), { code: 'ENOSPC' });
  expect(asSpaceProblem(full, target)).toBeInstanceOf(ModelTooLarge);
  const other = Object.assign(new Error('write'), { code: 'EIO' });
  expect(asSpaceProblem(other, target)).toBe(other);
});
