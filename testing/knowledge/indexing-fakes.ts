import type { Chunk } from '../../src/knowledge/chunk.ts';
import type { EmbeddedChunk } from '../../src/knowledge/embedded-chunk.ts';
import type { IndexingParts } from '../../src/knowledge/indexing/index-document.ts';
import type { Clock } from '../../src/lib/clock.ts';
import type { ReadDocument } from '../../src/reading/document-reader.ts';
import { emptyPage } from '../../src/reading/page-text.ts';
import type { StackWork } from '../../src/supervision/stack-work.ts';

/** A clock that runs a hundred times as fast. */
export const fastClock: Clock = {
  nowMs: () => performance.now() * 100,
  after(delayMs, run) {
    const timeout = setTimeout(run, delayMs / 100);
    return { cancel: () => clearTimeout(timeout) };
  },
};

/** Cuts a passage per line. */
export class LineCutter {
  /** Names of the documents cut, in order. */
  readonly cuts: string[] = [];
  failure: Error | undefined;

  async cut(document: Parameters<IndexingParts['cutter']['cut']>[0]): Promise<readonly Chunk[]> {
    this.cuts.push(document.name);
    if (this.failure !== undefined) throw this.failure;
    const texts =
      'pages' in document
        ? document.pages.map((page) => page.text)
        : Buffer.from(document.bytes).toString().split('\n');
    return texts.map((text, position) => ({ position, text, headings: [], page: undefined }));
  }
}

/** Reads every PDF as one page. */
export class OnePageReader {
  failure: Error | undefined;

  async readPdf(): Promise<ReadDocument> {
    if (this.failure !== undefined) throw this.failure;
    return { pages: [{ ...emptyPage, text: 'the page' }], ocrUsed: false };
  }
}

/** Embeds a passage as its own text. */
export class TextEmbedder {
  model = 'text';
  /** Embedded texts, in order. */
  readonly embedded: string[] = [];
  failure: Error | undefined;
  /** Awaited before answering. */
  before: (signal: AbortSignal) => Promise<void> = async () => {};

  async embed(chunks: readonly Chunk[], { signal }: StackWork): Promise<readonly EmbeddedChunk[]> {
    await this.before(signal);
    signal.throwIfAborted();
    if (this.failure !== undefined) throw this.failure;
    this.embedded.push(...chunks.map(({ text }) => text));
    return chunks.map((chunk) => ({ ...chunk, vectors: Buffer.from(chunk.text) }));
  }
}
