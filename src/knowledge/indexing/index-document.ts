import { freeMemory } from '../../lib/free-memory.ts';
import type { DocumentReader } from '../../reading/document-reader.ts';
import type { PageText } from '../../reading/page-text.ts';
import type { StackWork } from '../../supervision/stack-work.ts';
import type { Chunk } from '../chunk.ts';
import type { EmbeddedChunk } from '../embedded-chunk.ts';
import type { IndexingQueue, IndexingTask } from '../indexing-queue.ts';
import { formatOf } from '../reading/document-format.ts';
import type { DocumentSource } from '../reading/document-source.ts';
import type { SearchWriter } from '../search-writer.ts';

/** The parts indexing needs; slow work runs off this thread. */
export interface IndexingParts {
  readonly queue: IndexingQueue;
  readonly reader: Pick<DocumentReader, 'readPdf'>;
  readonly cutter: {
    cut(
      document: DocumentSource | { readonly name: string; readonly pages: readonly PageText[] },
      work: StackWork,
    ): Promise<readonly Chunk[]>;
  };
  readonly embedder: {
    readonly model: string;
    embed(chunks: readonly Chunk[], work: StackWork): Promise<readonly EmbeddedChunk[]>;
  };
  /** Writes what the search reads, before a version is published; absent where the search reads the chunks themselves. */
  readonly writer?: SearchWriter;
}

/** Passages embedded and stored at a time: the most a kill can lose. */
const BATCH = 32;

/** The embeddings engine failed; all earlier steps succeeded and are stored. */
export class EmbeddingsAway extends Error {
  override readonly name = 'EmbeddingsAway';
}

/** Completes a task: read and cut, embed batch by batch, then publish in one step. */
export async function indexDocument(
  task: IndexingTask,
  parts: IndexingParts,
  signal: AbortSignal,
): Promise<void> {
  const { queue, embedder, writer } = parts;
  if (task.kind === 'index' && task.cutChunks === undefined) {
    await queue.storeChunks(task, await readChunks(task, parts, signal), signal);
  }
  await embedChunks(task, parts, signal);
  await writer?.write(task, embedder.model, signal);
  await queue.finish(task, embedder.model);
}

async function readChunks(
  task: IndexingTask,
  { queue, reader, cutter }: IndexingParts,
  signal: AbortSignal,
): Promise<readonly Chunk[]> {
  const { name, stackId } = task;
  const work = { stackId, signal };
  const bytes = await queue.readBytes(task, signal);
  if (formatOf({ name, bytes }) !== 'pdf') {
    const chunks = await cutter.cut({ name, bytes }, work);
    freeMemory(bytes);
    return chunks;
  }
  const { pages } = await reader.readPdf({ stackId, name, bytes }, signal);
  return await cutter.cut({ name, pages }, work);
}

async function embedChunks(
  task: IndexingTask,
  { queue, embedder }: IndexingParts,
  signal: AbortSignal,
): Promise<void> {
  const work = { stackId: task.stackId, signal };
  for (let after = -1; ; ) {
    const chunks = await queue.withoutVectors(task, embedder.model, { after, limit: BATCH });
    const last = chunks.at(-1);
    if (last === undefined) return;
    const embedded = await embedder.embed(chunks, work).catch((error: unknown) => {
      signal.throwIfAborted();
      throw new EmbeddingsAway('the embeddings engine failed', { cause: error });
    });
    await queue.storeVectors(task, embedder.model, embedded);
    after = last.position;
  }
}
