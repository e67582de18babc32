import { PdfWriter, writtenLines } from './pdf-writer.ts';

/** A PDF with a page of text for each line, and a scan for each undefined. */
export function mixedPdf(...lines: (string | undefined)[]): Buffer {
  const writer = new PdfWriter();
  const F = writer.standardFont();
  const P = writer.picture(Buffer.alloc(30 * 40 * 3, 128), 30, 40);
  for (const line of lines) {
    const content = line === undefined ? 'q 595 0 0 842 0 0 cm /P Do Q' : writtenLines([line]);
    writer.addPage({ content, fonts: { F }, pictures: { P } });
  }
  return writer.build();
}
