import type { AttachedPart } from './conversation.ts';

/** Turns what a model cannot see into text that stands in its place. */
export interface AttachmentReader {
  read(part: AttachedPart, signal: AbortSignal): Promise<string>;
}
