import { describeKnowledgeStore } from './describe-knowledge-store.ts';
import { MemoryKnowledgeStore } from './memory-knowledge-store.ts';

describeKnowledgeStore('MemoryKnowledgeStore', async () => new MemoryKnowledgeStore());
