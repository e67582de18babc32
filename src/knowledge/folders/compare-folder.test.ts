import { expect, it } from 'vitest';
import { compareFolder } from './compare-folder.ts';
import type { FolderListing } from './knowledge-folder.ts';

const file = (path: string, mark = '1') => ({ path, mark, sizeBytes: 1, isWaiting: false });
const document = (name: string) => ({ name, fileMark: '1' as string | undefined });

it('finds new and changed files, and documents without one', () => {
  const files = [file('same.md'), file('de/changed.md', '2'), file('new.md'), file('retried.md')];
  const documents = [
    document('docs/same.md'),
    document('docs/de/changed.md'),
    { name: 'docs/retried.md', fileMark: undefined },
    document('docs/gone.md'),
  ];
  const { changed, gone } = compare({ files }, documents);
  expect(changed.map(({ path }) => path)).toEqual(['de/changed.md', 'new.md', 'retried.md']);
  expect(gone.map(({ name }) => name)).toEqual(['docs/gone.md']);
});

it('takes nothing for gone that it could not look at', () => {
  const documents = [document('docs/de/a.md'), document('docs/b.md'), document('docs/de-at/c.md')];
  const unread = new Map([
    ['de', 'EACCES'],
    ['b.md', 'EIO'],
  ]);
  expect(compare({ unread }, documents).gone.map(({ name }) => name)).toEqual(['docs/de-at/c.md']);
  expect(compare({ isCut: true }, documents).gone).toEqual([]);
});

function compare(listing: Partial<FolderListing>, documents: readonly ReturnType<typeof document>[]) {
  return compareFolder({ files: [], unread: new Map(), isCut: false, ...listing }, documents, 'docs');
}
