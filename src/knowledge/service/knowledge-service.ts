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
    sources: readonly DocumentSource[],
    { declared = false, signal }: { readonly declared?: boolean; readonly signal: AbortSignal },
  ): Promise<readonly KnowledgeDocument[]> {
    for (const source of sources) requireAcceptable(source);
    for (const { name } of sources) await this.#requireOwn(stackId, name, declared);
    const saved: KnowledgeDocument[] = [];
    for (const source of sources) {
      const document = { stackId, ...source, declared };
      saved.push(await this.#store.save(document, signal).catch((error) => refuse(error, source.name)));
    }
    this.#wake();
    return saved;
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
  if (bytes.byteLength === 0) throw new Fault('document-empty', `The document "${name}" has no bytes.`);
  if (bytes.byteLength > MAX_DOCUMENT_BYTES) {
    const message = `The document "${name}" has ${bytes.byteLength} bytes; at most ${MAX_DOCUMENT_BYTES} are taken.`;
    throw new Fault('document-too-large', message);
  }
  formatOf(source);
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
