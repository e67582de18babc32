import { workerData } from 'node:worker_threads';
import { serveRequests } from '../../supervision/serve-requests.ts';
import type { SearchAnswer, SearchJob } from './search-job.ts';
import { StackIndexes } from './stack-indexes.ts';

// Worker thread that holds the indexes and answers one question at a time.
await serveRequests(() => {
  const indexes = new StackIndexes(Number(workerData.maxBytes));
  return { handle: (job) => answer(indexes, job as SearchJob) };
});

function answer(indexes: StackIndexes, job: SearchJob): SearchAnswer {
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
      return { done: true };
    }
  }
}
