import { randomBytes } from 'node:crypto';

const PATTERN = /^doc_[0-9a-f]{32}$/;

/** A new name for a document, which nobody can guess. */
export function newDocumentId(): string {
  return `doc_${randomBytes(16).toString('hex')}`;
}

/** Whether the text could be the name of a document. */
export function isDocumentId(text: string): boolean {
  return PATTERN.test(text);
}
