import { randomBytes } from 'node:crypto';
import type { TypedBytes } from '../../../upstream/upstream-call.ts';

const BOUNDARY_BYTES = 18;

/** A multipart form: text fields, and pictures under one name, in order. */
export function formBody(
  fields: Readonly<Record<string, string | number>>,
  pictures: { readonly name: string; readonly pngs: readonly Uint8Array[] },
): TypedBytes {
  // Unpredictable, so that no content can contain it.
  const boundary = `stackgate-${randomBytes(BOUNDARY_BYTES).toString('hex')}`;
  const pieces: Uint8Array[] = [];
  for (const [name, value] of Object.entries(fields)) {
    pieces.push(
      Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`),
    );
  }
  for (const [index, png] of pictures.pngs.entries()) {
    const disposition = `form-data; name="${pictures.name}"; filename="reference-${index + 1}.png"`;
    pieces.push(
      Buffer.from(`--${boundary}\r\ncontent-disposition: ${disposition}\r\ncontent-type: image/png\r\n\r\n`),
      png,
      Buffer.from('\r\n'),
    );
  }
  pieces.push(Buffer.from(`--${boundary}--\r\n`));
  return { contentType: `multipart/form-data; boundary=${boundary}`, bytes: Buffer.concat(pieces) };
}
