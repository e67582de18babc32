import { chatFamily } from '../../../families/chat-family.ts';
import { Fault } from '../../../faults/fault.ts';
import type { TextExchange, TextWire, WireContext } from '../../text-wire.ts';
import { conversationOf } from './chat-conversation.ts';
import { type AnswerIdentity, chatReply } from './chat-reply.ts';
import { requestFieldsSchema } from './chat-request.ts';
import { ChatStreamWriter } from './chat-stream-writer.ts';
import { describeValue, parseField } from './parse-field.ts';

/** The format of chat completions. */
export const chatWire: TextWire = { family: chatFamily, open };

function open(body: unknown, context: WireContext): TextExchange {
  const fields = parseField(requestFieldsSchema, body);
  checkModel(fields.model, context.models);
  const { answerId, created } = context;
  const identity: AnswerIdentity = { id: `chatcmpl-${answerId}`, created, model: fields.model };
  const includeUsage = fields.stream_options?.include_usage ?? false;
  return {
    conversation: conversationOf(fields),
    streaming: fields.stream ?? false,
    countFirst: false,
    reply: (reply) => chatReply(identity, reply),
    writer: () => new ChatStreamWriter(identity, { includeUsage }),
  };
}

function checkModel(model: string, models: readonly string[]): void {
  if (models.includes(model)) return;
  const served = models.map((name) => JSON.stringify(name)).join(', ');
  throw new Fault('model-not-found', `This stack serves ${served}, not ${describeValue(model)}.`, {
    param: 'model',
  });
}
