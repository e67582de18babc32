import { Fault } from '../../faults/fault.ts';
import { serveRequests } from '../../supervision/serve-requests.ts';
import type { Chunk } from '../chunk.ts';
import { cutChunks } from '../chunks/cut-chunks.ts';
import type { DocumentBlock } from '../document-block.ts';
import { type CuttingJob, parseCuttingJob } from './cutting-job.ts';
import { blocksOfPrintedPages } from './pdf-blocks.ts';
import { readBlocks } from './read-blocks.ts';
import { unreadableDocument } from './unreadable-document.ts';

/** Small enough not to block the main thread. */
const BATCH_CHUNKS = 200;
/** 50 MB of text make about 40,000. */
const MAX_CHUNKS = 100_000;

// Worker thread that reads and cuts documents, one at a time.
await serveRequests(() => ({ handle: (message) => cut(parseCuttingJob(message)) }));

async function* cut(job: CuttingJob): AsyncGenerator<readonly Chunk[]> {
  let batch: Chunk[] = [];
  let position = -1;
  for (const chunk of cutChunks(await blocksOf(job))) {
    position = chunk.position;
    if (position >= MAX_CHUNKS) {
      throw unreadableDocument(job.name, `makes more than ${MAX_CHUNKS} passages; split it`);
    }
    batch.push(chunk);
    if (batch.length < BATCH_CHUNKS) continue;
    yield batch;
    batch = [];
  }
  if (position === -1) throw new Fault('document-empty', `The document "${job.name}" has no text.`);
  if (batch.length > 0) yield batch;
}

async function blocksOf(job: CuttingJob): Promise<readonly DocumentBlock[]> {
  return 'bytes' in job ? readBlocks(job) : blocksOfPrintedPages(job.pages);
}
