const VERSION = 'sg1.';
const MOST_CHARACTERS = 256 * 1024;

/** Thoughts in the form in which a client that stores nothing carries them to its next request. */
export function sealReasoning(text: string): string {
  return VERSION + Buffer.from(text.slice(0, MOST_CHARACTERS)).toString('base64url');
}

/** The thoughts in a carrier; undefined where it is of another server or version. */
export function openReasoning(carrier: string): string | undefined {
  if (!carrier.startsWith(VERSION)) return undefined;
  return Buffer.from(carrier.slice(VERSION.length), 'base64url').toString().slice(0, MOST_CHARACTERS);
}
