import type { AssistantTurn, AttachedPart, Conversation, Part, ToolResultTurn } from '../../conversation.ts';

/** A message of a chat request. */
export interface SentMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | readonly ChatPart[] | null;
  readonly tool_calls?: readonly object[];
  readonly tool_call_id?: string;
  readonly reasoning_content?: string;
}

type ChatPart = { readonly type: 'text'; readonly text: string } | ChatImagePart;

interface ChatImagePart {
  readonly type: 'image_url';
  readonly image_url: { readonly url: string };
}

const ERROR_MARK = '[The tool reported an error]\n';
const IMAGE_TYPE = /^image\/[a-z0-9.+-]+$/i;

/** The messages of a conversation. If the server accepts images, those of tool results follow in a user message. */
export function toMessages({ system, turns }: Conversation, hasVision: boolean): readonly SentMessage[] {
  const messages: SentMessage[] = system === undefined ? [] : [{ role: 'system', content: system }];
  let images: ChatImagePart[] = [];
  for (const turn of turns) {
    if (turn.role === 'tool') {
      messages.push(toToolMessage(turn, hasVision));
      images.push(...imagesOf(turn.parts, hasVision));
      continue;
    }
    if (turn.role === 'user') {
      messages.push({ role: 'user', content: withImages(images, toContent(turn.parts, hasVision)) });
    } else {
      if (images.length > 0) messages.push({ role: 'user', content: images });
      messages.push(toAssistantMessage(turn));
    }
    images = [];
  }
  if (images.length > 0) messages.push({ role: 'user', content: images });
  return messages;
}

function toAssistantMessage(turn: AssistantTurn): SentMessage {
  const message = spokenMessage(turn);
  return turn.reasoning === undefined ? message : { ...message, reasoning_content: turn.reasoning };
}

function spokenMessage({ text, toolCalls }: AssistantTurn): SentMessage {
  if (toolCalls.length === 0) return { role: 'assistant', content: text };
  const calls = toolCalls.map(({ id, name, arguments: given }) => ({
    id,
    type: 'function',
    function: { name, arguments: given === '' ? '{}' : given },
  }));
  return { role: 'assistant', content: text === '' ? null : text, tool_calls: calls };
}

function toToolMessage({ callId, parts, isError }: ToolResultTurn, hasVision: boolean): SentMessage {
  const text = parts.map((part) => (isShown(part, hasVision) ? '[image: follows]' : textOf(part))).join('\n');
  return { role: 'tool', tool_call_id: callId, content: isError ? ERROR_MARK + text : text };
}

function toContent(parts: readonly Part[], hasVision: boolean): string | readonly ChatPart[] {
  const images = imagesOf(parts, hasVision);
  if (images.length === 0) return parts.map(textOf).join('\n');
  return parts.map((part) =>
    isShown(part, hasVision) ? toImage(part) : { type: 'text', text: textOf(part) },
  );
}

function withImages(
  images: readonly ChatImagePart[],
  content: string | readonly ChatPart[],
): string | readonly ChatPart[] {
  if (images.length === 0) return content;
  return [...images, ...(typeof content === 'string' ? [{ type: 'text', text: content } as const] : content)];
}

function imagesOf(parts: readonly Part[], hasVision: boolean): readonly ChatImagePart[] {
  return parts.flatMap((part) => (isShown(part, hasVision) ? [toImage(part)] : []));
}

function isShown(part: Part, hasVision: boolean): part is AttachedPart {
  return hasVision && part.type === 'image' && IMAGE_TYPE.test(part.mediaType);
}

function toImage({ mediaType, base64 }: AttachedPart): ChatImagePart {
  return { type: 'image_url', image_url: { url: `data:${mediaType};base64,${base64}` } };
}

// Parts that the model cannot see are replaced earlier; this only makes sure that their bytes are never sent.
function textOf(part: Part): string {
  return part.type === 'text' ? part.text : `[${part.type}: ${part.name ?? part.mediaType}]`;
}
