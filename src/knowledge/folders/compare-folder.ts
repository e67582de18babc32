import type { KnowledgeDocument } from '../knowledge-document.ts';
import type { FolderFile, FolderListing } from './knowledge-folder.ts';

type Known = Pick<KnowledgeDocument, 'name' | 'fileMark'>;

/** Compares a folder with the documents that came from it: files that may have other content, documents without a file. */
export function compareFolder<Document extends Known>(
  { files, unread, isCut }: FolderListing,
  documents: readonly Document[],
  rootName: string,
): { readonly changed: readonly FolderFile[]; readonly gone: readonly Document[] } {
  const marks = new Map(documents.map(({ name, fileMark }) => [name, fileMark]));
  const listed = new Set(files.map(({ path }) => nameOf(rootName, path)));
  const hidden = [...unread.keys()].map((path) => nameOf(rootName, path));
  const isHidden = (name: string) => hidden.some((start) => name === start || name.startsWith(`${start}/`));
  return {
    changed: files.filter(({ path, mark }) => marks.get(nameOf(rootName, path)) !== mark),
    // A listing that is not complete proves nothing gone.
    gone: isCut ? [] : documents.filter(({ name }) => !listed.has(name) && !isHidden(name)),
  };
}

/** The document's name of a file. */
export function nameOf(rootName: string, path: string): string {
  return rootName === '' ? path : `${rootName}/${path}`;
}
