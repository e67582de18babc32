import { contentParts } from './content-parts.ts';
import type { ContentField } from './messages-request-schema.ts';

// Some clients put a line first that changes with every request: it would spoil the cached prefix of the prompt.
const CHANGING_LINE = /^x-anthropic-billing-header:[^\n]*\n*/;

/** The instructions of a request: `undefined` where none were sent, empty where they were empty. */
export function systemText(system: ContentField | null | undefined): string | undefined {
  if (system === undefined || system === null) return undefined;
  const texts = contentParts(system, 'system').flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return texts
    .map((text, index) => (index === 0 ? text.replace(CHANGING_LINE, '') : text))
    .filter((text) => text !== '')
    .join('\n\n');
}
