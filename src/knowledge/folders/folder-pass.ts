import { Fault } from '../../faults/fault.ts';
import type { Clock } from '../../lib/clock.ts';
import { errorCode, hasErrorCode } from '../../lib/error-code.ts';
import type { KnowledgeStore } from '../knowledge-store.ts';
import { type KnowledgeService, requireSize } from '../service/knowledge-service.ts';
import { compareFolder, nameOf } from './compare-folder.ts';
import type { DeclaredFolder } from './declared-folder.ts';
import type { FolderBook, FolderLease, FolderReport } from './folder-book.ts';
import type { FolderFile, FolderListing, KnowledgeFolder } from './knowledge-folder.ts';

export interface FolderPassParts {
  readonly book: FolderBook;
  readonly store: Pick<KnowledgeStore, 'listFrom' | 'remove'>;
  readonly service: Pick<KnowledgeService, 'add' | 'addFailed'>;
  /** Reserves room for the bytes of a stack; throws a fault if there is none. */
  readonly takeRoom: (stackId: string, bytes: number) => Promise<Disposable>;
  readonly clock: Pick<Clock, 'nowMs'>;
  /** Called with each file that was not taken, and the reason. */
  readonly refused: (folder: DeclaredFolder, path: string, reason: string) => void;
}

/** How looking through a folder ended. `busy`: another process does; `waiting`: some files are still being written. */
export type PassOutcome = 'done' | 'busy' | 'waiting';

/** `stored`: a document stands for the file, if only to say why it failed. */
type FileOutcome = 'stored' | 'waiting' | { readonly refusal: string };

/** Well below the lease. */
const RENEW_MS = 10_000;
/** The file itself is at fault: it is not read again until it changes. */
const LASTING: readonly string[] = ['document-unreadable', 'document-empty', 'document-too-large'];
/** No document can stand for the file. */
const WITHOUT_DOCUMENT: readonly string[] = ['document-declared', 'knowledge-full', 'invalid-request'];

/** Looks through a folder once, as the only process: adds what is new or changed, removes what is gone. */
export class FolderPass {
  readonly #parts: FolderPassParts;
  readonly #declared: DeclaredFolder;
  readonly #folder: KnowledgeFolder;
  /** Logged reasons, by path: a lasting one is logged once. */
  readonly #told = new Map<string, string>();

  constructor(parts: FolderPassParts, declared: DeclaredFolder, folder: KnowledgeFolder) {
    this.#parts = parts;
    this.#declared = declared;
    this.#folder = folder;
  }

  /** With `unlessWithinMs` it does nothing if a process finished within this time. */
  async run(ask: { readonly unlessWithinMs: number; readonly signal: AbortSignal }): Promise<PassOutcome> {
    const { book } = this.#parts;
    const { stackId, source } = this.#declared;
    const lease = await book.take({ stackId, source: source.source }, ask);
    if (lease === undefined) return ask.unlessWithinMs === 0 ? 'busy' : 'done';
    try {
      const report = await this.#look(lease, ask.signal);
      await book.finish(lease, report);
      return report.waiting > 0 ? 'waiting' : 'done';
    } catch (error) {
      await book.release(lease).catch(() => {});
      throw error;
    }
  }

