import { describe, expect, it } from 'vitest';
import type { Connection } from './query.ts';
import { requirePgvector } from './search-tables.ts';

const fields = [{ name: 'installed' }, { name: 'available' }];
const databaseWith = (...rows: readonly (readonly (string | null)[])[]): Connection => ({
  query: async () => ({ rows, fields, rowCount: rows.length }),
});

describe('pgvector', () => {
  it.each([
    ['0.8.0', [null, '0.8.0']],
    ['0.8.5', ['0.8.5', '0.9.0']],
    ['1.0.0', [null, '1.0.0']],
  ])('is good enough in version %s', async (version, row) => {
    expect(await requirePgvector(databaseWith(row))).toBe(version);
  });

  it.each([
    ['the database has no extension "vector"', 'Install pgvector 0.8', []],
    [
      'the extension "vector" is 0.7.4, which is too old',
      'alter extension vector update',
      [['0.7.4', '0.8.5']],
    ],
  ])('is missed: %s', async (message, remedy, rows) => {
    const required = requirePgvector(databaseWith(...rows));
    await expect(required).rejects.toMatchObject({ message, remedy: expect.stringContaining(remedy) });
  });
});
