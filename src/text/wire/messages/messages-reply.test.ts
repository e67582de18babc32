import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { ReplyBlock } from '../../reply.ts';
import { replyJson } from './messages-reply.ts';
import { messagesReplySchema } from './messages-reply-schema.ts';

const text = fc.string({ unit: 'binary' });
const block: fc.Arbitrary<ReplyBlock> = fc.oneof(
  { weight: 3, arbitrary: text.map((said) => ({ block: { type: 'text' as const }, text: said })) },
  text.map((thought) => ({ block: { type: 'reasoning' as const }, text: thought })),
  text.map((input) => ({ block: { type: 'tool-call' as const, id: 'call_1', name: 'look' }, text: input })),
);
const reply = fc.record({
  blocks: fc.array(block, { maxLength: 2 }),
  reason: fc.constantFrom('stop' as const, 'length' as const, 'tool-calls' as const, 'refusal' as const),
  stopSequence: fc.option(text, { nil: undefined }),
  usage: fc.record({ promptTokens: fc.nat(), completionTokens: fc.nat() }),
});

test('an answer is written as JSON would have it, with all members of its schema and no other', () => {
  fc.assert(
    fc.property(reply, text, (given, model) => {
      const json = replyJson(given, { id: 'msg_01', model });
      const read = JSON.parse(json);
      expect(JSON.stringify(read)).toBe(json);
      expect(z.strictObject(messagesReplySchema.shape).parse(read)).toEqual(read);
      const { promptTokens, completionTokens } = given.usage;
      const usage = { input_tokens: promptTokens, output_tokens: completionTokens };
      expect(read).toMatchObject({ id: 'msg_01', model, usage });
      const texts = given.blocks.flatMap((each) => (each.block.type === 'text' ? [each.text] : []));
      const said = read.content.flatMap((each: { text?: string }) => each.text ?? []);
      expect(said).toEqual(texts);
    }),
  );
});
