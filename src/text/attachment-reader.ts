import type { StackWork } from '../supervision/stack-work.ts';
import type { AttachedPart } from './conversation.ts';

/** Turns an attachment that the model cannot see into text. */
export interface AttachmentReader {
  read(part: AttachedPart, work: StackWork): Promise<string>;
}
