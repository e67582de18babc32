/** A part of a test form: a text, or a file. */
export interface TestPart {
  readonly name: string;
  readonly text?: string;
  readonly bytes?: Uint8Array;
  readonly fileName?: string;
  readonly contentType?: string;
}

const BOUNDARY = 'stackgate-test-boundary';

/** The content type of `multipartBody`. */
export const multipartType = `multipart/form-data; boundary=${BOUNDARY}`;

export function multipartBody(parts: readonly TestPart[]): Buffer {
  return Buffer.concat([...parts.flatMap(partBytes), Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

function partBytes({ name, text, bytes, fileName, contentType }: TestPart): readonly Buffer[] {
  const file = fileName === undefined ? '' : `; filename="${fileName}"`;
  const type = contentType === undefined ? '' : `Content-Type: ${contentType}\r\n`;
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n${type}\r\n`;
  return [Buffer.from(head), Buffer.from(bytes ?? text ?? ''), Buffer.from('\r\n')];
}
