export type PdfProblem = 'damaged' | 'password' | 'encryption' | 'empty' | 'costly';

const explanations: Readonly<Record<PdfProblem, string>> = {
  damaged: 'is damaged or no PDF at all; send another copy of it',
  password: 'needs a password; send it without protection',
  encryption: 'is encrypted in a way that cannot be opened; send it without protection',
  empty: 'has no pages',
  costly: 'takes more time or memory to read than any real document; print it to a new PDF and send that',
};

/** The PDF is at fault, not its reader; the message completes "The PDF …". */
export class UnreadablePdf extends Error {
  override readonly name = 'UnreadablePdf';
  readonly code: PdfProblem;

  constructor(code: PdfProblem, cause?: unknown) {
    super(explanations[code], { cause });
    this.code = code;
  }
}

export function pdfProblem(code: string | undefined): PdfProblem | undefined {
  return Object.keys(explanations).find((known): known is PdfProblem => known === code);
}