  async #look(lease: FolderLease, signal: AbortSignal): Promise<FolderReport> {
    let listing: FolderListing;
    try {
      listing = await this.#folder.list(signal);
    } catch (error) {
      signal.throwIfAborted();
      const problem = `it cannot be read: ${causeOf(error)}`;
      this.#tell('', problem);
      return { files: 0, waiting: 0, problem };
    }
    this.#told.delete('');
    return await this.#apply(lease, listing, signal);
  }

  async #apply(lease: FolderLease, listing: FolderListing, signal: AbortSignal): Promise<FolderReport> {
    const { book, store, clock } = this.#parts;
    const { stackId, source, rootName } = this.#declared;
    const known = await store.listFrom(stackId, source.source);
    const { changed, gone } = compareFolder(listing, known, rootName);
    const problems = [...listing.unread].map(([path, reason]) => `${path}: ${reason}`);
    for (const [path, reason] of listing.unread) this.#tell(path, reason);
    if (listing.isCut) problems.push(this.#tell('', 'it has too many files; nothing of it is removed'));
    let renewedMs = clock.nowMs();
    const keepLease = async () => {
      signal.throwIfAborted();
      if (clock.nowMs() - renewedMs < RENEW_MS) return;
      await book.renew(lease);
      renewedMs = clock.nowMs();
    };
    for (const { id } of gone) {
      await keepLease();
      await store.remove(stackId, id);
    }
    let waiting = 0;
    for (const file of changed) {
      await keepLease();
      const outcome = file.isWaiting ? 'waiting' : await this.#take(file, signal);
      if (outcome === 'waiting') waiting += 1;
      else if (outcome !== 'stored') problems.push(`${file.path}: ${outcome.refusal}`);
    }
    return { files: listing.files.length, waiting, problem: summary(problems) };
  }

  async #take(file: FolderFile, signal: AbortSignal): Promise<FileOutcome> {
    const { stackId, source, rootName } = this.#declared;
    const name = nameOf(rootName, file.path);
    const declaration = { source: source.source, fileMark: file.mark };
    try {
      requireSize(name, file.sizeBytes);
      using _room = await this.#parts.takeRoom(stackId, file.sizeBytes);
      const bytes = await this.#folder.read(file, signal);
      if (bytes === undefined) return 'waiting';
      await this.#parts.service.add(stackId, [{ name, bytes }], { ...declaration, signal });
      this.#told.delete(file.path);
      return 'stored';
    } catch (error) {
      signal.throwIfAborted();
      if (hasErrorCode(error, 'ENOENT')) return 'waiting';
      return await this.#refuse(file, error, signal);
    }
  }

  /** Shows the reason as the failure of the document, where there can be one. */
  async #refuse(file: FolderFile, error: unknown, signal: AbortSignal): Promise<FileOutcome> {
    if (isAway(error)) throw error;
    const { stackId, source, rootName } = this.#declared;
    const code = error instanceof Fault ? error.code : undefined;
    const failure = this.#tell(file.path, reasonOf(error));
    if (code !== undefined && WITHOUT_DOCUMENT.includes(code)) return { refusal: failure };
    const fileMark = code !== undefined && LASTING.includes(code) ? file.mark : undefined;
    const declaration = { source: source.source, fileMark, failure };
    try {
      await this.#parts.service.addFailed(stackId, nameOf(rootName, file.path), { ...declaration, signal });
      return 'stored';
    } catch (further) {
      signal.throwIfAborted();
      if (!(further instanceof Fault) || isAway(further)) throw further;
      return { refusal: this.#tell(file.path, reasonOf(further)) };
    }
  }

  #tell(path: string, reason: string): string {
    if (this.#told.get(path) !== reason) this.#parts.refused(this.#declared, path, reason);
    this.#told.set(path, reason);
    return reason;
  }
}

/** Nothing can be stored at all: the pass ends, and is made again. */
function isAway(error: unknown): boolean {
  return error instanceof Fault && error.status >= 500 && error.code !== 'storage-full';
}

function reasonOf(error: unknown): string {
  if (error instanceof Fault) return notes[error.code] ?? error.message;
  return `The file cannot be read: ${causeOf(error)}.`;
}

const notes: Readonly<Record<string, string>> = {
  'document-declared':
    'The stack has a document of this name that came from elsewhere: remove that one first.',
};

function causeOf(error: unknown): string {
  return errorCode(error) ?? (error instanceof Error ? error.message : String(error));
}

function summary([first, ...others]: readonly string[]): string | undefined {
  return first && (others.length === 0 ? first : `${first} (and ${others.length} more)`);
}
