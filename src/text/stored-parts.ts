import type { FileHolder, FileReference, StackFile, StackFiles } from '../files/stack-files.ts';
import { pictureFacts } from '../pictures/describe-picture.ts';
import type { AttachedPart, Part, StoredPart, Turn } from './conversation.ts';

/** The most bytes of all stored files of a conversation; an inline file is bound by the size of a body. */
const MOST_BYTES = 32 * 1024 * 1024;
const HEAD_BYTES = 64 * 1024;

/** Reads the stored files that turns name, all of them before the first is used. */
export async function readStoredParts(
  turns: readonly Turn[],
  files: StackFiles,
  { stackId, request }: { readonly stackId: string; readonly request: FileHolder },
): Promise<(part: StoredPart) => AttachedPart> {
  const parts = turns.flatMap((turn) => (turn.role === 'assistant' ? [] : turn.parts.filter(isStored)));
  const references = parts.map(({ fileId, param }): FileReference => ({ id: fileId, param }));
  const read = await files.read(references, { stackId, mostBytes: MOST_BYTES, request });
  const attached = new Map(parts.map((part, index) => [part, attachedPart(part, read[index])]));
  return (part) => attached.get(part) ?? attachedPart(part, undefined);
}

/** Whether a part is a stored file. */
export function isStored(part: Part): part is StoredPart {
  return part.type === 'file';
}

function attachedPart({ name, mediaType }: StoredPart, file: StackFile | undefined): AttachedPart {
  if (file === undefined) throw new Error('a stored file was not read');
  const picture = pictureFacts(file.bytes.subarray(0, HEAD_BYTES));
  return {
    type: picture === undefined ? 'document' : 'image',
    mediaType: picture === undefined ? mediaType : `image/${picture.format.toLowerCase()}`,
    base64: file.bytes.toString('base64'),
    name: name ?? file.name,
  };
}
