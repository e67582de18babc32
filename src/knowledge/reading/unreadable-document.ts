import { Fault } from '../../faults/fault.ts';

/** The document is at fault; the reason completes "The document … ". */
export function unreadableDocument(name: string, reason: string, cause?: unknown): Fault {
  return new Fault('document-unreadable', `The document "${name}" ${reason}.`, { cause });
}
