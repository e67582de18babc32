import { workerData } from 'node:worker_threads';
import { freeBytes } from '../../catalogue/disk-space.ts';
import { systemClock } from '../../lib/clock.ts';
import { serveRequests } from '../../supervision/serve-requests.ts';
import { IndexFiles } from './index-files.ts';
import { IndexSaver } from './index-saver.ts';
import type { SearchAnswer, SearchJob, SearchWorkerData } from './search-job.ts';
import { StackIndexes } from './stack-indexes.ts';

// Worker thread that holds the indexes and answers one question at a time.
await serveRequests(() => {
  const { maxBytes, files } = workerData as SearchWorkerData;
  if (!files) {
    const indexes = new StackIndexes(maxBytes);
    return { handle: (job) => answer(indexes, job as SearchJob, () => {}) };
  }
  const stored = new IndexFiles(files.folder, files.maker, freeBytes);
  const indexes = new StackIndexes(maxBytes, (stackId) => stored.read(stackId));
  const saver = new IndexSaver({
    save: (stackId) => save(stackId, indexes, stored),
    onFailure: (error) => process.stderr.write(`an index could not be saved: ${error}\n`),
    clock: systemClock,
    delayMs: files.saveDelayMs,
  });
  const changed = (stackId: string) => files.isReadOnly || saver.changed(stackId);
  return { handle: (job) => answer(indexes, job as SearchJob, changed) };
});

async function save(stackId: string, indexes: StackIndexes, stored: IndexFiles): Promise<void> {
  const index = indexes.peek(stackId);
  if (!index || index.isSaved) return;
  // Before the first piece: what changes while it is written is to be saved again.
  index.isSaved = true;
  try {
    await stored.save(stackId, index);
  } catch (error) {
    index.isSaved = false;
    throw error;
  }
}

function answer(indexes: StackIndexes, job: SearchJob, changed: (stackId: string) => void): SearchAnswer {
  switch (job.kind) {
    case 'search': {
      const index = indexes.at(job.stackId, job.generation);
      return index ? { found: index.search(job.query) } : { absent: true };
    }
    case 'open':
      return { missing: indexes.open(job.stackId, job.versions) };
    case 'add': {
      const index = indexes.loading(job.stackId);
      index?.add(job.version, job.chunks, job);
      indexes.dropOldest();
      return index ? { done: true } : { absent: true };
    }
    case 'publish': {
      const index = indexes.loading(job.stackId);
      const isWhole = job.versions.every(({ id }) => index?.has(id));
      if (!index || !isWhole) return { absent: true };
      index.publish(job.generation, job.versions);
      if (!index.isSaved) changed(job.stackId);
      return { done: true };
    }
  }
}
