import type { Caller } from '../access/caller.ts';
import type { Meter } from '../access/meter.ts';
import { Fault } from '../faults/fault.ts';
import type { PageText } from '../reading/page-text.ts';
import type { PromptMeasure } from '../text/prompt-fit.ts';
import type { TextService } from '../text/text-service.ts';
import { extractionConversation } from './extraction-conversation.ts';
import type { ExtractionJob, NamedDocument } from './extractor.ts';

type Asked = Pick<ExtractionJob, 'schema' | 'system' | 'user' | 'maxTokens' | 'showsSchema'>;

/** Pages of a file; `undefined` for those that are still to be read. */
type PagesSoFar = readonly (PageText | undefined)[];

export interface WatchedReading {
  readonly text: Pick<TextService, 'measure'>;
  readonly caller: Caller;
  /** What the pages will be asked for. */
  readonly asked: Asked;
  /** The names of the files, in their order. */
  readonly names: readonly string[];
  /** Of all files together. */
  readonly pages: number;
  readonly meter: Meter;
  readonly signal: AbortSignal;
}

/** What joins two pages. */
const SEPARATOR_BYTES = 2;

/** Ends the reading of files as soon as the pages that are there are more than the context window holds. */
export class WindowWatch {
  readonly #reading: WatchedReading;
  readonly #files: PagesSoFar[];
  /** Up to so many bytes of text there is nothing to count: a token takes a byte at least. */
  #fittingBytes = 0;
  #lastCheck = Promise.resolve();

  constructor(reading: WatchedReading) {
    this.#reading = reading;
    this.#files = reading.names.map(() => []);
  }

  /** Throws where not even a file without text would fit. */
  async begin(): Promise<void> {
    await this.#check();
  }

  /** Takes what was read of a file so far, and throws where that is too much already. */
  async tell(file: number, pages: PagesSoFar): Promise<void> {
    this.#files[file] = pages;
    // One after the other: files and pages are read at the same time, and a count may be a call of a server.
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
    // What is complete is measured by whoever extracts from it.
    if (missing <= 0 || (read.length > 0 && sizeBytes <= this.#fittingBytes)) return;
    const measure = await this.#measure(documents);
    if (measure === undefined) return;
    // Where a page is missing, its neighbours meet; a tokenizer may make one token more of that than of the page between them.
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
      // An engine that is away for a moment is back when the pages are read; if it is not, its fault is told then.
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
