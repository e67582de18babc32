import { z } from 'zod';
import type { KnowledgeDocument } from '../knowledge-document.ts';

/** A document in the API. */
export const documentSchema = z.object({
  id: z.string(),
  object: z.literal('knowledge.document'),
  name: z.string().describe('Unique within the stack: another document of this name is its next version.'),
  size_bytes: z.int(),
  sha256: z.string().describe('Of the newest version.'),
  state: z.enum(['queued', 'indexing', 'ready', 'failed']).describe('Of the newest version.'),
  progress: z.number().describe('How much of the newest version is indexed, from 0 to 1.'),
  failure: z.string().nullable().describe('Why the newest version could not be indexed.'),
  searchable: z.boolean().describe('Whether a version can be found now; it may be an older one.'),
  chunks: z.int().describe('Passages that can be found now.'),
  declared: z.boolean().describe('Whether the configuration of the gateway owns it.'),
  source: z
    .string()
    .nullable()
    .describe('The file, folder or bucket of the configuration that it came from; null: it was sent.'),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

export function documentAnswer(document: KnowledgeDocument): z.infer<typeof documentSchema> {
  return {
    id: document.id,
    object: 'knowledge.document',
    name: document.name,
    size_bytes: document.sizeBytes,
    sha256: document.sha256,
    state: document.state,
    progress: document.progress,
    failure: document.failure ?? null,
    searchable: document.searchable,
    chunks: document.chunks,
    declared: document.declared,
    source: document.source ?? null,
    created_at: document.createdAt.toISOString(),
    updated_at: document.updatedAt.toISOString(),
  };
}
