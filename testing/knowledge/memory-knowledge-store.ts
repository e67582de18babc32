import { createHash } from 'node:crypto';
import { cursorOf, parseCursor } from '../../src/knowledge/document-cursor.ts';
import { newDocumentId } from '../../src/knowledge/document-id.ts';
import type { DocumentState, KnowledgeDocument } from '../../src/knowledge/knowledge-document.ts';
import {
  type DocumentListing,
  DocumentOwned,
  type DocumentQuery,
  KnowledgeFull,
  type KnowledgeStore,
  MAX_STACK_DOCUMENTS,
  type NewDocument,
} from '../../src/knowledge/knowledge-store.ts';

/** An in-memory document store for tests, without the bytes. */
export class MemoryKnowledgeStore implements KnowledgeStore {
  readonly #documents = new Map<string, KnowledgeDocument>();
  readonly #room: number;
  /** Thrown by the next saves. */
  failure: unknown;

  constructor(room = MAX_STACK_DOCUMENTS) {
    this.#room = room;
  }

  async save(document: NewDocument, signal: AbortSignal): Promise<KnowledgeDocument> {
    signal.throwIfAborted();
    if (this.failure !== undefined) throw this.failure;
    const { stackId, name, bytes, declared, source, fileMark, failure } = document;
    const known = this.#named(stackId, name);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    if (known !== undefined && known.declared !== declared) throw new DocumentOwned();
    if (known?.source !== undefined && known.source !== source) throw new DocumentOwned();
    if (known !== undefined && known.sha256 === sha256 && known.failure === failure) {
      this.#documents.set(known.id, { ...known, source, fileMark });
      return { ...known, source, fileMark };
    }
    if (known === undefined && this.#of(stackId).length >= this.#room) throw new KnowledgeFull();
    const saved: KnowledgeDocument = {
      ...(known ?? { id: newDocumentId(), chunks: 0, searchable: false, createdAt: new Date() }),
      stackId,
      name,
      declared,
      sha256,
      sizeBytes: bytes.byteLength,
      source,
      fileMark,
      state: failure === undefined ? 'queued' : 'failed',
      progress: 0,
      failure,
      updatedAt: new Date(),
    };
    this.#documents.set(saved.id, saved);
    return saved;
  }

  async list({ stackId, limit, cursor }: DocumentQuery): Promise<DocumentListing> {
    const after = cursor === undefined ? '' : parseCursor(cursor);
    const rest = this.#of(stackId).filter(({ name }) => order(after, name) < 0);
    const page = rest.slice(0, limit);
    const last = page.at(-1);
    return { documents: page, nextCursor: last && rest.length > limit ? cursorOf(last.name) : undefined };
  }

  async listDeclared(): Promise<readonly KnowledgeDocument[]> {
    return [...this.#documents.values()].filter(({ declared }) => declared);
  }

  async listFrom(stackId: string, source: string): Promise<readonly KnowledgeDocument[]> {
    return this.#of(stackId).filter((document) => document.source === source);
  }

  async find(stackId: string, id: string): Promise<KnowledgeDocument | undefined> {
    const document = this.#documents.get(id);
    return document?.stackId === stackId ? document : undefined;
  }

  async findByName(stackId: string, name: string): Promise<KnowledgeDocument | undefined> {
    return this.#named(stackId, name);
  }

  async remove(stackId: string, id: string): Promise<boolean> {
    return (await this.find(stackId, id)) !== undefined && this.#documents.delete(id);
  }

  async requeue(stackId: string, id: string): Promise<KnowledgeDocument | undefined> {
    const known = await this.find(stackId, id);
    if (known === undefined) return undefined;
    const queued: KnowledgeDocument = { ...known, state: 'queued', progress: 0, failure: undefined };
    this.#documents.set(id, queued);
    return queued;
  }

  async countByState(): Promise<Readonly<Record<DocumentState, number>>> {
    const counts = { queued: 0, indexing: 0, ready: 0, failed: 0 };
    for (const { state } of this.#documents.values()) counts[state] += 1;
    return counts;
  }

  async tidy(): Promise<void> {}

  #of(stackId: string): readonly KnowledgeDocument[] {
    const own = [...this.#documents.values()].filter((document) => document.stackId === stackId);
    return own.sort((one, other) => order(one.name, other.name));
  }

  #named(stackId: string, name: string): KnowledgeDocument | undefined {
    return this.#of(stackId).find((document) => document.name === name);
  }
}

/** Byte order, as in the database. */
function order(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
