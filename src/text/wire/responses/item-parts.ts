import { type AttachedPart, type Part, type StoredPart, storedPart } from '../../conversation.ts';
import { notInline } from '../chat/chat-parts.ts';
import { parseDataUrl, parseInlineData } from '../data-url.ts';
import { parseEach } from '../parse-field.ts';
import { type ItemPart, partSchema } from './item-schemas.ts';

type Content = string | readonly unknown[] | null | undefined;

/** The parts of a user message or a tool output; at least one. */
export function partsOf(content: Content, path: string): readonly Part[] {
  if (typeof content === 'string' || content === null || content === undefined)
    return [{ type: 'text', text: content ?? '' }];
  const parts = parseEach(partSchema, content, path).flatMap((part, index) => {
    const read = partOf(part, `${path}[${index}]`);
    return read === undefined ? [] : [read];
  });
  return parts.length === 0 ? [{ type: 'text', text: '' }] : parts;
}

/** The text of an assistant or system message, one line per part. */
export function textOf(content: Content, path: string): string {
  return partsOf(content, path)
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('\n');
}

/** `undefined` for an unknown kind. */
function partOf(part: ItemPart, path: string): Part | undefined {
  switch (part.type) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return { type: 'text', text: part.text ?? '' };
    case 'refusal':
      return { type: 'text', text: part.refusal ?? '' };
    case 'input_image':
      return imageOf(part, path);
    case 'input_file':
      return fileOf(part, path);
    default:
      return undefined;
  }
}

function imageOf(part: ItemPart, path: string): AttachedPart | StoredPart {
  if (part.file_id) return storedPart(part.file_id, `${path}.file_id`);
  const data = parseDataUrl(part.image_url ?? '');
  if (data === undefined) throw notInline(`${path}.image_url`, part.image_url ?? '');
  return { type: 'image', ...data, name: undefined };
}

function fileOf(part: ItemPart, path: string): AttachedPart | StoredPart {
  const name = part.filename ?? undefined;
  if (part.file_id) return storedPart(part.file_id, `${path}.file_id`, name);
  if (part.file_url) throw notInline(`${path}.file_url`, part.file_url);
  const data = parseInlineData(part.file_data ?? '');
  if (data === undefined) throw notInline(`${path}.file_data`, part.file_data ?? '');
  const type = data.mediaType.startsWith('image/') ? 'image' : 'document';
  return { type, ...data, name };
}
