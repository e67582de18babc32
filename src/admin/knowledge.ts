import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Fault } from '../faults/fault.ts';
import type { KnowledgeDocument } from '../knowledge/knowledge-document.ts';
import { KnowledgeService, MAX_DOCUMENT_BYTES } from '../knowledge/service/knowledge-service.ts';
import { errorCode } from '../lib/error-code.ts';
import { type FolderState, SqlFolderBook } from '../store/sql-folder-book.ts';
import { SqlKnowledge } from '../store/sql-knowledge.ts';
import { OperatorError } from './operator-error.ts';
import type { OperatorStorage } from './operator-storage.ts';
import { showStack } from './stacks.ts';

const PAGE = 100;

/** Queues files as documents of a stack, named after their files; a single one may have another name. */
export async function addFiles(
  stackId: string,
  files: readonly string[],
  { storage, name }: { readonly storage: OperatorStorage; readonly name: string | undefined },
): Promise<readonly KnowledgeDocument[]> {
  await showStack(storage.pool, stackId);
  if (name !== undefined && files.length > 1)
    throw new OperatorError('--name goes with one file; several have the names of their files');
  const { service } = open(storage);
  const added: KnowledgeDocument[] = [];
  for (const path of files) {
    const source = { name: name ?? basename(path), bytes: await readDocument(path) };
    added.push(...(await refusing(service.add(stackId, [source], storage))));
  }
  return added;
}

export async function listDocuments(
  stackId: string,
  storage: OperatorStorage,
): Promise<readonly KnowledgeDocument[]> {
  await showStack(storage.pool, stackId);
  const { store } = open(storage);
  const all: KnowledgeDocument[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await store.list({ stackId, limit: PAGE, ...(cursor && { cursor }) });
    all.push(...page.documents);
    cursor = page.nextCursor;
    if (cursor === undefined) return all;
  }
}

/** The watched folders of a stack, or of all. */
export async function listFolders(
  stackId: string | undefined,
  { pool }: Pick<OperatorStorage, 'pool'>,
): Promise<readonly FolderState[]> {
  if (stackId !== undefined) await showStack(pool, stackId);
  return await new SqlFolderBook(pool).states(stackId);
}

/** Removes documents by id or name, with all their data. */
export async function removeDocuments(
  stackId: string,
  documents: readonly string[],
  storage: OperatorStorage,
): Promise<readonly KnowledgeDocument[]> {
  const { store, service } = open(storage);
  const chosen = await chosenDocuments(stackId, documents, storage);
  for (const { id } of chosen) await refusing(service.remove(stackId, id));
  await store.tidy(storage.signal);
  return chosen;
}

/** Indexes documents again: those given by id or name, or all. */
export async function reindexDocuments(
  stackId: string,
  documents: readonly string[],
  storage: OperatorStorage,
): Promise<readonly KnowledgeDocument[]> {
  const { service } = open(storage);
  const chosen =
    documents.length === 0
      ? await listDocuments(stackId, storage)
      : await chosenDocuments(stackId, documents, storage);
  return await Promise.all(chosen.map(({ id }) => refusing(service.reindex(stackId, id))));
}

async function chosenDocuments(
  stackId: string,
  documents: readonly string[],
  storage: OperatorStorage,
): Promise<readonly KnowledgeDocument[]> {
  await showStack(storage.pool, stackId);
  const { store } = open(storage);
  const chosen: KnowledgeDocument[] = [];
  for (const idOrName of documents) {
    const found = (await store.find(stackId, idOrName)) ?? (await store.findByName(stackId, idOrName));
    if (found === undefined)
      throw new OperatorError(
        `stack "${stackId}" has no document "${idOrName}"; "stackgate knowledge list ${stackId}" shows them`,
      );
    chosen.push(found);
  }
  return chosen;
}

async function readDocument(path: string): Promise<Buffer> {
  try {
    const { size } = await stat(path);
    if (size > MAX_DOCUMENT_BYTES)
      throw new OperatorError(`${path} has ${size} bytes; at most ${MAX_DOCUMENT_BYTES} are taken`);
    return await readFile(path);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    const code = errorCode(error) ?? String(error);
    throw new OperatorError(`${path} cannot be read: ${code}`);
  }
}

/** Operators see the same messages as clients. */
async function refusing<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof Fault && error.status < 500 ? new OperatorError(error.message) : error;
  }
}

function open({ pool, blobs, operator }: OperatorStorage) {
  const store = new SqlKnowledge(pool, blobs, operator);
  return { store, service: new KnowledgeService({ store }) };
}
