import type { Fault } from '../../../faults/fault.ts';
import { type AttachedPart, type Part, type StoredPart, storedPart } from '../../conversation.ts';
import { parseDataUrl, parseInlineData } from '../data-url.ts';
import { invalidField, parseEach } from '../parse-field.ts';
import { type ChatPart, partSchema, textPartSchema } from './chat-message-schema.ts';

/** Text, unchecked parts, or nothing. */
type Content = string | readonly unknown[] | null | undefined;

type ImagePart = Extract<ChatPart, { readonly type: 'image_url' }>;
type FilePart = Extract<ChatPart, { readonly type: 'file' }>;

/** The parts of a user or tool message; at least one. */
export function partsOf(content: Content, path: string): readonly Part[] {
  if (!isList(content)) return [{ type: 'text', text: content ?? '' }];
  if (content.length === 0) return [{ type: 'text', text: '' }];
  return parseEach(partSchema, content, path).map((part, index) => partOf(part, `${path}[${index}]`));
}

/** The text of a system or assistant message, one line per part. */
export function textOf(content: Content, path: string): string {
  if (!isList(content)) return content ?? '';
  return parseEach(textPartSchema, content, path)
    .map((part) => (part.type === 'text' ? part.text : part.refusal))
    .join('\n');
}

function isList(content: Content): content is readonly unknown[] {
  return Array.isArray(content);
}

function partOf(part: ChatPart, path: string): Part {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'refusal':
      return { type: 'text', text: part.refusal };
    case 'image_url':
      return imageOf(part, `${path}.image_url.url`);
    case 'file':
      return documentOf(part, `${path}.file`);
  }
}

function imageOf({ image_url: { url } }: ImagePart, path: string): AttachedPart {
  const data = parseDataUrl(url);
  if (data === undefined) throw notInline(path, url);
  return { type: 'image', ...data, name: undefined };
}

function documentOf({ file }: FilePart, path: string): AttachedPart | StoredPart {
  const name = file.filename ?? undefined;
  if (file.file_id) return storedPart(file.file_id, `${path}.file_id`, name);
  const text = file.file_data;
  const dataPath = `${path}.file_data`;
  if (!text)
    throw invalidField(dataPath, { expected: 'base64 data, or `file_id` beside it', got: text ?? undefined });
  const data = parseInlineData(text);
  if (data === undefined) throw notInline(dataPath, text);
  const type = data.mediaType.startsWith('image/') ? 'image' : 'document';
  return { type, ...data, name };
}

const SCHEME = /^([a-z][a-z0-9+.-]{0,15}):/i;

/** The fault of a URL where only inline data is accepted. */
export function notInline(path: string, url: string): Fault {
  const scheme = SCHEME.exec(url)?.[1]?.toLowerCase();
  return invalidField(path, {
    expected: 'a base64 data URL such as `data:image/png;base64,…`, because nothing is fetched',
    got: scheme === undefined || scheme === 'data' ? url : `${scheme}:…`,
  });
}
