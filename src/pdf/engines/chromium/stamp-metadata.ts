import type { PdfObjects } from './pdf-objects.ts';

const PRODUCER = 'Stackgate';
// A literal string with escapes, or a hexadecimal one.
const TITLE = /\/Title (\((?:[^()\\]|\\[\s\S])*\)|<[0-9A-Fa-f\s]*>)/;

/** Overwrites producer and dates in place and keeps the title, padding with spaces so that offsets stay the same. */
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
