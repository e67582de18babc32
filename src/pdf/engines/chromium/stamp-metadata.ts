import type { PdfObjects } from './pdf-objects.ts';

const PRODUCER = 'Stackgate';
// A text in parentheses with escapes, or in angle brackets as hexadecimal digits.
const TITLE = /\/Title (\((?:[^()\\]|\\[\s\S])*\)|<[0-9A-Fa-f\s]*>)/;

/**
 * Writes producer and dates into the PDF, in the place of what the browser put there, and keeps the document's title.
 * Nothing moves: what the new text leaves over is filled with spaces.
 */
export function stampMetadata(bytes: Buffer, objects: PdfObjects, nowMs: number): void {
  const number = objects.infoNumber;
  const old = objects.text(number);
  const head = `${number} 0 obj\n`;
  const [title = ''] = TITLE.exec(old) ?? [];
  const date = pdfDate(nowMs);
  const entries = [title, `/Producer (${PRODUCER})`, `/CreationDate (${date})`, `/ModDate (${date})`].filter(
    (entry) => entry !== '',
  );
  const fresh = `${head}<<${entries.join('\n')}>>\n`;
  if (!old.startsWith(head) || fresh.length > old.length) {
    throw new Error('the browser writes the metadata of a PDF in a form that is not known');
  }
  bytes.write(fresh.padEnd(old.length), objects.offset(number), 'latin1');
}

function pdfDate(nowMs: number): string {
  const digits = new Date(nowMs).toISOString().replaceAll(/\D/g, '').slice(0, 14);
  return `D:${digits}+00'00'`;
}
