import { Fault } from '../../faults/fault.ts';
import type { KnowledgeDocument } from '../knowledge-document.ts';
import {
  type DocumentListing,
  DocumentOwned,
  type DocumentQuery,
  KnowledgeFull,
  type KnowledgeStore,
  MAX_STACK_DOCUMENTS,
} from '../knowledge-store.ts';
import { formatOf } from '../reading/document-format.ts';
import type { DocumentSource } from '../reading/document-source.ts';

/** Size limit of a document. */
export const MAX_DOCUMENT_BYTES = 50_000_000;
const MAX_NAME_CHARACTERS = 255;

export interface KnowledgeServiceOptions {
  readonly store: KnowledgeStore;
  /** Wakes this process's indexer; others find the work by polling. */
  readonly wake?: () => void;
}

/** Where the configuration has a document from. */
export interface Declaration {
  readonly source: string;
  readonly fileMark?: string | undefined;
}

/** Manages the documents of stacks: add, list, remove, index again. */
export class KnowledgeService {
  readonly #store: KnowledgeStore;
  readonly #wake: () => void;

  constructor({ store, wake = () => {} }: KnowledgeServiceOptions) {
    this.#store = store;
    this.#wake = wake;
  }

  /** Adds documents, replacing those of the same name; all are validated before the first is stored. */
  async add(
    stackId: string,
    documents: readonly DocumentSource[],
    { source, fileMark, signal }: Partial<Declaration> & { readonly signal: AbortSignal },
  ): Promise<readonly KnowledgeDocument[]> {
    const declared = source !== undefined;
    for (const document of documents) requireAcceptable(document);
    for (const { name } of documents) await this.#requireOwn(stackId, name, declared);
    const saved: KnowledgeDocument[] = [];
    for (const document of documents) {
      const added = { stackId, ...document, declared, source, fileMark };
      saved.push(await this.#store.save(added, signal).catch((error) => refuse(error, document.name)));
    }
    this.#wake();
    return saved;
  }

  /** Stores a declared document as failed; its older version, if it has one, is still found. */
  async addFailed(
    stackId: string,
    name: string,
    { signal, ...declaration }: Declaration & { readonly failure: string; readonly signal: AbortSignal },
  ): Promise<void> {
    requireName(name);
    const document = { stackId, name, bytes: new Uint8Array(), declared: true, ...declaration };
    await this.#store.save(document, signal).catch((error) => refuse(error, name));
  }

  list(query: DocumentQuery): Promise<DocumentListing> {
    return this.#store.list(query);
  }

  async get(stackId: string, id: string): Promise<KnowledgeDocument> {
    const document = await this.#store.find(stackId, id);
    if (document === undefined) throw notFound();
    return document;
  }

  async remove(stackId: string, id: string): Promise<void> {
    const { declared, name } = await this.get(stackId, id);
    if (declared) throw ownedByFile(name);
    if (!(await this.#store.remove(stackId, id))) throw notFound();
    this.#wake();
  }

  async reindex(stackId: string, id: string): Promise<KnowledgeDocument> {
    const document = await this.#store.requeue(stackId, id);
    if (document === undefined) throw notFound();
    this.#wake();
    return document;
  }

  async #requireOwn(stackId: string, name: string, declared: boolean): Promise<void> {
    const known = await this.#store.findByName(stackId, name);
    if (known !== undefined && known.declared !== declared) throw ownedByFile(name);
  }
}

function requireAcceptable(source: DocumentSource): void {
  requireName(source.name);
  const { name, bytes } = source;
  requireSize(name, bytes.byteLength);
  formatOf(source);
}

/** Throws if a document is empty or too large. */
export function requireSize(name: string, sizeBytes: number): void {
  if (sizeBytes === 0) throw new Fault('document-empty', `The document "${name}" has no bytes.`);
  if (sizeBytes <= MAX_DOCUMENT_BYTES) return;
  const message = `The document "${name}" has ${sizeBytes} bytes; at most ${MAX_DOCUMENT_BYTES} are taken.`;
  throw new Fault('document-too-large', message);
}

function requireName(name: string): void {
  const isNamed = name.trim() !== '' && name.length <= MAX_NAME_CHARACTERS && !/\p{C}/u.test(name);
  if (isNamed) return;
  const message = `The name of a document has 1 to ${MAX_NAME_CHARACTERS} characters that can be printed.`;
  throw new Fault('invalid-request', message, { param: 'name' });
}

function refuse(error: unknown, name: string): never {
  if (error instanceof DocumentOwned) throw ownedByFile(name);
  if (!(error instanceof KnowledgeFull)) throw error;
  const message = `This stack has ${MAX_STACK_DOCUMENTS} documents, which is the most there can be.`;
  throw new Fault('knowledge-full', message);
}

function ownedByFile(name: string): Fault {
  const message = `The document "${name}" is declared in the configuration of the gateway, and can be changed there only.`;
  return new Fault('document-declared', message);
}

function notFound(): Fault {
  return new Fault('document-not-found', 'This stack has no such document, or has it no more.');
}
