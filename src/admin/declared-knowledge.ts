import { readFile, stat } from 'node:fs/promises';
import { sep } from 'node:path';
import type { DeclaredStack, PathSource } from '../config/config.ts';
import { Fault } from '../faults/fault.ts';
import type { DeclaredFolder } from '../knowledge/folders/declared-folder.ts';
import type { KnowledgeStore } from '../knowledge/knowledge-store.ts';
import { type KnowledgeService, MAX_DOCUMENT_BYTES } from '../knowledge/service/knowledge-service.ts';
import { errorCode } from '../lib/error-code.ts';
import { uniqueEnds } from '../lib/unique-ends.ts';

export interface DeclaredKnowledge {
  readonly store: Pick<KnowledgeStore, 'listDeclared' | 'remove'>;
  readonly service: Pick<KnowledgeService, 'add'>;
  /** Called with each rejected file and the reason. */
  readonly refused: (file: DeclaredFile, reason: string) => void;
  readonly signal: AbortSignal;
}

/** A file of the configuration and its document. */
export interface DeclaredFile {
  readonly stackId: string;
  readonly name: string;
  readonly path: string;
  /** Its entry in the configuration. */
  readonly source: string;
}

/**
 * Applies the declared files: one with changed bytes is queued. If a file is rejected, its document stays unchanged. Documents
 * whose file, folder or bucket is not declared any more are removed.
 */
export async function applyDeclaredKnowledge(
  stacks: readonly Pick<DeclaredStack, 'id' | 'knowledge'>[],
  folders: readonly DeclaredFolder[],
  { store, service, refused, signal }: DeclaredKnowledge,
): Promise<void> {
  const watched = new Set(folders.map(({ stackId, source }) => keyOf(stackId, source.source)));
  const files = stacks.flatMap(({ id, knowledge }) => {
    const paths = knowledge.filter((source) => source.kind === 'path');
    return declaredFiles(
      id,
      paths.filter(({ source }) => !watched.has(keyOf(id, source))),
    );
  });
  await removeUndeclared(files, watched, store);
  for (const file of files) {
    signal.throwIfAborted();
    try {
      const bytes = await readDeclared(file.path, signal);
      await service.add(file.stackId, [{ name: file.name, bytes }], { source: file.source, signal });
    } catch (error) {
      signal.throwIfAborted();
      refused(file, reasonOf(error));
    }
  }
}

async function removeUndeclared(
  files: readonly DeclaredFile[],
  watched: ReadonlySet<string>,
  store: DeclaredKnowledge['store'],
): Promise<void> {
  // A path that is not there may be a folder that will be back.
  const missing = new Set<string>();
  for (const { stackId, source, path } of files)
    if (!(await isThere(path))) missing.add(keyOf(stackId, source));
  const sources = new Map(files.map(({ stackId, name, source }) => [keyOf(stackId, name), source]));
  for (const { id, stackId, name, source } of await store.listDeclared()) {
    const sourceOfName = sources.get(keyOf(stackId, name));
    // Documents of older versions have no source.
    const isDeclared =
      source === undefined
        ? sourceOfName !== undefined
        : watched.has(keyOf(stackId, source)) ||
          missing.has(keyOf(stackId, source)) ||
          sourceOfName === source;
    if (!isDeclared) await store.remove(stackId, id);
  }
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** The files of a stack, each named by the shortest path suffix that is unique. */
export function declaredFiles(
  stackId: string,
  sources: readonly Pick<PathSource, 'path' | 'source'>[],
): readonly DeclaredFile[] {
  const names = uniqueEnds(
    sources.map(({ path }) => path),
    sep,
  );
  const distinct = new Map(sources.map(({ path, source }) => [path, source]));
  return [...distinct].map(([path, source]) => ({ stackId, name: names.get(path) ?? path, path, source }));
}

function keyOf(stackId: string, text: string): string {
  return `${stackId} ${text}`;
}

async function readDeclared(path: string, signal: AbortSignal): Promise<Buffer> {
  const { size } = await stat(path);
  if (size > MAX_DOCUMENT_BYTES) {
    throw new Fault('document-too-large', `It has ${size} bytes; at most ${MAX_DOCUMENT_BYTES} are taken.`);
  }
  return await readFile(path, { signal });
}

function reasonOf(error: unknown): string {
  if (error instanceof Fault) return ownersNote[error.code] ?? error.message;
  return errorCode(error) ?? String(error);
}

const ownersNote: Readonly<Record<string, string>> = {
  'document-declared':
    'The stack has a document of this name that was made by other means: remove that one first.',
};
