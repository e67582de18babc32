import { describe, expect, test } from 'vitest';
import { licencesDocs, lockedPackages } from './licences-docs.ts';

/** Licences that were read and that ask for nothing this project does not do. */
const ACCEPTED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'LGPL-3.0-or-later',
  'MIT',
  'OFL-1.1',
]);

describe('docs/licences.md', () => {
  test('is what the lock file says', async () => {
    await expect(licencesDocs()).toMatchFileSnapshot('../../docs/licences.md');
  });

  test('has no unreviewed licence', () => {
    const unknown = lockedPackages().filter(({ licence }) =>
      licence
        .replaceAll(/[()]/gu, '')
        .split(/ AND | OR /u)
        .some((part) => !ACCEPTED.has(part)),
    );
    expect(unknown).toEqual([]);
  });

  test('tells of every package that the gateway asks for', () => {
    expect(
      lockedPackages()
        .filter(({ direct }) => direct)
        .map(({ name }) => name),
    ).toEqual(expect.arrayContaining(['find-my-way', 'pg', 'sharp']));
  });
});
