import { isRecord, type JsonRecord } from '../../../lib/json-record.ts';
import {
  type AttachedPart,
  type Part,
  type StoredPart,
  storedPart,
  type TextPart,
} from '../../conversation.ts';
import { DEFAULT_MEDIA_TYPE, isBase64 } from '../data-url.ts';
import { invalidField } from '../parse-field.ts';

/** The parts of a content field of a user or tool message; `path` is its path in the body. */
export function contentParts(content: unknown, path: string): readonly Part[] {
  if (typeof content === 'string') return [textPart(content)];
  if (Array.isArray(content))
    return content.flatMap((item, index) => contentParts(item, `${path}[${index}]`));
  return isRecord(content) ? blockParts(content, path) : [];
}

/** A text part. */
export function textPart(text: string): TextPart {
  return { type: 'text', text };
}

/** The text of a block of any type, if it has one. */
export function readableText(block: JsonRecord): string | undefined {
  if (typeof block.text === 'string') return block.text;
  if (typeof block.content === 'string') return block.content;
  if (!Array.isArray(block.content)) return undefined;
  const texts = block.content.filter(isRecord).flatMap((inner) => readableText(inner) ?? []);
  return texts.length === 0 ? undefined : texts.join('\n\n');
}

function blockParts(block: JsonRecord, path: string): readonly Part[] {
  switch (block.type) {
    case 'image':
      return [attachedPart('image', block, path) ?? unavailable(block)];
    case 'document':
      return documentParts(block, path);
    case 'search_result':
      return [textPart(joined([block.title, block.source, readableText(block)]))];
    case 'tool_reference':
      return [textPart(`[tool loaded: ${String(block.tool_name)}]`)];
    default:
      return [otherPart(block)];
  }
}

function documentParts(block: JsonRecord, path: string): readonly Part[] {
  const source = isRecord(block.source) ? block.source : {};
  const heading = joined([block.title, block.context]);
  const headingParts = heading === '' ? [] : [textPart(heading)];
  if (source.type === 'text' && typeof source.data === 'string')
    return [...headingParts, textPart(source.data)];
  if (source.type === 'content')
    return [...headingParts, ...contentParts(source.content, `${path}.source.content`)];
  return [attachedPart('document', block, path) ?? unavailable(block)];
}

function attachedPart(
  type: AttachedPart['type'],
  block: JsonRecord,
  path: string,
): AttachedPart | StoredPart | undefined {
  const { source } = block;
  const name = typeof block.title === 'string' ? block.title : undefined;
  if (!isRecord(source)) return undefined;
  if (source.type === 'file' && typeof source.file_id === 'string')
    return storedPart(source.file_id, `${path}.source.file_id`, name);
  if (source.type !== 'base64' || typeof source.data !== 'string') return undefined;
  if (!isBase64(source.data))
    throw invalidField(`${path}.source.data`, { expected: 'base64', got: source.data });
  return {
    type,
    mediaType: typeof source.media_type === 'string' ? source.media_type : DEFAULT_MEDIA_TYPE,
    base64: source.data,
    name,
  };
}

function otherPart(block: JsonRecord): TextPart {
  const text = readableText(block);
  return text === undefined ? unavailable(block) : textPart(text);
}

// Tells the model that something was there, so that it does not guess.
function unavailable(block: JsonRecord): TextPart {
  return textPart(`[${typeof block.type === 'string' ? block.type : 'content'}: not available]`);
}

function joined(texts: readonly unknown[]): string {
  return texts.filter((text) => typeof text === 'string' && text !== '').join('\n\n');
}
