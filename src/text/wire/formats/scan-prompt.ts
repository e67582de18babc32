import { isRecord } from '../../../lib/json-record.ts';
import { scanChatBody } from '../chat/scan-chat-body.ts';
import { scanMessagesBody } from '../messages/scan-messages-body.ts';
import { ScannedBody } from '../scanned-body.ts';

/** The formats whose bodies can be read without looking into their long texts. */
export type PromptFormat = 'chat' | 'messages';

const scans: Readonly<Record<PromptFormat, (bytes: Buffer) => ScannedBody | undefined>> = {
  chat: scanChatBody,
  messages: scanMessagesBody,
};

/** Reads a body of that format; `undefined` where anything in it has to be parsed. */
export function scanPrompt(format: PromptFormat, bytes: Buffer): ScannedBody | undefined {
  return scans[format](bytes);
}

/**
 * The same of a body that was parsed, because it is written with spaces or other escapes: its lists are written again as they would be sent,
 * and scanned so. Its other members stay what was parsed, for not every number is written as it was read.
 */
export function scanParsedPrompt(format: PromptFormat, body: unknown): ScannedBody | undefined {
  if (!isRecord(body) || !hasPlainMessages(body)) return undefined;
  const { messages, tools, ...fields } = body;
  const scanned = scanPrompt(format, Buffer.from(JSON.stringify({ messages, tools })));
  return scanned && new ScannedBody({ ...scanned.parts, fields });
}

/** Pictures and documents are not scanned: writing them would be in vain. */
function hasPlainMessages({ messages }: Readonly<Record<string, unknown>>): boolean {
  if (!Array.isArray(messages)) return false;
  return messages.every((message) => isRecord(message) && !Array.isArray(message.content));
}
