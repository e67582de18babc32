import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ReplyBlock } from '../../reply.ts';
import { renderReply, replyJson } from './messages-reply.ts';

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

test('an answer is written as JSON would have it', () => {
  fc.assert(
    fc.property(reply, text, (given, model) => {
      const name = { id: 'msg_01', model };
      expect(replyJson(given, name)).toBe(JSON.stringify(renderReply(given, name)));
    }),
  );
});
