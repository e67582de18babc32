import type { Caller } from '../access/caller.ts';
import type { Meter } from '../access/meter.ts';
import { Fault } from '../faults/fault.ts';
import type { PageText } from '../reading/page-text.ts';
import type { PromptMeasure } from '../text/prompt-fit.ts';
import type { TextService } from '../text/text-service.ts';
import { extractionConversation } from './extraction-conversation.ts';
import type { ExtractionJob, NamedDocument } from './extractor.ts';

type Asked = Pick<ExtractionJob, 'schema' | 'system' | 'user' | 'maxTokens' | 'showsSchema'>;

/** Pages of a file; `undefined` for pages not read yet. */
type PagesSoFar = readonly (PageText | undefined)[];

export interface WatchedReading {
  readonly text: Pick<TextService, 'measure'>;
  readonly caller: Caller;
  /** The request the pages are for. */
  readonly asked: Asked;
  /** File names, in order. */
  readonly names: readonly string[];
  /** Of all files together. */
  readonly pages: number;
  readonly meter: Meter;
  readonly signal: AbortSignal;
}

/** Between two pages. */
const SEPARATOR_BYTES = 2;

/** Stops reading as soon as the pages read so far exceed the context window. */
export class WindowWatch {
  readonly #reading: WatchedReading;
  readonly #files: PagesSoFar[];
  /** Below this size there is nothing to count: a token is at least one byte. */
  #fittingBytes = 0;
  #lastCheck = Promise.resolve();

  constructor(reading: WatchedReading) {
    this.#reading = reading;
    this.#files = reading.names.map(() => []);
  }

  /** Throws if the prompt does not fit even without documents. */
  async begin(): Promise<void> {
    await this.#check();
  }

  /** Records the pages of a file; throws if the total is already too long. */
  async tell(file: number, pages: PagesSoFar): Promise<void> {
    this.#files[file] = pages;
    // Sequentially: pages arrive concurrently, and each count may be a call to a server.
    this.#lastCheck = this.#lastCheck.then(() => this.#check());
    await this.#lastCheck;
  }

  async #check(): Promise<void> {
    const { names, pages } = this.#reading;
    const documents = this.#files.map((file, index) => ({
      name: names[index] ?? '',
      pages: file.filter((page) => page !== undefined),
      ocrUsed: false,
    }));
    const read = documents.flatMap((document) => document.pages);
    const missing = pages - read.length;
    const sizeBytes = read.reduce((sum, page) => sum + Buffer.byteLength(page.text) + SEPARATOR_BYTES, 0);
    // Once all pages are read, the extractor measures the prompt itself.
    if (missing <= 0 || (read.length > 0 && sizeBytes <= this.#fittingBytes)) return;
    const measure = await this.#measure(documents);
    if (measure === undefined) return;
    // Each missing page makes two pages adjacent, which may cost one extra token.
    const tokens = measure.tokens - missing;
    if (tokens > measure.room) throw tooLong({ tokens, room: measure.room, read: read.length, pages });
    this.#fittingBytes = sizeBytes + measure.room - measure.tokens;
  }

  async #measure(documents: readonly NamedDocument[]): Promise<PromptMeasure | undefined> {
    const { text, caller, asked, meter, signal } = this.#reading;
    const conversation = extractionConversation({ ...asked, documents }, { temperature: 0, seed: undefined });
    try {
      return await text.measure(caller, { conversation, meter, signal });
    } catch (error) {
      signal.throwIfAborted();
      // The engine may be back once the pages are read; otherwise it fails then.
      if (error instanceof Fault) return undefined;
      throw error;
    }
  }
}

function tooLong(size: { tokens: number; room: number; read: number; pages: number }): Fault {
  const { tokens, room, read, pages } = size;
  const remedy =
    read === 0
      ? 'before any page is read; shorten schema, system or user'
      : `with ${read} of ${pages} pages read; send fewer pages at once`;
  return new Fault(
    'context-length-exceeded',
    `prompt is too long: at least ${tokens} tokens > ${room} maximum, ${remedy}`,
    { param: read === 0 ? 'schema' : 'file' },
  );
}
