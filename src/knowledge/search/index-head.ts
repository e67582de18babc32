import { z } from 'zod';
import { LANGUAGES } from './stop-words.ts';

const indexHead = z.object({
  maker: z.string(),
  stackId: z.string(),
  generation: z.string(),
  /** In the order of their chunks. */
  versions: z.array(
    z.object({
      id: z.string(),
      documentId: z.string(),
      documentName: z.string(),
      language: z.enum(LANGUAGES).optional(),
      chunks: z.int().nonnegative(),
    }),
  ),
  /** The length of the vectors; absent if there are none. */
  dimensions: z.int().positive().optional(),
});

/** The first section of an index file: what it is an index of. */
export type IndexHead = z.infer<typeof indexHead>;

export function parseIndexHead(bytes: Uint8Array): IndexHead {
  return indexHead.parse(JSON.parse(Buffer.from(bytes).toString()));
}
