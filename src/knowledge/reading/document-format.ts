import { pictureFormat } from '../../pictures/picture-format.ts';
import { decodeText } from './decode-text.ts';
import type { DocumentSource } from './document-source.ts';
import { listParts } from './docx-parts.ts';
import { unreadableDocument } from './unreadable-document.ts';

export type DocumentFormat = 'markdown' | 'text' | 'html' | 'docx' | 'csv' | 'pdf';

/** The header of a PDF may be preceded by a little junk. */
const PDF_HEAD_BYTES = 1_024;
/** How much is sampled to tell text from binary. */
const SAMPLE_BYTES = 65_536;
/** Of the sampled bytes: damaged text has few control characters, compressed data a tenth. */
const MAX_CONTROL_FRACTION = 0.03;

const SIGNATURES: readonly (readonly [hex: string, reason: string])[] = [
  [
    'd0cf11e0a1b11ae1',
    'is an old Office file or protected by a password; save it as DOCX without protection',
  ],
  ['7b5c727466', 'is an RTF file; save it as DOCX or PDF'],
  ['474946383', 'is a picture; send a text, or a PDF'],
  ['49492a00', 'is a picture; send a text, or a PDF'],
  ['4d4d002a', 'is a picture; send a text, or a PDF'],
  ['424d', 'is a picture; send a text, or a PDF'],
];

const ENDINGS: Readonly<Record<string, DocumentFormat>> = {
  md: 'markdown',
  markdown: 'markdown',
  mdown: 'markdown',
  mkd: 'markdown',
  html: 'html',
  htm: 'html',
  xhtml: 'html',
  csv: 'csv',
  tsv: 'csv',
  tab: 'csv',
};

/** Detects the format by content, then by extension. Throws if it is not supported. */
export function formatOf({ name, bytes }: DocumentSource): DocumentFormat {
  const sample = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, SAMPLE_BYTES));
  if (sample.subarray(0, PDF_HEAD_BYTES).includes('%PDF-')) return 'pdf';
  if (sample.toString('latin1', 0, 4) === 'PK\u0003\u0004') return formatOfZip({ name, bytes });
  refuseBinary(name, sample);
  if (
    /^\s*(<\?xml[^>]{0,200}>\s*)?(<!--[^>]{0,2000}-->\s*)?<(!doctype html|html|head|body)[\s>]/i.test(
      decodeText(sample.subarray(0, 4_096)),
    )
  ) {
    return 'html';
  }
  return ENDINGS[endingOf(name)] ?? 'text';
}

/** The extension in lower case; empty if there is none. */
function endingOf(name: string): string {
  return /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
}

function formatOfZip(source: DocumentSource): DocumentFormat {
  if (listParts(source).some(({ path }) => path === 'word/document.xml')) return 'docx';
  throw unreadableDocument(
    source.name,
    'is a package but no DOCX; send Markdown, text, HTML, PDF, DOCX or CSV',
  );
}

function refuseBinary(name: string, sample: Buffer): void {
  const head = sample.toString('hex', 0, 8);
  const known = SIGNATURES.find(([signature]) => head.startsWith(signature));
  const isText = isMostlyText(sample);
  // "BM" may also start a sentence.
  if (known && (known[0].length > 4 || !isText)) throw unreadableDocument(name, known[1]);
  if (pictureFormat(sample)) throw unreadableDocument(name, 'is a picture; send a text, or a PDF');
  if (!isText) throw unreadableDocument(name, 'is no text; send Markdown, text, HTML, PDF, DOCX or CSV');
}

function isMostlyText(sample: Buffer): boolean {
  const mark = sample.toString('hex', 0, 2);
  if (mark === 'fffe' || mark === 'feff') return true;
  let controls = 0;
  for (const byte of sample) {
    if (byte < 0x09 || (byte > 0x0d && byte < 0x20 && byte !== 0x1b)) controls += 1;
  }
  return controls <= MAX_CONTROL_FRACTION * sample.length;
}
