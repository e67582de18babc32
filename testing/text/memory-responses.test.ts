import { describeResponseStore } from './describe-response-store.ts';
import { MemoryResponses } from './memory-responses.ts';

describeResponseStore('MemoryResponses', async () => {
  const store = new MemoryResponses();
  return { store, conversations: store.conversations };
});
