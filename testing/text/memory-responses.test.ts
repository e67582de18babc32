import { describeResponseQueue } from './describe-response-queue.ts';
import { describeResponseStore } from './describe-response-store.ts';
import { memoryStored } from './response-sources.ts';

describeResponseStore('MemoryResponses', async () => memoryStored());

describeResponseQueue('MemoryResponseQueue', async () => {
  const { store, queue } = memoryStored();
  return { store, queue, endLeases: () => queue.endLeases() };
});
