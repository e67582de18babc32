import { expect, it } from 'vitest';
import { z } from 'zod';
import type { Reply } from '../../reply.ts';
import { messagesReplyJson, messagesReplySchema } from './messages-reply.ts';

const name = { id: 'msg_1', model: 'tiny' };
const text = 'a "quoted" \\ text\n with \u2028 and \ud83d\ude00';
const reply: Reply = {
  blocks: [{ block: { type: 'text' }, text }],
  reason: 'stop',
  stopSequence: undefined,
  usage: { promptTokens: 7, completionTokens: 5 },
};

it.each<[string, Partial<Reply>]>([
  ['ends by itself', {}],
  ['ends at a stop sequence', { stopSequence: 'a "b"' }],
  ['is cut off', { reason: 'length' }],
  ['is refused', { reason: 'refusal' }],
  ['comes from a stand-in', { standIn: 'a "fox"' }],
])('a text is written as with passages, which take an object: it %s', (_, more) => {
  const written = messagesReplyJson({ ...reply, ...more }, name);
  const parsed = z.strictObject(messagesReplySchema.shape).parse(JSON.parse(written));
  expect(parsed.content).toEqual([{ type: 'text', text }]);
  const withPassages = JSON.parse(messagesReplyJson({ ...reply, ...more, knowledge: [] }, name));
  expect(withPassages).toEqual({ ...parsed, knowledge: [] });
  expect(JSON.stringify({ ...withPassages, knowledge: undefined })).toBe(written);
});
