import { describeFileStore } from './describe-file-store.ts';
import { MemoryFileStore } from './memory-file-store.ts';

describeFileStore('MemoryFileStore', async () => new MemoryFileStore());
