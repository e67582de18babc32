import { z } from 'zod';
import type { FoundChunk, KnowledgeSearch } from '../../knowledge/knowledge-search.ts';
import { passageField, passageSchema } from '../../text/wire/knowledge-field.ts';
import { type McpTool, tool } from '../tool.ts';

const DEFAULT_PASSAGES = 5;
const MOST_PASSAGES = 20;
/** Of all passages together: clients cut longer answers themselves, and worse. */
const MOST_CHARACTERS = 10_000;

export function searchKnowledge(search: KnowledgeSearch): McpTool {
  return tool({
    name: 'search_knowledge',
    title: 'Search the knowledge base',
    description: 'Finds passages of the documents in the knowledge base, best first.',
    input: z.object({
      query: z.string().min(1),
      limit: z.int().min(1).max(MOST_PASSAGES).default(DEFAULT_PASSAGES),
    }),
    output: z.object({
      passages: z.array(passageSchema),
    }),
    isReadOnly: true,
    scope: 'knowledge',
    isForReaders: true,
    isOffered: ({ key }) => key.retrieval || key.knowledge !== undefined,
    call: async ({ query, limit }, { caller, meter, signal }) => {
      const found = await search.search(caller.stack.id, query, { most: limit, signal, span: meter.trace });
      return { data: { passages: withinBounds(found).map(passageField) } };
    },
  });
}

/** The best passages that fit; the first is cut if it does not. */
function withinBounds(found: readonly FoundChunk[]): readonly FoundChunk[] {
  let left = MOST_CHARACTERS;
  const fitting: FoundChunk[] = [];
  for (const chunk of found) {
    if (chunk.text.length > left && fitting.length > 0) break;
    fitting.push({ ...chunk, text: chunk.text.slice(0, left) });
    left -= chunk.text.length;
  }
  return fitting;
}
