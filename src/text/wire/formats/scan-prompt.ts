import { isRecord } from '../../../lib/json-record.ts';
import { scanChatBody } from '../chat/scan-chat-body.ts';
import { scanMessagesBody } from '../messages/scan-messages-body.ts';
import { ScannedBody } from '../scanned-body.ts';

/** Formats whose bodies can be scanned without parsing their long lists. */
export type PromptFormat = 'chat' | 'messages';

/** Which bodies are scanned instead of being parsed: those whose messages have at least so many bytes. */
export interface ScanRule {
  readonly format: PromptFormat;
  readonly fromBytes: number;
}

const scans: Readonly<Record<PromptFormat, (bytes: Buffer) => ScannedBody | undefined>> = {
  chat: scanChatBody,
  messages: scanMessagesBody,
};

/** Scans a body; `undefined` if it has to be parsed. */
export function scanPrompt(format: PromptFormat, bytes: Buffer): ScannedBody | undefined {
  return scans[format](bytes);
}

/** Whether a scanned body need not be parsed as well. */
export function staysUnparsed({ fields, lists }: ScannedBody, { fromBytes }: ScanRule): boolean {
  // For a choice among the tools the whole body is parsed, on the thread of requests.
  const choosesTool = fromBytes > 0 && (fields.tool_choice ?? undefined) !== undefined;
  return lists.messages.length >= fromBytes && !choosesTool;
}

/**
 * Scans a body that had to be parsed because of spaces or other escapes: its lists are serialized as they would be sent, then scanned.
 * The other members stay as parsed, since not every number can be written back.
 */
export function scanParsedPrompt(format: PromptFormat, body: unknown): ScannedBody | undefined {
  if (!isRecord(body) || !hasPlainMessages(body)) return undefined;
  const { messages, tools, ...fields } = body;
  const scanned = scanPrompt(format, Buffer.from(JSON.stringify({ messages, tools })));
  return scanned && new ScannedBody({ ...scanned.parts, fields });
}

/** Messages with parts, such as pictures and documents, cannot be scanned, so they are not serialized. */
function hasPlainMessages({ messages }: Readonly<Record<string, unknown>>): boolean {
  if (!Array.isArray(messages)) return false;
  return messages.every((message) => isRecord(message) && !Array.isArray(message.content));
}
