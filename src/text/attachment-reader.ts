import type { StackWork } from '../supervision/stack-work.ts';
import type { AttachedPart } from './conversation.ts';

/** Turns what a model cannot see into text that stands in its place. */
export interface AttachmentReader {
  read(part: AttachedPart, work: StackWork): Promise<string>;
}
