import { readFile, stat } from 'node:fs/promises';
import { sep } from 'node:path';
import type { DeclaredStack } from '../config/config.ts';
import { Fault } from '../faults/fault.ts';
import type { KnowledgeStore } from '../knowledge/knowledge-store.ts';
import { type KnowledgeService, MAX_DOCUMENT_BYTES } from '../knowledge/service/knowledge-service.ts';
import { errorCode } from '../lib/error-code.ts';

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
}

/**
 * Applies the declared knowledge: a file with changed bytes is queued, a document without its file is removed. If a file is
 * rejected, its document stays unchanged.
 */
export async function applyDeclaredKnowledge(
  stacks: readonly DeclaredStack[],
  { store, service, refused, signal }: DeclaredKnowledge,
): Promise<void> {
  const files = stacks.flatMap(({ id, knowledge }) => declaredFiles(id, knowledge));
  for (const document of await store.listDeclared()) {
    const isDeclared = files.some(
      ({ stackId, name }) => stackId === document.stackId && name === document.name,
    );
    if (!isDeclared) await store.remove(document.stackId, document.id);
  }
  for (const file of files) {
    signal.throwIfAborted();
    try {
      const bytes = await readDeclared(file.path, signal);
      await service.add(file.stackId, [{ name: file.name, bytes }], { declared: true, signal });
    } catch (error) {
      signal.throwIfAborted();
      refused(file, reasonOf(error));
    }
  }
}

/** The files of a stack, each named by the shortest path suffix that is unique. */
export function declaredFiles(stackId: string, paths: readonly string[]): readonly DeclaredFile[] {
  const distinct = [...new Set(paths)];
  return distinct.map((path) => {
    const segments = path.split(sep);
    for (let length = 1; ; length++) {
      const name = segments.slice(-length).join('/');
      const isOwn = distinct.every((other) => other === path || endOf(other, length) !== name);
      if (isOwn || length >= segments.length) return { stackId, name, path };
    }
  });
}

function endOf(path: string, length: number): string {
  return path.split(sep).slice(-length).join('/');
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
