import { randomBytes } from 'node:crypto';

const PATTERN = /^doc_[0-9a-f]{32}$/;

/** A new, unguessable document id. */
export function newDocumentId(): string {
  return `doc_${randomBytes(16).toString('hex')}`;
}

/** Whether the text has the form of a document id. */
export function isDocumentId(text: string): boolean {
  return PATTERN.test(text);
}
