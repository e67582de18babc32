import { describeBlobStore } from './describe-blob-store.ts';
import { MemoryBlobStore } from './memory-blob-store.ts';

describeBlobStore('MemoryBlobStore', async () => ({
  store: new MemoryBlobStore(),
  [Symbol.asyncDispose]: async () => undefined,
}));
