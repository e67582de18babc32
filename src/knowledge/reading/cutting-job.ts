import type { Chunk } from '../chunk.ts';
import type { PrintedPage } from './pdf-blocks.ts';

/** A job for the worker: a document to read and cut, or pages that were already read. */
export type CuttingJob =
  | { readonly name: string; readonly bytes: Uint8Array }
  | { readonly name: string; readonly pages: readonly PrintedPage[] };

/** Parses a job. It comes from our own parent, so anything else is a bug. */
export function parseCuttingJob(message: unknown): CuttingJob {
  const { name, bytes, pages }: { name?: unknown; bytes?: unknown; pages?: unknown } = message ?? {};
  if (typeof name === 'string') {
    if (bytes instanceof Uint8Array) return { name, bytes };
    if (Array.isArray(pages)) return { name, pages };
  }
  throw new TypeError('the parent sent no document');
}

/** Whether the worker's answer is a chunk; its fields are trusted. */
export function isChunk(value: unknown): value is Chunk {
  return typeof value === 'object' && value !== null && 'text' in value && 'position' in value;
}
