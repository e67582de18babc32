import type { Chunk } from '../chunk.ts';
import type { PrintedPage } from './pdf-blocks.ts';

/** What the worker is asked: a document to read and cut, or pages that were read already. */
export type CuttingJob =
  | { readonly name: string; readonly bytes: Uint8Array }
  | { readonly name: string; readonly pages: readonly PrintedPage[] };

/** The job that a message holds; the parent is this program too, so anything else is a bug. */
export function parseCuttingJob(message: unknown): CuttingJob {
  const { name, bytes, pages }: { name?: unknown; bytes?: unknown; pages?: unknown } = message ?? {};
  if (typeof name === 'string') {
    if (bytes instanceof Uint8Array) return { name, bytes };
    if (Array.isArray(pages)) return { name, pages };
  }
  throw new TypeError('the parent sent no document');
}

/** Whether the worker's answer is a chunk; what is inside is its own program's word. */
export function isChunk(value: unknown): value is Chunk {
  return typeof value === 'object' && value !== null && 'text' in value && 'position' in value;
}
