const VERSION = 'sg1.';
const MOST_CHARACTERS = 256 * 1024;

/** Encodes reasoning, so that a client that stores nothing can send it back with its next request. */
export function sealReasoning(text: string): string {
  return VERSION + Buffer.from(text.slice(0, MOST_CHARACTERS)).toString('base64url');
}

/** Decodes reasoning; `undefined` if it comes from another server or version. */
export function openReasoning(carrier: string): string | undefined {
  if (!carrier.startsWith(VERSION)) return undefined;
  return Buffer.from(carrier.slice(VERSION.length), 'base64url').toString().slice(0, MOST_CHARACTERS);
}
