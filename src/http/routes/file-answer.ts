import type { StackFile } from '../../files/stack-files.ts';
import type { Answer } from '../answer.ts';

/** The bytes of a file, in a form that no browser shows or runs. */
export function fileAnswer({ name, bytes }: StackFile): Answer {
  return {
    contentType: 'application/octet-stream',
    headers: {
      'content-disposition': `attachment; filename*=UTF-8''${encodedName(name)}`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
    },
    body: bytes,
  };
}

/** As RFC 5987 writes values. */
function encodedName(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
