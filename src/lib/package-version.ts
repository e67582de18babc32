import { readFileSync } from 'node:fs';

/** From package.json, which is above both src/ and dist/. */
export function packageVersion(): string {
  const content: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  if (typeof content === 'object' && content !== null && 'version' in content) return String(content.version);
  throw new Error('package.json names no version');
}
