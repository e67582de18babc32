import { chatFamily } from '../../../families/chat-family.ts';
import { isRecord } from '../../../lib/json-record.ts';
import type { AskedConversation } from '../../passthrough.ts';
import type { TextRequest, TextWire, WireContext } from '../../text-wire.ts';
import { checkModel } from '../check-model.ts';
import { includesKnowledge } from '../knowledge-field.ts';
import { parseField } from '../parse-field.ts';
import { commonPlainRules, hasPlainFields, type PlainRules } from '../plain-fields.ts';
import { ScannedBody } from '../scanned-body.ts';
import { conversationOf, scannedConversation } from './chat-conversation.ts';
import { type AnswerIdentity, chatReplyJson } from './chat-reply.ts';
import { requestFieldsSchema, type ShortFields } from './chat-request.ts';
import { ChatStreamWriter } from './chat-stream-writer.ts';

/** The chat completions format. */
export const chatWire: TextWire = { family: chatFamily, open };

const SCANNED_MESSAGES: readonly unknown[] = [{}];
const plainRules: PlainRules = new Map<string, (value: unknown) => boolean>([
  ...commonPlainRules,
  ['max_completion_tokens', Number.isInteger],
  ['stream_options', isPlainStreamOptions],
]);

function open(body: unknown, context: WireContext): TextRequest {
  if (body instanceof ScannedBody) {
    const fields = fieldsOf(body);
    return requestOf(fields, context, () => scannedConversation(fields, body));
  }
  const fields = parseField(requestFieldsSchema, body);
  return requestOf(fields, context, () => ({ conversation: conversationOf(fields) }));
}

function requestOf(fields: ShortFields, context: WireContext, read: () => AskedConversation): TextRequest {
  checkModel(fields.model, context.models);
  const { answerId, created } = context;
  const identity: AnswerIdentity = { id: `chatcmpl-${answerId}`, created, model: fields.model };
  const includeUsage = fields.stream_options?.include_usage ?? false;
  const { conversation, passthrough } = read();
  return {
    conversation,
    passthrough,
    streaming: fields.stream ?? false,
    countFirst: false,
    showsKnowledge: includesKnowledge(fields.include),
    reply: (reply) => chatReplyJson(identity, reply),
    writer: () => new ChatStreamWriter(identity, { includeUsage }),
  };
}

// The scan has checked the lists; the schema only needs them to be present.
function fieldsOf({ fields }: ScannedBody): ShortFields {
  return plainFields(fields) ?? parseField(requestFieldsSchema, { ...fields, messages: SCANNED_MESSAGES });
}

function plainFields(fields: ScannedBody['fields']): ShortFields | undefined {
  return 'model' in fields && hasPlainFields(fields, plainRules) ? (fields as ShortFields) : undefined;
}

function isPlainStreamOptions(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const members = Object.entries(value);
  return members.every(([name, flag]) => name === 'include_usage' && typeof flag === 'boolean');
}
