import { hash } from 'node:crypto';

/** Tells one prompt from another without its words. */
export function promptNote(prompt: string | null): string | null {
  if (prompt === null) return null;
  return `${prompt.length} characters, sha256 ${hash('sha256', prompt, 'hex').slice(0, 12)}`;
}
