import { Fault } from '../../faults/fault.ts';

/** Blames the document; `reason` completes "The document … ". */
export function unreadableDocument(name: string, reason: string, cause?: unknown): Fault {
  return new Fault('document-unreadable', `The document "${name}" ${reason}.`, { cause });
}
