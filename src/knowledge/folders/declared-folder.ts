import { stat } from 'node:fs/promises';
import { sep } from 'node:path';
import type { DeclaredStack, KnowledgeSource } from '../../config/config.ts';
import { uniqueEnds } from '../../lib/unique-ends.ts';
import { wallClock } from '../../lib/wall-clock.ts';
import { BucketFolder } from './bucket-folder.ts';
import { DiskFolder } from './disk-folder.ts';
import type { KnowledgeFolder } from './knowledge-folder.ts';

/** A folder or bucket that a stack has its documents from. */
export interface DeclaredFolder {
  readonly stackId: string;
  readonly source: KnowledgeSource;
  /** The names of its documents begin with it and a slash. */
  readonly rootName: string;
}

/** The folders and buckets of stacks; everything else of their knowledge is a file. */
export async function declaredFolders(
  stacks: readonly Pick<DeclaredStack, 'id' | 'knowledge'>[],
): Promise<readonly DeclaredFolder[]> {
  const folders: DeclaredFolder[] = [];
  for (const { id, knowledge } of stacks) {
    const sources = new Map<string, KnowledgeSource>();
    for (const source of knowledge) if (await isFolder(source)) sources.set(source.source, source);
    const ends = uniqueEnds([...sources.values()].map(placeOf), sep);
    for (const source of sources.values())
      folders.push({ stackId: id, source, rootName: ends.get(placeOf(source)) ?? '' });
  }
  return folders;
}

/** Opens a folder; nothing is read yet. */
export async function openFolder({ source }: DeclaredFolder): Promise<KnowledgeFolder> {
  if (source.kind === 'bucket') return await BucketFolder.open(source.bucket);
  return new DiskFolder(source.path, wallClock);
}

async function isFolder(source: KnowledgeSource): Promise<boolean> {
  if (source.kind === 'bucket' || source.isFolder) return true;
  return await stat(source.path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

function placeOf(source: KnowledgeSource): string {
  return source.kind === 'path' ? source.path : source.source.replaceAll('/', sep);
}
